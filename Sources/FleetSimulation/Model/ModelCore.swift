import Fleet
import RecordKeeping

/// A small core in place of the daemon's: it refreshes the records of a watch list within a quota.
///
/// Every node has one. It decides only while its node leads.
struct ModelCore {
    struct Settings {
        let interval: Duration
        /// The calls that a quota window allows, and its length.
        let quota: Int
        let window: Duration
        let requestTimeout: Duration
    }

    /// A call that is reserved.
    private struct Reserved {
        let address: Int
        /// The number of the call; nil while it waits for permission.
        var call: Int?
    }

    /// Connections to the provider.
    static let maxConnections = 2

    let settings: Settings
    var state: ModelState
    /// The times of the records on this node's clock, as far as they were known when the records were applied.
    var times: [OwnTimeBounds?]

    private var leadership: Leadership?
    private var leadingSince = BootTime(nanoseconds: 0)
    /// The time from which a new quota window is certain, on this node's clock; nil if no call was made in this one.
    private var windowEnd: BootTime?
    private var left = 0
    private var reserved: [Reserved] = []
    private var retryAt: [Int: BootTime] = [:]
    private var mayCall = true
    private var isStopping = false

    private var changes: [(change: ModelChange, id: UniqueID)] = []
    private var records: [ModelRecord] = []
    /// The commit in flight, with the proposals in it.
    private var committing: (commit: ModelCommit, changes: [(ModelChange, UniqueID)])?
    private var lastCommit: Int64 = 0

    init(settings: Settings, state: ModelState, times: [OwnTimeBounds?]) {
        (self.settings, self.state, self.times) = (settings, state, times)
    }

    var isLeading: Bool { leadership != nil }
    /// Whether no call is in flight and nothing waits for a commit.
    var hasStopped: Bool {
        isStopping && reserved.isEmpty && committing == nil && records.isEmpty && changes.isEmpty
    }

    // MARK: Role

    mutating func lead(_ leadership: Leadership, at now: BootTime) {
        self.leadership = leadership
        (leadingSince, isStopping) = (now, false)
        left = leadership.isQuotaKnown ? state.left : 0
        // A call of the predecessor may open a window until it has ended.
        let lastArrival = max(leadership.affectedFrom, now + settings.requestTimeout * FleetLimits.clockRatio)
        windowEnd = lastArrival + settings.window * (1 + FleetLimits.clockDrift * 2)
    }

    mutating func stopCalls() {
        isStopping = true
        reserved.removeAll { $0.call == nil }
    }

    mutating func follow() {
        leadership = nil
        (reserved, changes, records, committing) = ([], [], [], nil)
    }

    // MARK: Commits

    mutating func execute(_ change: ModelChange, id: UniqueID) {
        changes.append((change, id))
    }

    /// Applies the commit of a row.
    mutating func apply(_ commit: ModelCommit, isOwn: Bool, member: Member, at now: BootTime) {
        state.apply(commit)
        for record in commit.records { times[record.address] = member.bounds(of: record.time, at: now) }
        if isOwn, leadership != nil {
            committing = nil
            if !isStopping { reserved += commit.reserved.map { Reserved(address: $0) } }
        }
    }

    mutating func replace(by new: ModelState, member: Member, at now: BootTime) {
        for (address, entry) in new.entries.enumerated() where entry.record != state.entries[address].record {
            times[address] = entry.record.map { member.bounds(of: $0.time, at: now) }
        }
        state = new
    }

    mutating func commitFailed(_ failure: FleetCommitFailure) {
        guard let failed = committing else { return }
        committing = nil
        switch failure {
        case .leaseLost: break
        case .outcomesKnown(let ids):
            changes = failed.changes.filter { !ids.contains($0.1) } + changes
            records = failed.commit.records + records
        case .refused:
            changes = failed.changes + changes
            records = failed.commit.records + records
        }
    }

