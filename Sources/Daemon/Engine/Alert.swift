import Logging
import RecordKeeping
import Systemd

/// A notice as the journal tells it.
struct Alert {
    let level: Logger.Level
    let message: String
    /// The alert's MESSAGE_ID, and IPRECORD_EVENT, IPRECORD_ADDRESS and IPRECORD_SEQ where they apply.
    let fields: Logger.Metadata

    init(_ notice: Notice) {
        level = Self.level(of: notice.kind)
        message = Self.message(of: notice)
        var fields: Logger.Metadata = ["IPRECORD_EVENT": "\(notice.kind.rawValue)"]
        if let id = MessageID(rawValue: notice.kind.rawValue) { fields["MESSAGE_ID"] = "\(id.text)" }
        if let address = notice.address { fields["IPRECORD_ADDRESS"] = "\(address)" }
        if let seq = notice.seq { fields["IPRECORD_SEQ"] = "\(seq)" }
        self.fields = fields
    }

    private static func level(of kind: Notice.Kind) -> Logger.Level {
        switch kind {
        case .networkLost, .providerFailed, .throttled: .warning
        case .networkRestored, .providerRecovered, .failed, .recovered: .notice
        case .added, .removed, .refreshed, .changed: .info
        }
    }

    private static func message(of notice: Notice) -> String {
        let subject = notice.address.map { "\($0)" } ?? ""
        let details = notice.message.map { ": \($0)" } ?? ""
        return switch notice.kind {
        case .networkLost: "network lost\(details)"
        case .networkRestored: "network restored\(details)"
        case .providerFailed: "the provider fails\(details)"
        case .providerRecovered: "provider recovered\(details)"
        case .throttled: "throttled by the provider\(details)"
        case .failed: "\(subject) failed\(details)"
        case .recovered: "\(subject) recovered"
        case .changed: "\(subject) changed: \(changes(in: notice))"
        case .added, .removed, .refreshed: "\(subject) \(notice.kind.rawValue)"
        }
    }

    private static func changes(in notice: Notice) -> String {
        notice.fields.map { "\($0.field) \($0.old ?? "nothing") → \($0.new ?? "nothing")" }.joined(separator: ", ")
    }
}

extension Summary {
    /// The daemon's condition for `systemctl status`.
    var line: String {
        let list = watched == 1 ? "1 address watched" : "\(watched) addresses watched"
        if offlineSince != nil { return "\(list); offline: no way to the provider" }
        return switch provider {
        case .idle, .ok: list
        case .failing: "\(list); the provider fails"
        case .throttled: "\(list); throttled by the provider"
        case .unauthorized: "\(list); the provider refuses access"
        }
    }
}
