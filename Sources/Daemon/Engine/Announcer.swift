import Dispatch
import RecordKeeping

/// Tells notices in the journal, and sees to it that what repeats does not flood it.
///
/// Alerts about the network, the provider and addresses are three families. Of each, so many are told as they come, and of what
/// comes faster the last one each time there is room again, with how many were left out before it: the journal's last word is
/// always how things are. What is left out there is kept all the same, for `ipctl monitor --after`.
///
/// Belongs to the queue that it is made with.
final class Announcer {
    private struct Family {
        var allowance: Allowance
        /// To be told when there is room again; nil while there is.
        var held: Notice?
        var leftOut = 0
        /// The number of the first that was left out.
        var firstLeftOut: Int64?
    }

    private enum Subject: Hashable {
        case network, provider, address

        init(_ kind: Notice.Kind) {
            switch kind {
            case .networkLost, .networkRestored: self = .network
            case .providerFailed, .providerRecovered, .throttled: self = .provider
            case .added, .removed, .refreshed, .failed, .recovered, .changed: self = .address
            }
        }
    }

    private let queue: DispatchQueue
    private let tell: (Alert) -> Void
    private var families: [Subject: Family]

    /// - Parameters:
    ///   - conditions: how often alerts about the network and the provider are told, each. The default is a page of them, and
    ///     then no more than four a minute.
    ///   - addresses: the same for all addresses together.
    init(
        queue: DispatchQueue, conditions: Allowance = Allowance(atOnce: 40, interval: .seconds(15)),
        addresses: Allowance = Allowance(atOnce: 500, interval: .seconds(1)), tell: @escaping (Alert) -> Void
    ) {
        self.queue = queue
        self.tell = tell
        families = [
            .network: Family(allowance: conditions), .provider: Family(allowance: conditions),
            .address: Family(allowance: addresses),
        ]
    }

    /// The seq of the oldest alert that is held back and so not logged yet; nil if none is.
    var firstUnloggedSeq: Int64? {
        families.values.compactMap { $0.firstLeftOut ?? $0.held?.seq }.min()
    }

    func announce(_ notice: Notice) {
        let subject = Subject(notice.kind)
        guard var family = families[subject] else { return }
        defer { families[subject] = family }
        let now = SystemClock.now.boot
        if let held = family.held {
            family.leftOut += 1
            family.firstLeftOut = family.firstLeftOut ?? held.seq
            family.held = notice
        } else if family.allowance.spend(at: now) {
            tell(Alert(notice))
        } else {
            family.held = notice
            later(subject, after: family.allowance.wait(at: now))
        }
    }

    /// Tells what is held back still: nobody will later.
    func end() {
        for subject in families.keys { release(subject) }
    }

    private func later(_ subject: Subject, after wait: Duration) {
        // It is touched on this queue only.
        nonisolated(unsafe) let announcer = self
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait.wholeNanoseconds))) {
            announcer.release(subject)
        }
    }

    private func release(_ subject: Subject) {
        guard var family = families[subject], let held = family.held else { return }
        _ = family.allowance.spend(at: SystemClock.now.boot)  // There is room, or this is the end.
        tell(Alert(held, leftOut: family.leftOut, from: family.firstLeftOut))
        (family.held, family.leftOut, family.firstLeftOut) = (nil, 0, nil)
        families[subject] = family
    }
}
