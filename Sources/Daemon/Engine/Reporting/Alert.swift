import Control
import Logging
import RecordKeeping
import Systemd

/// The log message for an event: its level, text and journal fields.
struct Alert {
    let level: Logger.Level
    let message: String
    /// The journal fields: IPRECORD_EVENT and, if they apply, MESSAGE_ID, IPRECORD_ADDRESS and IPRECORD_SEQ.
    let fields: Logger.Metadata

    /// - Parameters:
    ///   - leftOut: the number of earlier alerts of the same family that were not logged.
    ///   - first: the seq of the first alert that was not logged; nil if no alert was left out, or if that alert has no
    ///     seq.
    init(_ event: PublishedEvent, leftOut: Int = 0, from first: Int64? = nil) {
        level = Self.level(of: event.kind)
        message = Self.message(of: event) + Self.gap(leftOut, from: first)
        var fields: Logger.Metadata = ["IPRECORD_EVENT": "\(event.kind.rawValue)"]
        if let id = MessageID(rawValue: event.kind.rawValue) { fields["MESSAGE_ID"] = "\(id.text)" }
        if let address = event.address { fields["IPRECORD_ADDRESS"] = "\(address)" }
        if let seq = event.seq { fields["IPRECORD_SEQ"] = "\(seq)" }
        self.fields = fields
    }

    private static func level(of kind: PublishedEvent.Kind) -> Logger.Level {
        switch kind {
        case .networkLost, .providerFailed, .throttled: .warning
        case .networkRestored, .providerRecovered, .failed, .recovered: .notice
        case .added, .removed, .refreshed, .changed: .info
        // These events are not alerts.
        case .nameAdded, .nameRemoved, .addressAdded, .addressRemoved, .nameFailed, .nameRecovered: .info
        }
    }

    private static func message(of event: PublishedEvent) -> String {
        let subject = event.address.map { "\($0)" } ?? ""
        let details = event.message.map { ": \($0)" } ?? ""
        return switch event.kind {
        case .networkLost: "network lost\(details)"
        case .networkRestored: "network restored\(details)"
        case .providerFailed: ProviderEventText.failure(event.message)
        case .providerRecovered: ProviderEventText.recovery(event.message)
        case .throttled: "throttled by the provider\(details)"
        case .failed: "\(subject) could not be scanned\(details)"
        case .recovered: "\(subject) can be scanned again"
        case .changed: "\(subject) changed: \(event.fields.sentence)"
        case .added, .removed, .refreshed, .nameAdded, .nameRemoved, .addressAdded, .addressRemoved, .nameFailed,
            .nameRecovered:
            "\(subject) \(event.kind.rawValue)"
        }
    }

    private static func gap(_ leftOut: Int, from first: Int64?) -> String {
        guard leftOut > 0 else { return "" }
        let rest = first.map { "; see ipctl monitor --after \($0 - 1)" } ?? ""
        return " (\(leftOut) similar \(leftOut == 1 ? "alert" : "alerts") omitted\(rest))"
    }
}
