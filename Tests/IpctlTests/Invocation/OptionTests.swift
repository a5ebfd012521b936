import Foundation
import Testing

/// Every option of every command, as the built program tells of them.
@Suite struct OptionTests {
    private struct Help: Decodable {
        struct Command: Decodable {
            var commandName: String
            var subcommands: [Command]?
            var arguments: [Argument]?
        }

        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }

            var kind: String
            var isRepeating: Bool
            var preferredName: Name?
            var valueName: String?
        }

        var command: Command
    }

    /// A command, an option of it with its value's name, and what makes the rest of the line right.
    struct Case: CustomTestStringConvertible, Sendable {
        let command: String
        let option: String
        let value: String
        let isRepeating: Bool

        var testDescription: String { "\(command) \(option) \(value)" }

        var line: [String] {
            switch command {
            case "wait": ["wait", "online"]
            case "list", "map", "export", "import", "outages", "monitor", "status", "top", "doctor", "reload": [command]
            case "tag", "untag": [command, "192.0.2.1"] + (option == "--tag" ? [] : ["--tag", "a"])
            case "note": [command, "192.0.2.1"] + (option == "--note" ? [] : ["--note", "n"])
            default: [command, "192.0.2.1"]
            }
        }
    }

    private static let cases: [Case] = {
        let output = (try? BuiltIpctl.run(["--experimental-dump-help"]))?.output ?? ""
        let commands = (try? JSONDecoder().decode(Help.self, from: Data(output.utf8)))?.command.subcommands ?? []
        return commands.filter { $0.commandName != "help" }.flatMap { command in
            (command.arguments ?? []).filter { $0.kind == "option" && $0.preferredName?.name != "socket" }.map {
                Case(
                    command: command.commandName, option: "--" + ($0.preferredName?.name ?? ""),
                    value: $0.valueName ?? "",
                    isRepeating: $0.isRepeating)
            }
        }
    }()

    @Test func `there are options`() {
        #expect(Self.cases.count >= 25)
        #expect(Set(Self.cases.map(\.value)).isSuperset(of: ["number", "span", "seq", "tag", "file"]))
    }

    /// A value that is right for it.
    private static func value(of option: Case) -> String {
        switch option.value {
        case "number", "seq", "span": "5"
        case "state": "fresh"
        case "kind": "added"
        case "name": "isp"
        case "format": "csv"
        case "file": "/dev/null"
        default: "a"
        }
    }

    @Test(arguments: cases.filter { !$0.isRepeating })
    func `an option that is taken once is not taken twice without a word`(option: Case) throws {
        let value = Self.value(of: option)
        for again in [["\(option.option)=\(value)"], [option.option, value]] {
            let ended = try BuiltIpctl.run(["--socket", "/no"] + option.line + [option.option, value] + again)
            #expect(ended.status == 64)
            #expect(
                ended.errorLines == [
                    "ipctl: \(option.option) is given twice, and \(option.command) takes it once",
                    "What it takes tells: ipctl help \(option.command)",
                ])
        }
    }

    @Test(arguments: cases.filter(\.isRepeating))
    func `an option that is taken several times is taken`(option: Case) throws {
        let value = Self.value(of: option)
        let twice = [option.option, value, option.option, value]
        // There is no daemon: that is the first thing that is wrong.
        #expect(try BuiltIpctl.run(["--socket", "/no"] + option.line + twice).status == 69)
    }

    @Test(
        arguments: cases.filter { ["number", "seq", "span"].contains($0.value) },
        ["-1", "1e9", "99999999999999999999", "", "x", "0x5", "5 ", "٥", "-", "--all"])
    func `a number that is none is told with what would be right`(option: Case, value: String) throws {
        let ended = try BuiltIpctl.run(["--socket", "/no"] + option.line + [option.option, value])
        #expect(ended.status == 64)
        #expect(ended.output == "")
        let told = "ipctl: the value '\(value)' is invalid for '\(option.option) <\(option.value)>': a "
        #expect(ended.errorLines.first?.hasPrefix(told) == true, "\(ended.errors)")
    }

    @Test(arguments: cases.filter { $0.value == "number" }) func `nothing is no limit`(option: Case) throws {
        for limit in ["0", "10001", "1000000000"] {
            let ended = try BuiltIpctl.run(["--socket", "/no"] + option.line + [option.option, limit])
            #expect(ended.status == 64)
            #expect(ended.errorLines.first?.contains("a whole number from 1 to 10000 would be right") == true)
        }
        #expect(try BuiltIpctl.run(["--socket", "/no"] + option.line + [option.option, "10000"]).status == 69)
    }

    @Test(arguments: cases.filter { $0.value == "span" }, ["0", "5", "1.5", "90s", "500ms", "2m", "24h"])
    func `a span is taken with a unit, and in seconds without`(option: Case, value: String) throws {
        #expect(try BuiltIpctl.run(["--socket", "/no"] + option.line + [option.option, value]).status == 69)
    }
}
