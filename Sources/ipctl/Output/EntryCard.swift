import Control

/// All that is known of one address.
struct EntryCard {
    private let entry: Interface.Entry
    private let now: Int64

    init(_ entry: Interface.Entry, now: Int64) {
        self.entry = entry
        self.now = now
    }

    func lines(on terminal: Terminal) -> [String] {
        var card = Card(title: entry.address, style: StateWords.style(of: entry.state), subtitle: subtitle)
        addRecord(to: &card)
        if let reason = entry.reason { card.add("Reason", reason) }
        if let failure = entry.failure { card.add("Failure", sentence(failure), .bad) }
        addTimes(to: &card)
        addLabels(to: &card)
        return card.lines(on: terminal)
    }

    private var subtitle: String {
        switch entry.state {
        case "stale": "stale: the last that is known, not current"
        case "loading": "loading: nothing is known yet"
        case "empty": "empty: there is no record of such an address"
        case "failed": "failed: nothing is known"
        default: entry.state
        }
    }

    private func addRecord(to card: inout Card) {
        guard let record = entry.record else { return }
        let city = [record.city, record.district].compactMap { $0 }.joined(separator: ", ")
        let region = [record.regionName, record.zip].compactMap { $0 }.joined(separator: " ")
        let country = record.country.map { name in record.countryCode.map { "\(name) (\($0))" } ?? name }
        let places = [city, region == city ? "" : region, country ?? "", record.continent ?? ""]
        card.add("Place", places.filter { !$0.isEmpty }.joined(separator: ", "))
        if let lat = record.lat, let lon = record.lon { card.add("Coordinates", "\(lat), \(lon)") }
        card.add(
            "Time zone", [record.timezone, record.offset.map(Self.offset)].compactMap { $0 }.joined(separator: ", "))
        card.add("Currency", record.currency)
        card.add("Network", [record.as, record.asname.map { "(\($0))" }].compactMap { $0 }.joined(separator: " "))
        card.add("Provider", record.isp)
        card.add("Organisation", record.org)
        card.add("Reverse name", record.reverse)
        card.add("Flags", Self.flags(of: record), .notable)
    }

    private func addTimes(to card: inout Card) {
        var parts: [String] = []
        if let scannedAt = entry.scannedAt { parts.append("scanned \(Times.ago(scannedAt, from: now))") }
        if let expiresAt = entry.expiresAt {
            parts.append(life(until: expiresAt))
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
        let over = Times.span(milliseconds: now - expiresAt)
        return entry.watched ? "its refresh is overdue by \(over)" : "out of date for \(over)"
    }

    private func addLabels(to card: inout Card) {
        guard entry.watched else {
            card.add("Watched", "no; put it on the list with: ipctl add \(entry.address)", .dim)
            return
        }
        let origin = entry.origin == "file" ? "yes, by a watch-list file" : "yes"
        card.add("Watched", entry.pinned ? "\(origin), pinned" : origin)
        card.add("Tags", entry.tags.joined(separator: ", "))
        card.add("Note", entry.note)
    }

    private func sentence(_ failure: Interface.Failure) -> String {
        var text = failure.message
        if failure.attempts > 1 { text += " (\(Times.grouped(failure.attempts)) times in a row)" }
        if let next = failure.nextAttemptAt {
            text += "; next try \(Times.ahead(next, from: now))"
        } else if failure.kind == "offline", entry.watched {
            text += "; next try once the way is back"
        }
        return text
    }

    static func flags(of record: Interface.Record?) -> String {
        [
            record?.mobile == true ? "mobile" : nil, record?.proxy == true ? "proxy" : nil,
            record?.hosting == true ? "hosting" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// "UTC+1", "UTC-3:30".
    private static func offset(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60 % 60
        let tail = minutes == 0 ? "" : minutes < 10 ? ":0\(minutes)" : ":\(minutes)"
        return "UTC\(seconds < 0 ? "-" : "+")\(abs(seconds) / 3_600)\(tail)"
    }
}
