import RecordKeeping
import Testing

@testable import FleetBridge

/// The bytes of one proposal and of one reply of each kind, with the same meaning as in `VectorTests`.
struct ProposalVectorTests {
    private static let name = HostName.sample
    private static let v4 = IPAddress(v4: 0x0808_0808)
    private static let v6 = IPAddress(high: 0x2001_0DB8_0000_0000, low: 1)

    private static let proposals: [(ProposalBody, String)] = [
        (
            .add([v6, v4], tags: ["a", "b"], note: "n", until: Instant.test.wall),
            "0103016e01610162010180f0efd5142c022c2d020120010db800000000000000000000000100"
                + "08080808"
        ),
        (
            .add([v4], tags: [], note: nil, until: nil),
            "010001000000010008080808"
        ),
        (
            .remove([v4, IPAddress(v4: 0x0808_0809), v4]),
            "010002030008080808030008080808"
        ),
        (
            .label([v6], LabelChange(isPinned: false, addTags: ["b", "a"], removeTags: ["c"], note: "")),
            "01040001610162016303012c022c2d012e010120010db8000000000000000000000001"
        ),
        (
            .addNames([name], tags: ["a"], note: nil),
            "010201610b6578616d706c652e6f72670400012b012c"
        ),
        (
            .removeNames([name]),
            "01010b6578616d706c652e6f726705012b"
        ),
        (
            .refresh([v4]),
            "010006010008080808"
        ),
        (
            .refresh(nil),
            "010007"
        ),
        (
            .lookUp([v6]),
            "010008010120010db8000000000000000000000001"
        ),
    ]

    @Test(arguments: proposals) func `a proposal has these bytes`(proposal: ProposalBody, hex: String) throws {
        #expect(try proposal.encoded().hex == hex)
    }

    private static let replies: [(OutcomeReply, String)] = [
        (
            .added(1, already: 2, ends: WatchEndCounts(removed: 3, kept: 4)),
            "01000102040608"
        ),
        (
            .removed(1, staying: [v4]),
            "01000202010008080808"
        ),
        (
            .namesAdded(1, already: 2),
            "0100030204"
        ),
        (
            .namesRemoved(1),
            "01000402"
        ),
        (
            .labelled(1_000),
            "010005d00f"
        ),
        (
            .refreshing(1, fresh: 2),
            "0100060204"
        ),
        (
            .lookingUp,
            "010007"
        ),
        (
            .refused(.permissionDenied),
            "010008"
        ),
        (
            .refused(.notWatched(v4)),
            "0100090008080808"
        ),
        (
            .refused(.nameNotWatched(name)),
            "01010b6578616d706c652e6f72670a2b"
        ),
        (
            .refused(.endInPast),
            "01000b"
        ),
        (
            .refused(.tooMany(limit: 100_000, .addressesPerRequest)),
            "01000cc09a0c02"
        ),
        (
            .refused(.eventsGone(oldest: 5)),
            "01000d0a"
        ),
        (
            .refused(.invalidCursor),
            "01000e"
        ),
        (
            .refused(.storeFailed("disk full")),
            "0101096469736b2066756c6c0f2b"
        ),
        (
            .refused(.reloadFailed("no addresses")),
            "01010c6e6f20616464726573736573102b"
        ),
    ]

    @Test(arguments: replies) func `a reply has these bytes`(reply: OutcomeReply, hex: String) throws {
        #expect(try reply.encoded().hex == hex)
    }
}
