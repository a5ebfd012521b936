import Control

/// A card with the daemon's status.
struct StatusCard {
    let status: Control.Status.Reply
    let now: Int64

    func lines(on terminal: Terminal) -> [String] {
        var card = Card(
            title: "iprecordd \(status.version)",
            subtitle: "up \(Times.span(milliseconds: now.clampedSubtracting(status.startedAt)))")
        addNetwork(to: &card)
        addProvider(to: &card)
        addEntries(to: &card)
        addSchedule(to: &card)
        let store = status.store
        card.add(
            "Store",
            "\(store.path), \(Self.size(store.bytes)), \(Times.count(Int(store.changes), "change")), "
                + "last event \(store.lastSeq)")
        if store.state == "failing" {
            card.add("", "changes cannot be written: \(store.message ?? "no reason given")", .bad)
        }
        addDatabases(to: &card)
        if !status.administrator, status.user != 0 {
            card.add("You", "user \(status.user), without permission to change the watch list")
        }
        return card.lines(on: terminal)
    }

    private func addNetwork(to card: inout Card) {
        guard !status.provider.isLocal else {
            return card.add("Network", "not needed: the records come from local databases")
        }
        let network = status.network
        let since = "since \(Times.clock(network.since, from: now))"
        if network.state == "online" {
            card.add("Network", "online \(since)", .good)
        } else {
            card.add("Network", "offline \(since): \(network.reason ?? "no route to the provider")", .bad)
        }
    }

    private func addProvider(to card: inout Card) {
        let provider = status.provider
        let style: TextStyle? =
            switch provider.state {
            case "ok": .good
            case "idle": nil
            case "throttled": .caution
            default: .bad
            }
        let name = provider.isLocal ? "local databases" : provider.endpoint
        card.add("Provider", "\(name), \(provider.state) since \(Times.clock(provider.since, from: now))", style)
        card.add("", provider.message, style)
        // The state of a single endpoint matters only if it differs from the state of the provider.
        for endpoint in provider.endpoints where endpoint.state != provider.state && endpoint.state != "idle" {
            let message = endpoint.message.map { ": \($0)" } ?? ""
            card.add(
                "", "\(endpoint.name): \(endpoint.state) since \(Times.clock(endpoint.since, from: now))\(message)")
        }
        card.add("Proxy", provider.proxy)
        let failed = provider.failures == 0 ? "none" : Times.grouped(provider.failures)
        var calls = provider.calls == 0 ? "none yet" : "\(Times.grouped(provider.calls)), of which \(failed) failed"
        if let lastCallAt = provider.lastCallAt { calls += "; the last \(Times.ago(lastCallAt, from: now))" }
        card.add("Calls", calls)
        for quota in provider.quotas {
            card.add("Quota, \(quota.name)", sentence(quota))
        }
    }

    private func sentence(_ quota: Interface.Quota) -> String {
        guard let limit = quota.limit else { return "no limit reported" }
        var text = "\(quota.remaining ?? limit) of \(limit) left"
        if let resetsAt = quota.resetsAt { text += "; resets \(Times.ahead(resetsAt, from: now))" }
        return text
    }

    private func addEntries(to card: inout Card) {
        let entries = status.entries
        var watched = Times.count(entries.watched, "address")
        if entries.pinned > 0 { watched += ", \(Times.grouped(entries.pinned)) pinned" }
        if entries.cached > 0 { watched += "; \(Times.grouped(entries.cached)) more looked up" }
        card.add("Watched", watched)
        let states = [
            (entries.fresh, "fresh"), (entries.stale, "stale"), (entries.loading, "loading"), (entries.empty, "empty"),
            (entries.failed, "failed"),
        ]
        let parts = states.filter { $0.0 > 0 }.map { "\(Times.grouped($0.0)) \($0.1)" }
        card.add("States", parts.joined(separator: ", "))
        guard let names = status.names, names.watched > 0 else { return }
        let failing = names.failing == 0 ? "" : ", of which \(Times.grouped(names.failing)) cannot be resolved"
        card.add("Names", Times.count(names.watched, "host name") + failing, names.failing == 0 ? nil : .caution)
    }

    private func addSchedule(to card: inout Card) {
        let refresh = status.refresh
        card.add("Refresh", refreshSentence(NextRefresh(status, at: now)))
        guard let load = refresh.load else { return }
        let excess = load > 1 ? ": more than the provider allows, so records grow older than they should" : ""
        card.add("Load", "\(Times.percent(load)) of the quota\(excess)", load > 1 ? .bad : nil)
    }

    /// Due refreshes come first, because they show whether the daemon keeps up.
    private func refreshSentence(_ next: NextRefresh) -> String {
        let refresh = status.refresh
        let every =
            status.provider.isLocal
            ? "when the databases change" : "every \(Times.span(milliseconds: refresh.interval))"
        let inFlight = refresh.inFlight > 0 ? ", \(Times.grouped(refresh.inFlight)) in flight" : ""
        let due = "\(Times.grouped(refresh.due)) due"
        switch next {
        case .nothing: return every + inFlight
        case .deadline(let time): return "\(every), next \(Times.ahead(time, from: now))\(inFlight)"
        case .route: return "\(due), waiting for a route to the provider\(inFlight); \(every)"
        case .quota(let resetsAt):
            let reset = resetsAt.map { ", which resets \(Times.ahead($0, from: now))" } ?? ""
            return "\(due), waiting for the quota\(reset)\(inFlight); \(every)"
        case .due(let time):
            let more = time.map { ", more \(Times.ahead($0, from: now))" } ?? ""
            return "\(due)\(more)\(inFlight); \(every)"
        }
    }

    private func addDatabases(to card: inout Card) {
        let label = status.provider.isLocal ? "Databases" : "Offline"
        for (index, database) in (status.databases ?? []).enumerated() {
            card.add(index == 0 ? label : "", "\(database.path), \(database.version(at: now))")
            card.add("", database.message, .bad)
        }
    }

    private static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1_048_576: "\(max(1, bytes / 1_024)) KiB"
        case ..<1_073_741_824: "\(bytes / 1_048_576) MiB"
        default: "\(bytes / 1_073_741_824) GiB"
        }
    }
}
