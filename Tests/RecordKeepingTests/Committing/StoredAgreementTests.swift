import Testing

@testable import RecordKeeping

/// Random requests, replies, failures and turns. Whenever nothing is pending, the entries in memory are those on disk.
@Suite struct StoredAgreementTests {
    /// A keeper with its disk, and the random choices of a test.
    private struct Run {
        let harness: KeeperHarness
        var rows = StoredRows()
        var random: Random
        private let all = addresses(7)
        private var answered = 0
        /// Number of comparisons, of repeated elements, and of commits that failed.
        private(set) var (compared, repeated, failed) = (0, 0, 0)

        init(seed: UInt64) {
            random = Random(seed: seed)
            let changes = Int.random(in: 1...12, using: &random)
            harness = KeeperHarness(ignoring: .all, settings: .shortInterval, changesPerTurn: changes)
            harness.disk = .waits
            harness.beginsTurns = false
        }

        private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

        /// One to three addresses.
        private mutating func some() -> [IPAddress] {
            (0..<1 + roll(3)).map { _ in all[roll(all.count)] }
        }

        /// Performs a random step.
        mutating func step() {
            switch roll(16) {
            case 0: harness.add(some())
            case 1: harness.ask(.remove(some()))
            case 2: harness.ask(.label(some(), LabelChange(note: "note \(roll(3))")))
            case 3: harness.ask(.show(some(), wait: .seconds(roll(2) * 5)))
            case 4, 5: harness.pass(.milliseconds(roll(2) == 0 ? 61_000 : roll(2_000)))
            case 6...8: end(call: harness.keeper.flights.values.map(\.call).max { $0.id < $1.id })
            case 9...11: write(fails: roll(5) == 0)
            default: harness.beginTurn()
            }
            compare()
        }

        /// Ends all that is pending.
        mutating func finish() {
            while true {
                if harness.wantsTurn {
                    harness.beginTurn()
                } else if harness.commit != nil {
                    write(fails: false)
                } else if harness.keeper.commitQueue.isFailing {
                    harness.pass(.seconds(60))
                } else {
                    break
                }
            }
            compare()
        }

        private mutating func write(fails: Bool) {
            guard let commit = harness.commit else { return }
            if fails {
                failed += 1
                harness.failToWrite()
            } else {
                rows.apply(commit)
                harness.write()
            }
        }

        private mutating func compare() {
            guard harness.keeper.commitQueue.isIdle, harness.commit == nil else { return }
            compared += 1
            rows.expectAgreement(with: harness.keeper)
        }

        /// Replies to a call with repeated elements, new, malformed and missing ones, or lets it fail.
        private mutating func end(call: Call?) {
            guard let call else { return }
            guard roll(8) > 0 else {
                harness.fail(call, .unreachable)
                harness.answerRouteCheck(.open)
                return
            }
            let quota = ReportedQuota(remaining: nil, resetsIn: nil)
            var reply = Reply(sentAt: harness.now, answers: [:], quota: quota)
            for (index, address) in call.addresses.enumerated() {
                let isRepeated = index < call.digests.count && call.digests[index] != nil && roll(4) > 0
                reply.repetitions.append(isRepeated)
                if isRepeated {
                    repeated += 1
                } else if let answer = answer() {
                    reply.answers[address] = answer
                    answered += 1
                    if case .answered = answer {
                        reply.digests[address] = ElementDigest(hash: UInt64(answered), length: 9)
                    }
                }
            }
            harness.handle(.replied(call.id, reply))
        }

        private mutating func answer() -> ElementAnswer? {
            switch roll(8) {
            case 0: nil
            case 1: .malformed("no status")
            case 2: .answered(.empty(reason: "reserved range"))
            case 3: .answered(.record(Record()))
            case 4: .answered(.record(.inBonn))
            default: .answered(.record(.example))
            }
        }
    }

    @Test(arguments: 1...UInt64(12)) func `memory and disk agree when nothing is pending`(seed: UInt64) {
        var run = Run(seed: seed)
        for _ in 0..<40 {
            for _ in 0..<40 { run.step() }
            run.finish()
        }
        #expect(run.compared >= 40 && run.repeated > 10 && run.failed > 5)
    }
}
