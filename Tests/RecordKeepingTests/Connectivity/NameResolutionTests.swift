import Testing

@testable import RecordKeeping

/// The states of `NameResolution`, without a keeper.
@Suite struct NameResolutionTests {
    private let start = KeeperHarness.start.boot

    @Test func `a request during a resolution is followed by another resolution`() {
        var resolution = NameResolution()
        let begun = (0..<3).map { resolution.request(at: start + .seconds($0)) }
        #expect(begun == [true, false, false] && resolution.lastBegan == start)
        let first = resolution.ended()
        let next = resolution.request(at: start + .seconds(9))
        let second = resolution.ended()
        #expect([first, next, second] == [false, true, true])
        #expect(resolution.state == .idle && resolution.lastBegan == start + .seconds(9))
    }

    @Test func `the age of a resolution counts from its beginning`() {
        var resolution = NameResolution()
        #expect(resolution.isOlder(than: .seconds(5), at: start))
        _ = resolution.request(at: start)
        #expect(!resolution.isOlder(than: .seconds(5), at: start + .seconds(4)))
        #expect(resolution.isOlder(than: .seconds(5), at: start + .seconds(5)))
    }

    @Test func `a result that was not requested is up to date`() {
        var resolution = NameResolution()
        let isUpToDate = resolution.ended()
        #expect(isUpToDate && resolution.state == .idle)
    }
}
