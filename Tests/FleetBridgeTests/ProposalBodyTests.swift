import RecordKeeping
import Testing

@testable import FleetBridge

struct ProposalBodyTests {
    /// Returns a random proposal of each kind.
    static func proposals(_ values: inout RandomValues) -> [ProposalBody] {
        let change = LabelChange(
            isPinned: values.optional { $0.flag() }, addTags: Set(values.list(4) { $0.text() }),
            removeTags: Set(values.list(4) { $0.text() }), note: values.optional { $0.text() })
        return [
            .add(
                values.list(9) { $0.address() }, tags: values.list(3) { $0.text() },
                note: values.optional { $0.text() },
                until: values.optional { $0.wall() }),
            .remove(values.list(9) { $0.address() }),
            .label(values.list(9) { $0.address() }, change),
            .addNames(
                values.list(4) { $0.name() }, tags: values.list(3) { $0.text() }, note: values.optional { $0.text() }),
            .removeNames(values.list(4) { $0.name() }),
            .refresh(values.list(9) { $0.address() }),
            .refresh(nil),
            .lookUp(values.list(9) { $0.address() }),
        ]
    }

    @Test func `a decoded proposal equals the encoded one`() throws {
        for seed in 0..<300 {
            var values = RandomValues(seed: UInt64(seed))
            for proposal in Self.proposals(&values) {
                let bytes = try proposal.encoded()
                let decoded = try ProposalBody(decoding: bytes)
                #expect(decoded == proposal, "seed \(seed)")
                #expect(try decoded.encoded() == bytes, "seed \(seed)")
            }
        }
    }

    @Test func `each change of a client is a proposal with the same request`() throws {
        let (address, name) = (IPAddress(v4: 1), try HostName("example.org"))
        let changes: [Request.Body] = [
            .add([address], tags: ["a"], note: "", until: WallTime(milliseconds: 1)), .remove([address]),
            .label([address], LabelChange(isPinned: true)), .addNames([name], tags: [], note: nil),
            .removeNames([name]),
            .refresh([address]), .refresh(nil),
        ]
        for change in changes { #expect(ProposalBody(change)?.request == change) }
        #expect(ProposalBody.lookUp([address]).request == nil)
    }

    @Test func `a request that changes nothing is not a proposal`() {
        let requests: [Request.Body] = [
            .names(nil), .previewRemoval([]), .show([], wait: .zero), .known([]), .status, .metrics,
            .outages(before: nil, limit: 1), .reload(isForced: false),
        ]
        for request in requests { #expect(ProposalBody(request) == nil) }
    }

    @Test func `the bytes of a proposal do not depend on the order of a set`() throws {
        let tags = (0..<50).map { "tag\($0)" }
        let one = ProposalBody.label([], LabelChange(addTags: Set(tags), removeTags: Set(tags)))
        let other = ProposalBody.label([], LabelChange(addTags: Set(tags.reversed()), removeTags: Set(tags.shuffled())))
        #expect(try one.encoded() == other.encoded())
    }

    @Test func `the largest addition takes less than half a megabyte`() throws {
        let addresses = (0..<UInt32(Limits.addressesPerRequest)).map { IPAddress(v4: $0 &* 2_654_435_761) }
        let body = try ProposalBody.add(addresses, tags: [], note: nil, until: nil).encoded()
        #expect(body.count <= 500_020)
    }
}
