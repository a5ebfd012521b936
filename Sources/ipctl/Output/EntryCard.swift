import Control
import RecordKeeping

/// A card with the record and the labels of an address.
struct EntryCard {
    let entry: Interface.Entry
    let now: Int64
    /// The wait for the record; nil if the command did not wait.
    var wait: EndedWait?

    func lines(on terminal: Terminal) -> [String] { card.lines(on: terminal) }

    var card: Card {
        var card = Card(title: entry.address, style: StateMark.style(of: entry.state), subtitle: subtitle)
        if let record = entry.record { add(record, to: &card) }
        if let offline = entry.offline {
            card.add("Offline", "from \(offline.source), not from the provider", .caution)
            add(offline.record, to: &card, prefix: "offline ")
        }
        if let reason = entry.reason { card.add("Reason", reason) }
        if let text = FailureText(of: entry, now: now) { card.add(text.label, text.sentence, .bad) }
        card.add("Waiting", wait?.reason(for: entry), .caution)
        addTimes(to: &card)
        addLabels(to: &card)
        return card
    }

    private var subtitle: String {
        switch entry.state {
        case "stale": "stale: the last known record, not current"
        case "loading": "loading: no record yet"
        case "empty": "empty: the provider has no record of this address"
        case "failed": "failed: no record"
        default: entry.state
        }
    }

    /// - Parameter prefix: the beginning of each label, in lower case.
    private func add(_ record: Record, to card: inout Card, prefix: String = "") {
        func add(_ label: String, _ value: String?, _ style: TextStyle? = nil) {
            card.add((prefix + label).capitalizedFirst, value, style)
        }
        let city = [record.city, record.district].compactMap { $0 }.joined(separator: ", ")
        let region = [record.regionName, record.zip].compactMap { $0 }.joined(separator: " ")
        let country = record.country.map { name in record.countryCode.map { "\(name) (\($0))" } ?? name }
        let places = [city, region == city ? "" : region, country ?? "", record.continent ?? ""]
        add("place", places.filter { !$0.isEmpty }.joined(separator: ", "))
        if let lat = record.lat, let lon = record.lon { add(Record.Fact.coordinates.name, "\(lat), \(lon)") }
        add(
            Record.Fact.timeZone.name,
            [record.timezone, record.offset.map(Record.utcOffset)].compactMap { $0 }.joined(separator: ", "))
        add(Record.Fact.currency.name, record.currency)
        add(
            Record.Fact.network.name,
            [record.as, record.asname.map { "(\($0))" }].compactMap { $0 }.joined(separator: " "))
        add(Record.Fact.provider.name, record.isp)
        add(Record.Fact.organisation.name, record.org)
        add(Record.Fact.reverseName.name, record.reverse)
        add("flags", Self.flags(of: record), .notable)
    }

    private func addTimes(to card: inout Card) {
        var parts: [String] = []
        if let scannedAt = entry.scannedAt { parts.append("scanned \(Times.ago(scannedAt, from: now))") }
        if let expiresAt = entry.expiresAt {
            parts.append(life(until: expiresAt))
        } else if entry.scannedAt != nil, entry.failure == nil, entry.state != EntryState.stale.rawValue {
            parts.append("current until the local databases change")
        }
        card.add("Age", parts.joined(separator: ", "), entry.state == "stale" ? .caution : nil)
        card.add("Changed", entry.changedAt.map { Times.ago($0, from: now) })
        card.add("Source", entry.provider)
    }

    private func life(until expiresAt: Int64) -> String {
        if expiresAt > now {
            return entry.watched
                ? "refreshes \(Times.ahead(expiresAt, from: now))" : "kept until \(Times.clock(expiresAt, from: now))"
        }
        let over = Times.span(milliseconds: now.clampedSubtracting(expiresAt))
        return entry.watched ? "refresh overdue by \(over)" : "expired \(over) ago"
    }

    private func addLabels(to card: inout Card) {
        guard entry.watched else {
            card.add("Watched", "no; add it with: ipctl add \(entry.address)", .dim)
            return
        }
        let parts = [
            entry.origin == "file" ? "yes, from a watch-list file" : "yes", entry.pinned ? "pinned" : nil,
            entry.watchedUntil.map { "until \(Times.clock($0, from: now))" },
        ]
        card.add("Watched", parts.compactMap { $0 }.joined(separator: ", "))
        card.add("Tags", entry.tags.joined(separator: ", "))
        card.add("Note", entry.note)
    }

    static func flags(of record: Record?) -> String {
        [
            record?.mobile == true ? "mobile" : nil, record?.proxy == true ? "proxy" : nil,
            record?.hosting == true ? "hosting" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
