@testable import RecordKeeping

/// A write of a commit as a test states it.
enum WriteOutline: Hashable, Sendable {
    /// A new cohort, or the new time of a cohort.
    case cohort(Int64)
    /// An entry. If the answer of a reply replaces its record, `cohort` is the cohort to which the answer belongs.
    case put(IPAddress, cohort: Int64? = nil)
    /// The move of records, identified by the ids of their entries.
    case move([Int64], to: Int64)
    case remove(IPAddress)
    case removeCohort(Int64)
    case removeObsolete(Int64)
    case event(PublishedEvent.Kind, IPAddress? = nil)
    case name(HostName, [IPAddress])
    case removeName(HostName)
    /// The state of the provider, its quota windows and the route.
    case health
    case outage
    /// The history's clock, marks and deletions.
    case history
    case alertsLogged(through: Int64)
    case hasFileEntries(Bool)

    /// Returns the outlines of the writes of a commit. Consecutive writes of the history, or of the health, have one
    /// outline.
    static func outlines(of writes: [Commit.Write]) -> [WriteOutline] {
        writes.map(WriteOutline.init).reduce(into: []) { outlines, next in
            if next != outlines.last || next != .health && next != .history { outlines.append(next) }
        }
    }

    private init(_ write: Commit.Write) {
        self =
            switch write {
            case .cohort(let id, at: _, provider: _, version: _): .cohort(id.number)
            case .put(let key, _, let cohort): .put(key.address, cohort: cohort?.number)
            case .move(let records, let cohort): .move(records.map(\.number), to: cohort.number)
            case .remove(let key): .remove(key.address)
            case .removeCohort(let id): .removeCohort(id.number)
            case .removeObsolete(let id): .removeObsolete(id.number)
            case .event(let event): .event(event.kind, event.address)
            case .putName(let saved): .name(saved.name, saved.watch.addresses)
            case .removeName(let name): .removeName(name)
            case .window, .health, .networkLoss: .health
            case .outage: .outage
            case .forgetHistory, .historyMark, .historyClock: .history
            case .alertsLogged(let seq): .alertsLogged(through: seq)
            case .hasFileEntries(let has): .hasFileEntries(has)
            }
    }
}

extension [WriteOutline] {
    /// The writes that add addresses to the watch list.
    static func adding(_ addresses: some Sequence<IPAddress>) -> [WriteOutline] {
        addresses.flatMap { [.put($0), .event(.added, $0)] }
    }

    /// The writes of a reply whose answers are new or have changed.
    static func records(of addresses: some Sequence<IPAddress>, cohort: Int64) -> [WriteOutline] {
        [.cohort(cohort)] + addresses.map { .put($0, cohort: cohort) }
    }

    /// The writes that remove addresses without a record from the watch list.
    static func removing(_ addresses: some Sequence<IPAddress>) -> [WriteOutline] {
        addresses.flatMap { [.remove($0), .event(.removed, $0)] }
    }
}