    /// Returns the next commit, if there is anything to commit.
    mutating func nextCommit(member: Member, at now: BootTime) -> (CommitID, ModelCommit, [UniqueID])? {
        guard leadership != nil, committing == nil else { return nil }
        refill(at: now)
        let due = isStopping ? [] : dueAddresses(member: member, at: now)
        guard !changes.isEmpty || !records.isEmpty || !due.isEmpty else { return nil }
        left -= due.count
        let commit = ModelCommit(changes: changes.map(\.change), records: records, reserved: due, left: left)
        lastCommit += 1
        committing = (commit, changes)
        let ids = changes.map(\.id)
        (changes, records) = ([], [])
        return (CommitID(lastCommit), commit, ids)
    }

    private mutating func refill(at now: BootTime) {
        guard reserved.isEmpty, windowEnd.map({ $0 <= now }) ?? false else { return }
        (left, windowEnd) = (settings.quota, nil)
    }

    // MARK: Records

    /// Returns the bounds of the time of a record, as far as they are known now.
    func time(of address: Int, member: Member, at now: BootTime) -> OwnTimeBounds? {
        guard let record = state.entries[address].record, let stored = times[address] else { return nil }
        let known = member.bounds(of: record.time, at: now)
        let earliest = [stored.earliest, known.earliest].compactMap { $0 }.max()
        return OwnTimeBounds(earliest: earliest, latest: min(stored.latest, known.latest))
    }

    /// Whether the record of an address is fresh: its longest age is below the interval.
    func isFresh(_ address: Int, member: Member, at now: BootTime) -> Bool {
        guard let earliest = time(of: address, member: member, at: now)?.earliest else { return false }
        return now - earliest < settings.interval
    }

    private func dueAddresses(member: Member, at now: BootTime) -> [Int] {
        guard mayCall, let leadership else { return [] }
        var room = min(left, Self.maxConnections - reserved.count)
        var due: [Int] = []
        for address in state.entries.indices where room > 0 && state.entries[address].isWatched {
            guard !reserved.contains(where: { $0.address == address }),
                !records.contains(where: { $0.address == address }),
                retryAt[address].map({ $0 <= now }) ?? true
            else { continue }
            let time = time(of: address, member: member, at: now)
            if let time, now - time.latest < settings.interval { continue }
            // The predecessor may have called it as well.
            let isUnaffected = time?.earliest.map { $0 + settings.interval > leadingSince } ?? false
            guard isUnaffected || now >= leadership.affectedFrom else { continue }
            due.append(address)
            room -= 1
        }
        return due
    }

    /// The next time at which an address is due or a window ends; nil if there is none.
    func nextDeadline(member: Member, at now: BootTime) -> BootTime? {
        guard let leadership else { return nil }
        var next: [BootTime?] = [windowEnd, leadership.affectedFrom, reserved.isEmpty ? nil : now + .milliseconds(200)]
        for address in state.entries.indices where state.entries[address].isWatched {
            next.append(time(of: address, member: member, at: now).map { $0.latest + settings.interval })
            next.append(retryAt[address])
        }
        return next.compactMap { $0 }.filter { $0 > now }.min()
    }

    // MARK: Calls

    mutating func routeChanged(hasRoute: Bool) { mayCall = hasRoute }

    var hasUnsentCalls: Bool { reserved.contains { $0.call == nil } }

    /// Returns the reserved addresses to call now. The caller has checked the permission.
    ///
    /// - Parameter number: the number of the last call.
    mutating func calls(number: inout Int) -> [(address: Int, call: Int)] {
        guard mayCall, !isStopping else { return [] }
        var calls: [(address: Int, call: Int)] = []
        for index in reserved.indices where reserved[index].call == nil {
            number += 1
            reserved[index].call = number
            calls.append((reserved[index].address, number))
        }
        return calls
    }

    /// Returns whether the call belongs to this leadership.
    mutating func callEnded(
        _ address: Int, call: Int, record: ModelRecord?, untilReset: Duration?, at now: BootTime
    ) -> Bool {
        guard leadership != nil, let index = reserved.firstIndex(where: { $0.call == call }) else { return false }
        reserved.remove(at: index)
        // Without a reply, the call may have opened a window as late as now.
        let end = now + (untilReset ?? settings.window) * (1 + FleetLimits.clockDrift * 2)
        windowEnd = max(windowEnd ?? end, end)
        if let record {
            records.append(record)
            retryAt[address] = nil
        } else {
            retryAt[address] = now + .seconds(5)
        }
        return true
    }
}
