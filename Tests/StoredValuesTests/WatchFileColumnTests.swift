import RecordKeeping
import StoredValues
import Testing

struct WatchFileColumnTests {
    @Test(arguments: [([], 1), (.tags, 3), (.note, 5), ([.tags, .note], 7)] as [(Watch.Overrides, Int64)])
    func `the column of an address in a list contains its overrides`(overrides: Watch.Overrides, column: Int64) {
        #expect(Watch(byClient: false, byFile: true, overrides: overrides).fileColumn == column)
        #expect(Watch(byClient: true, byFile: true, overrides: overrides, isPinned: true).fileColumn == column)
    }

    @Test func `the column of an address that is not in any list is 0`() {
        #expect(Watch(byClient: true).fileColumn == 0)
        #expect(Watch(byClient: false, byName: true, isPinned: true, tags: ["a"], note: "b").fileColumn == 0)
    }
}
