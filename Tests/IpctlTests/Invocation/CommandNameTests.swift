import TestSupport
import Testing

@testable import ipctl

/// An unknown command, and the suggested one.
@Suite struct CommandNameTests {
    @Test(
        arguments: [
            ("lst", "list"), ("ls", "list"), ("lsit", "list"), ("List", "list"), ("stat", "status"),
            ("statsu", "status"),
            ("hist", "history"), ("watch", "add"), ("lookup", "show"), ("events", "monitor"),
            ("rm", "remove"), ("delete", "remove"), ("monitr", "monitor"), ("exprot", "export"), ("hlep", "help"),
            ("dance", nil),
            ("a", nil), ("", nil), ("zz", nil), (String(repeating: "x", count: 100_000), nil),
        ] as [(String, String?)])
    func `the nearest command is suggested if it is similar`(word: String, meant: String?) {
        #expect(CommandName.nearest(to: word) == meant)
    }

    @Test(arguments: [
        ["lst"], ["help", "lst"], ["--json", "lst", "1.1.1.1"], ["--socket", "/a", "lst"], ["lst", "--help"],
    ])
    func `an unknown command is a usage error`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(arguments)
        #expect(ended.status == 64)
        #expect(ended.output == "")
        #expect(ended.errorLines.first == "ipctl: unknown command \"lst\"; did you mean list?")
    }

    @Test func `a word unlike any command has no suggestion`() throws {
        let ended = try BuiltIpctl.run(["help", "nosuch"])
        #expect(ended.status == 64)
        #expect(ended.errorLines.first == "ipctl: unknown command \"nosuch\"")
    }

    @Test(arguments: [["help", "list"], ["list", "--help"], ["--socket", "/lst", "help"]])
    func `help about a command is not an error`(arguments: [String]) throws {
        #expect(try BuiltIpctl.run(arguments).status == 0)
    }
}
