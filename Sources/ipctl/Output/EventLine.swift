import Control
import RecordKeeping

/// An event as a line of text.
struct EventLine {
    let event: Interface.Event
    let now: Int64

    func line(on terminal: Terminal) -> String {
        let time = terminal.styled(Times.clock(event.at, from: now), .dim)
        return "\(time)  \(terminal.styled(sentence.printable, style))"
    }

    /// The line with the whole date, as in a history.
    func datedLine(on terminal: Terminal) -> String {
        "\(terminal.styled(Times.date(event.at), .dim))  \(terminal.styled(sentence.printable, style))"
    }

    var style: TextStyle? {
        switch event.kind {
        case "networkLost", "providerFailed", "failed", "nameFailed": .bad
        case "throttled": .caution
        case "networkRestored", "providerRecovered", "recovered", "nameRecovered": .good
        case "changed", "addressAdded", "addressRemoved": .notable
        case "refreshed": .dim
        default: nil
        }
    }

    var sentence: String {
        let address = event.address ?? "an address"
        let name = event.name ?? "a host name"
        let details = event.message.map { ": \($0)" } ?? ""
        return switch event.kind {
        case "nameAdded": "now watching the host name \(name)\(cause)"
        case "nameRemoved": "no longer watching the host name \(name)\(cause)"
        case "addressAdded": "\(name) has the new address \(address)"
        case "addressRemoved": "\(name) no longer has the address \(address)"
        case "nameFailed": "\(name) cannot be resolved\(details)"
        case "nameRecovered": "\(name) can be resolved again"
        case "added": "now watching \(address)\(cause)"
        case "removed": "no longer watching \(address)\(cause)"
        case "refreshed": "\(address) has a new record\(place)"
        case "changed": "\(address) changed: \((event.fields ?? []).sentence)"
        case "failed": "\(address) could not be scanned\(failure)"
        case "recovered": "\(address) can be scanned again"
        case "networkLost": "network lost\(details)"
        case "networkRestored": "network restored\(details)"
        case "providerFailed": ProviderEventText.failure(event.message)
        case "providerRecovered": ProviderEventText.recovery(event.message)
        case "throttled": "throttled\(details)"
        default: event.kind + (event.address.map { " \($0)" } ?? "") + details
        }
    }

    /// The reason for a failure. An event that has just occurred also has the time of the next attempt.
    private var failure: String {
        let text = event.entry.flatMap { FailureText(of: $0, now: now)?.sentence } ?? event.message
        return text.map { ": \($0)" } ?? ""
    }

    private var place: String {
        guard let record = event.entry?.record else { return "" }
        let parts = [record.city, record.country, record.as].compactMap { $0 }
        return parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
    }

    /// The user or the reason that caused the event; empty for a change in a watch-list file.
    private var cause: String {
        let cause = event.user.map { "by \(UserName(of: $0))" } ?? event.message
        return cause.map { " (\($0))" } ?? ""
    }
}
