import Dispatch
import RecordKeeping

/// Logs alerts in the journal, and limits their rate.
///
/// Alerts about the network, the provider and addresses are three families, each with a rate limit. Above the limit,
/// only the newest alert is held. It is logged as soon as the limit allows, with the number of alerts left out before
/// it. The last alert in the journal therefore describes the current state. Alerts that are left out are still kept as
/// events, for `ipctl monitor --after`.
///
/// Belongs to the queue passed to `init`.
final class Announcer {
    private struct Family {
        var rateLimit: RateLimit
        /// The event to log when the limit allows it; nil if none is waiting.
        var held: PublishedEvent?
        /// The number of alerts left out before `held`.
        var leftOut = 0
        /// The seq of the first alert left out before `held`.
        var firstLeftOut: Int64?
    }

    private enum Subject: Hashable {
        case network, provider, address

        init(_ kind: PublishedEvent.Kind) {
            switch kind {
            case .networkLost, .networkRestored: self = .network
            case .providerFailed, .providerRecovered, .throttled: self = .provider
            case .added, .removed, .refreshed, .failed, .recovered, .changed, .nameAdded, .nameRemoved, .addressAdded,
                .addressRemoved, .nameFailed, .nameRecovered:
                self = .address
            }
        }
    }

    private let queue: DispatchQueue
    private let log: (Alert) -> Void
    private var families: [Subject: Family]

    /// - Parameters:
    ///   - conditions: the rate limit for alerts about the network, and separately for those about the provider. The
    ///     default is a screenful of alerts, and then four a minute.
    ///   - addresses: the rate limit for alerts about all addresses together.
    ///   - log: logs an alert.
    init(
        queue: DispatchQueue, conditions: RateLimit = RateLimit(atOnce: 40, interval: .seconds(15)),
        addresses: RateLimit = RateLimit(atOnce: 500, interval: .seconds(1)), log: @escaping (Alert) -> Void
    ) {
        self.queue = queue
        self.log = log
        families = [
            .network: Family(rateLimit: conditions), .provider: Family(rateLimit: conditions),
            .address: Family(rateLimit: addresses),
        ]
    }

    /// The seq of the oldest alert that is held back and therefore not logged yet; nil if no alert is held back.
    var firstUnloggedSeq: Int64? {
        families.values.compactMap { $0.firstLeftOut ?? $0.held?.seq }.min()
    }

    /// Logs the alert for an event, or holds it until the rate limit allows it.
    func announce(_ event: PublishedEvent) {
        let subject = Subject(event.kind)
        guard var family = families[subject] else { return }
        defer { families[subject] = family }
        let now = SystemClock.now.boot
        if let held = family.held {
            family.leftOut += 1
            family.firstLeftOut = family.firstLeftOut ?? held.seq
            family.held = event
        } else if family.rateLimit.spend(at: now) {
            log(Alert(event))
        } else {
            family.held = event
            queue.later(after: family.rateLimit.wait(at: now)) { [self] in release(subject) }
        }
    }

    /// Logs all held alerts now, regardless of the rate limits, because the daemon is shutting down.
    func end() {
        for subject in families.keys { release(subject) }
    }

    private func release(_ subject: Subject) {
        guard var family = families[subject], let held = family.held else { return }
        // The rate limit allows this alert now. During shutdown, the rate limit is ignored.
        _ = family.rateLimit.spend(at: SystemClock.now.boot)
        log(Alert(held, leftOut: family.leftOut, from: family.firstLeftOut))
        (family.held, family.leftOut, family.firstLeftOut) = (nil, 0, nil)
        families[subject] = family
    }
}
