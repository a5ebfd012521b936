import TestSupport
import Testing

@testable import ipctl

/// The arguments after `--exec` belong to the command that it runs.
@Suite struct ExecArgumentsTests {
    @Test(arguments: [
        (["--exec", "curl", "-h"], ["curl", "-h"]), (["--exec=curl", "--json"], ["curl", "--json"]),
        (["--exec", "--", "true"], ["true"]), (["--exec", "a", "--exec", "--", "b"], ["a", "--exec", "--", "b"]),
        (["--exec", "a", "", "b c"], ["a", "", "b c"]), (["--exec", "--", "-x"], ["-x"]),
    ]) func `all arguments after --exec are its command`(arguments: [String], command: [String]) throws {
        let split = try ExecArguments(["--socket", "/s", "monitor", "--kind", "added"] + arguments)
        #expect(split.command == command)
        #expect(split.own.dropLast() == ["--socket", "/s", "monitor", "--kind", "added", "--exec"])
    }

    @Test(arguments: [["monitor"], ["show", "--exec", "a"], ["monitor", "--", "--exec", "a"], ["--exec", "a"], []])
    func `other command lines are not changed`(arguments: [String]) throws {
        let split = try ExecArguments(arguments)
        #expect(split.own == arguments && split.command.isEmpty)
    }

    @Test(arguments: [["--exec"], ["--exec="], ["--exec", ""], ["--exec", "--"]])
    func `--exec requires a command`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(["monitor"] + arguments)
        #expect(ended.status == 64 && ended.output == "")
        #expect(ended.errorLines.first?.hasPrefix("ipctl: --exec requires a command") == true, "\(ended)")
    }

    @Test(arguments: [["--jobs", "2"], ["--exec-timeout", "5s"], ["--exec-tries", "3"]])
    func `the options of commands require --exec`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(["monitor"] + arguments)
        #expect(ended.status == 64)
        #expect(ended.errorLines.first == "ipctl: \(arguments[0]) requires --exec")
    }

    @Test(arguments: [["--json"], ["--format", "csv"], ["--no-headers"], ["--after", "0", "--until", "1h"]])
    func `--exec does not combine with options for printed events`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(["monitor"] + arguments + ["--exec", "true"])
        #expect(ended.status == 64)
        #expect(ended.errors.contains("--exec"), "\(ended)")
    }

    @Test(arguments: ["0", "65", "-1", "x", ""]) func `the number of jobs is bounded`(jobs: String) throws {
        let ended = try BuiltIpctl.run(["monitor", "--jobs", jobs, "--exec", "true"])
        #expect(ended.status == 64)
        #expect(ended.errors.contains("expected a whole number from 1 to 64"), "\(ended)")
    }

    @Test func `a time limit of zero is an error`() throws {
        let ended = try BuiltIpctl.run(["monitor", "--exec-timeout", "0", "--exec", "true"])
        #expect(ended.status == 64)
        #expect(ended.errors.contains("expected a duration above zero"), "\(ended)")
    }

    @Test func `the help of the command is not that of ipctl`() throws {
        let ended = try BuiltIpctl.run(["--socket", "/no", "monitor", "--exec", "true", "--help", "--version", "-h"])
        #expect(ended.status == 69 && ended.output == "", "\(ended)")
    }
}
