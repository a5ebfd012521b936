import Foundation
import TestSupport
import Testing

@testable import ipctl

/// Every option of every command, from the help of the built program.
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

    /// A command, one of its options with its value's name, and the required other arguments.
    struct Case: CustomTestStringConvertible, Sendable {
        let command: String
        let option: String
        let value: String
        let isRepeating: Bool

        var testDescription: String { "\(command) \(option) \(value)" }

        var line: [String] {
            switch command {
            case "wait": option == "--field" ? ["wait", "changed", "192.0.2.1"] : ["wait", "online"]
            case "monitor": option == "--until" ? [command, "--since", "24h"] : [command]
            case "list", "map", "export", "import", "outages", "metrics", "status", "top", "doctor",
                "examples", "reload":
                [command]
            case "history": OptionTests.filters.contains(option) ? [command] : [command, "192.0.2.1"]
            case "remove": option == "--file" ? [command, "192.0.2.1"] : [command]
            case "enrich":
                option == "--wait"
                    ? [command, "--lookup"] : option == "--column" ? [command, "--format", "csv"] : [command]
            case "count": option == "--by" ? [command] : [command, "--by", "isp"]
            case "tag", "untag": [command, "192.0.2.1"] + (option == "--tag" ? [] : ["--tag", "a"])
            case "note": [command, "192.0.2.1"] + (option == "--note" ? [] : ["--note", "n"])
            default: [command, "192.0.2.1"]
            }
        }

        /// The arguments that must follow the option.
        var tail: [String] {
            ["--jobs", "--exec-timeout", "--exec-tries"].contains(option) ? ["--exec", "true"] : []
        }
    }

    /// The options that select entries.
    fileprivate static let filters = FilterOptions.repeatable.union(["--search", "--changed-since"])

    /// The options of every command, before or after its name.
    private static let everywhere: Set<String> = ["socket", "timeout"]

    private static let cases: [Case] = {
        let output = (try? BuiltIpctl.run(["--experimental-dump-help"]))?.output ?? ""
        let commands = (try? JSONDecoder().decode(Help.self, from: Data(output.utf8)))?.command.subcommands ?? []
        return commands.filter { $0.commandName != "help" }.flatMap { command in
            (command.arguments ?? []).filter {
                $0.kind == "option" && !everywhere.contains($0.preferredName?.name ?? "")
            }.map {
                Case(
                    command: command.commandName, option: "--" + ($0.preferredName?.name ?? ""),
                    value: $0.valueName ?? "",
                    isRepeating: $0.isRepeating)
            }
        }
    }()

    @Test func `there are options`() {
        #expect(Self.cases.count >= 25)
        #expect(Set(Self.cases.map(\.value)).isSuperset(of: ["number", "duration", "seq", "tag", "file"]))
    }

    /// A column of each command whose rows are not entries.
    private static let columns = ["outages": "since", "history": "field", "monitor": "field", "names": "name"]

    /// A valid value of the option.
    private static func value(of option: Case) -> String {
        switch option.value {
        case "number", "seq", "duration", "jobs": "5"
        case "state": "fresh"
        case "kind": "added"
        case "name,…": columns[option.command] ?? "isp"
        case "field": option.option == "--sort" ? columns[option.command] ?? "isp" : "isp"
        case "name": "isp"
        case "time": "24h"
        case "code": "DE"
        case "asn": "AS3320"
        case "flag": "proxy"
        case "format": "csv"
        case "file": "/dev/null"
        case "template": "{isp}"
        default: "a"
        }
    }

    @Test(arguments: cases.filter { !$0.isRepeating })
    func `a repeated option is an error unless it is repeatable`(option: Case) throws {
        let value = Self.value(of: option)
        for again in [["\(option.option)=\(value)"], [option.option, value]] {
            let ended = try BuiltIpctl.run(
                ["--socket", "/no"] + option.line + [option.option, value] + again + option.tail)
            #expect(ended.status == 64)
            #expect(
                ended.errorLines == [
                    "ipctl: \(option.option) can be given only once",
                    "See: ipctl help \(option.command)",
                ])
        }
    }

    @Test(arguments: cases.filter(\.isRepeating))
    func `a repeatable option is accepted several times`(option: Case) throws {
        let value = Self.value(of: option)
        let required = option.option == "--changed-field" ? ["--changed-since", "24h"] : []
        // A column of enrich can be given only once.
        let other = option.option == "--column" ? "other" : value
        let twice = [option.option, value, option.option, other] + required
        // The first error is that there is no daemon, or for top, that there is no terminal.
        let ended = try BuiltIpctl.run(["--socket", "/no"] + option.line + twice)
        #expect(ended.status == (option.command == "top" ? 64 : 69))
        #expect(!ended.errors.contains("See: ipctl help"), "\(ended.errors)")
    }

    @Test(
        arguments: cases.filter { ["number", "seq", "duration"].contains($0.value) },
        ["-1", "1e9", "99999999999999999999", "", "x", "0x5", "5 ", "٥", "-", "--all"])
    func `an invalid number is reported with the expected range`(option: Case, value: String) throws {
        let ended = try BuiltIpctl.run(["--socket", "/no"] + option.line + [option.option, value] + option.tail)
        #expect(ended.status == 64)
        #expect(ended.output == "")
        let expectedText =
            "ipctl: the value '\(value)' is invalid for '\(option.option) <\(option.value)>': expected a "
        #expect(ended.errorLines.first?.hasPrefix(expectedText) == true, "\(ended.errors)")
    }

    @Test(arguments: cases.filter { $0.value == "number" }) func `a limit is bounded`(option: Case) throws {
        for limit in ["0", "10001", "1000000000"] {
            let ended = try BuiltIpctl.run(["--socket", "/no"] + option.line + [option.option, limit] + option.tail)
            #expect(ended.status == 64)
            #expect(ended.errorLines.first?.contains("expected a whole number from 1 to 10000") == true)
        }
        let most = ["--socket", "/no"] + option.line + [option.option, "10000"] + option.tail
        #expect(try BuiltIpctl.run(most).status == 69)
    }

    @Test(arguments: cases.filter { $0.value == "duration" }, ["5", "1.5", "90s", "500ms", "2m", "24h"])
    func `a duration has a unit, or is in seconds`(option: Case, value: String) throws {
        let line = ["--socket", "/no"] + option.line + [option.option, value] + option.tail
        #expect(try BuiltIpctl.run(line).status == 69)
    }
}
