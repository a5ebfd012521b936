import Testing

@testable import RecordKeeping

/// Notes and tags with canonically equivalent texts keep their bytes.
@Suite struct LabelBytesTests {
    private let one = addresses(2)[0]
    private let two = addresses(2)[1]
    private let composed = "caf\u{E9}"
    private let decomposed = "cafe\u{301}"

    private func note(of address: IPAddress, in harness: KeeperHarness) -> [UInt8]? {
        harness.show(address)?.entry.watch?.note.map { Array($0.utf8) }
    }

    @Test func `a change to several entries leaves the bytes of their notes unchanged`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.add([one], tags: [], note: composed))
        harness.ask(.add([two], tags: [], note: decomposed))
        #expect(note(of: two, in: harness) == Array(decomposed.utf8))
        harness.ask(.label([one, two], LabelChange(isPinned: true)))
        #expect(note(of: one, in: harness) == Array(composed.utf8))
        #expect(note(of: two, in: harness) == Array(decomposed.utf8))
    }

    @Test func `a new note with equivalent text replaces the bytes of the old one`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.add([one], tags: [], note: composed))
        let (id, effects) = harness.ask(.label([one], LabelChange(note: decomposed)))
        #expect(effects.answer(to: id) == .labelled(1))
        #expect(note(of: one, in: harness) == Array(decomposed.utf8))
    }
}
