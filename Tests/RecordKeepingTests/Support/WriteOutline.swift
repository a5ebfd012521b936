@testable import RecordKeeping

/// A write of a commit as a test states it.
enum WriteOutline: Hashable, Sendable {
    case put(IPAddress)
    case remove(IPAddress)
    case event(PublishedEvent.Kind, IPAddress? = nil)
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
            case .put(let address, _, scanReplaced: _): .put(address)
            case .remove(let address): .remove(address)
            case .event(let event): .event(event.kind, event.address)
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

    /// The writes that remove addresses without a record from the watch list.
    static func removing(_ addresses: some Sequence<IPAddress>) -> [WriteOutline] {
        addresses.flatMap { [.remove($0), .event(.removed, $0)] }
    }
}
