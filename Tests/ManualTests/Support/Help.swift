import Foundation
import TestSupport
import Testing

/// The command line of a program, as swift-argument-parser dumps it.
struct Help: Decodable {
    struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?
        var shouldDisplay: Bool
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var shouldDisplay: Bool
    }

    var command: Command

    /// Returns the commands and options of a built program.
    static func of(_ program: String) throws -> Command {
        let ended = try Tool.run([BuiltProgram.path(program), "--experimental-dump-help"])
        #expect(ended.status == 0 && ended.errors == "")
        return try JSONDecoder().decode(Help.self, from: Data(ended.output.utf8)).command
    }
}

extension Help.Command {
    /// The visible options in mdoc(7) form: "Fl Fl socket", "Fl h".
    var options: [String] {
        (arguments ?? []).filter(\.shouldDisplay).flatMap { argument in
            (argument.names ?? []).map { $0.kind == "short" ? "Fl \($0.name)" : "Fl Fl \($0.name)" }
        }
    }
}
