import Testing

@testable import ipctl

@Suite struct ImportCallsTests {
    private static func words(_ steps: [ImportCalls.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .call(let message): String(decoding: message.dropLast(), as: UTF8.self)
            case .wait: "wait"
            }
        }
    }

    private static func add(_ parameters: String) -> String {
        #"{"method":"io.iprecord.Control.Add","parameters":{\#(parameters)}}"#
    }

    private static func pin(_ addresses: String) -> String {
        #"{"method":"io.iprecord.Control.Label","parameters":{"addresses":[\#(addresses)],"pinned":true}}"#
    }

    @Test func `entries with the same labels share a call, and pins come after`() {
        var calls = ImportCalls()
        for entry in [
            ListedEntry(address: "192.0.2.1", isPinned: true),
            ListedEntry(address: "192.0.2.2", tags: ["a"], note: "n"),
            ListedEntry(address: "192.0.2.3"), ListedEntry(address: "192.0.2.4", tags: ["a"], isPinned: true),
        ] {
            #expect(calls.add(entry).isEmpty)
        }
        let steps = Self.words(calls.finish())
        #expect(
            Set(steps.prefix(3)) == [
                Self.add(#""addresses":["192.0.2.1","192.0.2.3"]"#),
                Self.add(#""addresses":["192.0.2.2"],"note":"n","tags":["a"]"#),
                Self.add(#""addresses":["192.0.2.4"],"tags":["a"]"#),
            ])
        #expect(Array(steps.dropFirst(3)) == ["wait", Self.pin(#""192.0.2.1","192.0.2.4""#), "wait"])
        #expect(calls.finish().isEmpty)
    }

    @Test func `a repeated address waits for its first call`() {
        var calls = ImportCalls()
        #expect(calls.add(ListedEntry(address: "192.0.2.1", note: "first")).isEmpty)
        let steps = Self.words(calls.add(ListedEntry(address: "192.0.2.1", note: "second")))
        #expect(steps == [Self.add(#""addresses":["192.0.2.1"],"note":"first""#), "wait"])
        #expect(Self.words(calls.finish()) == [Self.add(#""addresses":["192.0.2.1"],"note":"second""#), "wait"])
    }

    @Test func `at most one window is held in memory`() {
        var calls = ImportCalls()
        for number in 0..<ImportCalls.entriesPerWindow {
            #expect(calls.add(ListedEntry(address: "10.0.\(number >> 8).\(number & 255)")).isEmpty)
        }
        #expect(calls.add(ListedEntry(address: "192.0.2.1")).count == 2)
        #expect(Self.words(calls.finish()) == [Self.add(#""addresses":["192.0.2.1"]"#), "wait"])
    }
}
