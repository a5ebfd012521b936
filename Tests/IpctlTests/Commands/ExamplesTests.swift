import Foundation
import TestSupport
import Testing

@testable import ipctl

@Suite struct ExamplesTests {
    @Test func `the examples of a help text are its lines below the heading`() {
        let examples = Example.all(
            in: """
                Prints something.

                Examples:
                  ipctl list                    the first entries
                  ipctl list | wc -l

                Exit status: 1 if nothing matches.
                """)
        #expect(examples.map(\.command) == ["ipctl list", "ipctl list | wc -l"])
        #expect(examples.map(\.explanation) == ["the first entries", nil])
        #expect(examples.map(\.line) == ["  ipctl list                    the first entries", "  ipctl list | wc -l"])
    }

    @Test func `a single example may have a heading in the singular`() {
        #expect(Example.all(in: "Example:\n  ipctl unpin 1.1.1.1").map(\.command) == ["ipctl unpin 1.1.1.1"])
        #expect(Example.all(in: "No heading.\n  ipctl unpin 1.1.1.1").isEmpty)
    }

    @Test(arguments: Examples.names)
    func `each command has examples`(command: String) throws {
        let ended = try BuiltIpctl.run(["examples", command, "--json"])
        try #require(ended.status == 0 && ended.errors == "", "\(ended)")
        let lines = ended.output.split(separator: "\n")
        try #require(!lines.isEmpty, "the help of \(command) has no examples")
        for line in lines {
            let example = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(example["name"] as? String == command)
            #expect((example["command"] as? String)?.isEmpty == false)
        }
    }

    @Test func `the examples of several commands have a heading each`() throws {
        let ended = try BuiltIpctl.run(["examples", "pin", "unpin"])
        #expect(ended.status == 0 && ended.errors == "")
        #expect(
            ended.output == """
                Pin addresses to the top of the list.
                  ipctl pin 1.1.1.1 2606:4700:4700::1111
                  ipctl list --pinned

                Unpin addresses.
                  ipctl unpin 1.1.1.1

                """)
    }

    @Test func `an unknown command is a usage error`() throws {
        let ended = try BuiltIpctl.run(["examples", "sing"])
        #expect(ended.status == 64 && ended.output == "")
        #expect(ended.errors.hasPrefix("ipctl: unknown command \"sing\"; expected one of:"), "\(ended.errors)")
    }
}
