import RecordKeeping

/// Plans that repeat one combination of events that random acts almost never reach: calls that overlap with the end of
/// a quota window or with the beginning of a requested wait, and limits that change often.
extension Plan {
    enum Series {
        case overlaps
        /// The limits change often. Every plan with this series also has an uncertain quota (`isQuotaUncertain`).
        case changingLimits
    }

    /// Returns the series that a plan repeats; nil if its acts are random.
    static func series(_ seed: UInt64) -> Series? {
        switch seed % 16 {
        case 4: .overlaps
        case 11: .changingLimits
        default: nil
        }
    }

    static let seriesAddresses = 12

    /// Returns the only provider of a plan that repeats a series. Initially, a window allows two or three single calls,
    /// so that its quota is used up at once.
    static func providerOfSeries(_ seed: UInt64) -> SimulatedProvider.Character {
        var prng = Random(seed: seed ^ 0x4CF5_AD43_2745_937F)
        return .init(
            number: 0, kind: .undocumented, quotas: [.single: prng.pick([2, 2, 3]), .batch: prng.number(1...3)])
    }

    /// Replaces the acts of the plan with its series. A plan of overlaps has no other trouble with calls, which could
    /// hide the effects of the overlaps.
    mutating func planSeries() {
        guard let series = Self.series(seed) else { return }
        var prng = Random(seed: seed ^ 0x2748_774C_DF8E_EB99)
        acts = []
        if series == .overlaps { trouble = .none }
        var time = prng.duration(.seconds(1), .seconds(600))
        while time < length {
            let numbers = Array((0..<(addresses.count - listed)).shuffled(using: &prng))
            // The records expire before the addresses are added again, so that the addresses need calls.
            acts.append((time, .ask(client: Simulation.administrator, .remove(numbers))))
            time += interval + .seconds(2)
            switch series {
            case .overlaps: acts.append((time, overlappingAct(numbers, &prng)))
            case .changingLimits: addChangeOfLimit(numbers, at: time, &prng)
            }
            for _ in 0..<prng.number(0...3) {
                let moment = time + .seconds(prng.number(1...80))
                acts.append((moment, .ask(client: 0, .show(numbers, wait: .zero))))
            }
            time += .seconds(90) + prng.duration(.seconds(1), .seconds(60))
        }
        // The sort is stable: acts at the same time keep their order.
        acts.sort { $0.at < $1.at }
    }

    private func overlappingAct(_ numbers: [Int], _ prng: inout Random) -> Act {
        switch prng.number(0...3) {
        case 0: .refusalAcrossWindowEnd(numbers)
        case 1: .crashAcrossWindowEnd(numbers)
        case 2: .lookUpAroundWindowEnd(numbers)
        default: .replyAfterRequestedWait(numbers, .seconds(prng.pick([30, 120, 900])))
        }
    }

    /// Adds calls, often around the end of a window, sometimes after a change of a limit and sometimes before a crash.
    private mutating func addChangeOfLimit(_ numbers: [Int], at time: Duration, _ prng: inout Random) {
        if prng.chance(0.5) {
            acts.append((time, .changeLimit(prng.pick(Call.Endpoint.allCases), prng.pick([1, 1, 2, 3, 6]))))
        }
        switch prng.number(0...3) {
        case 0: acts.append((time, .replaceAroundWindowEnd(numbers)))
        case 1: acts.append((time, .replyAcrossWindowEnd(numbers)))
        case 2: acts.append((time, .ask(client: Simulation.administrator, .add(numbers))))
        default:
            // The addresses are added one after another, so that each needs a separate call.
            for (place, number) in numbers.enumerated() {
                acts.append((time + .seconds(place), .ask(client: Simulation.administrator, .add([number]))))
            }
        }
        if prng.chance(0.3) {
            acts.append((time + .seconds(prng.number(9...60)), .crash(down: .milliseconds(prng.number(10...5_000)))))
        }
    }
}
