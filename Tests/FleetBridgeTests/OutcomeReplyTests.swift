import RecordKeeping
import Testing

@testable import FleetBridge

struct OutcomeReplyTests {
    /// Returns a random reply of each kind.
    static func replies(_ values: inout RandomValues) -> [OutcomeReply] {
        let refusals: [Refusal] = [
            .permissionDenied, .notWatched(values.address()), .nameNotWatched(values.name()), .endInPast,
            .tooMany(limit: values.count(), values.kind(LimitedResource.self)), .eventsGone(oldest: values.anyNumber()),
            .invalidCursor, .storeFailed(values.text()), .reloadFailed(values.text()),
        ]
        let ends = WatchEndCounts(removed: values.count(), kept: values.count())
        return [
            .added(values.count(), already: values.count(), ends: ends),
            .removed(values.count(), staying: values.list(9) { $0.address() }),
            .namesAdded(values.count(), already: values.count()), .namesRemoved(values.count()),
            .labelled(values.count()), .refreshing(values.count(), fresh: values.count()), .lookingUp,
        ] + refusals.map { .refused($0) }
    }

    @Test func `a decoded reply equals the encoded one`() throws {
        for seed in 0..<300 {
            var values = RandomValues(seed: UInt64(seed))
            for reply in Self.replies(&values) {
                let bytes = try reply.encoded()
                let decoded = try OutcomeReply(decoding: bytes)
                #expect(decoded == reply, "seed \(seed)")
                #expect(try decoded.encoded() == bytes, "seed \(seed)")
            }
        }
    }

    @Test func `a reply becomes the response that it comes from`() {
        var values = RandomValues(seed: 1)
        for reply in Self.replies(&values) where reply != .lookingUp {
            #expect(reply.response.flatMap { OutcomeReply($0) } == reply)
        }
        #expect(OutcomeReply.lookingUp.response == nil)
        #expect(OutcomeReply(.entries([])) == nil)
    }
}
