import RecordKeeping

/// Reading the journal.
extension Member {
    /// - Parameter asked: the cursor of the poll. The cursor of a leader may have moved since.
    mutating func polled(_ reply: PollReply, after asked: JournalCursor, sentAt: BootTime, at now: BootTime) {
        let isMissing = isMissing(asked, in: reply)
        checkHistory(reply.server, reply.fleet, isMissing: isMissing, at: now)
        journalEnd = reply.last.seq
        observe(reply.fleet, sentAt: sentAt, at: now)
        guard case .member = registration else { return }
        // The rest of the reply belongs to another history.
        guard raise == nil else { return }
        guard !isMissing, reply.cursorID == asked.id else {
            (needsSnapshot, isCaughtUp) = (true, false)
            if tenure != nil { stepDown(at: now) }
            return
        }
        // The journal contains the cursor, so no snapshot is needed, even if one was needed in another history.
        if asked == cursor { (cursorIncarnation, needsSnapshot) = (reply.fleet.incarnation, false) }
        if tenure?.phase == .leading { execute(reply.proposals, sentAt: sentAt) }
        // A leader learns the outcome of its commit from the reply to the transaction.
        guard asked == cursor, append == nil, applying == nil, tenure?.phase ?? .assuming == .assuming else { return }
        follow(reply.rows, to: reply.last, in: reply.fleet.incarnation, at: now)
        isCaughtUp = reply.rows.isEmpty && reply.last == cursor
        leadIfReady(pollSentAt: sentAt, lastIncarnation: reply.lastIncarnation, at: now)
    }

    /// Whether the journal has lost the row of a cursor. Rows that were swept are not lost.
    private func isMissing(_ cursor: JournalCursor, in reply: PollReply) -> Bool {
        if reply.last.seq < cursor.seq { return true }
        return cursor.seq >= reply.first && reply.cursorID != cursor.id && cursor != .start
    }

    /// Passes rows to the local store.
    ///
    /// - Parameter end: the last row of the journal. A poll is limited in rows and in bytes, so it may not reach it.
    private mutating func follow(
        _ rows: [JournalRow], to end: JournalCursor, in incarnation: Incarnation, at now: BootTime
    ) {
        guard let first = rows.first else { return }
        guard first.previous == cursor.id, first.seq == cursor.seq + 1 else {
            (needsSnapshot, isCaughtUp) = (true, false)
            return
        }
        for row in rows { clocks.show(LeaderTime(term: row.term, clock: row.clock), at: now) }
        let readable = rows.prefix { $0.encoding <= settings.identity.encoding }
        if let last = readable.last {
            applying = (last.cursor, incarnation)
            emit(.apply(Array(readable), in: incarnation, commit: nil))
            note(readable)
            decide(readable.flatMap(\.outcomes), isConfirmed: false)
            if last.cursor != end { nextPoll = now }
        }
        if readable.count < rows.count {
            let encoding = rows[readable.count].encoding
            emit(.alert(.unknownEncoding(encoding)))
            stop(.unknownEncoding(encoding), at: now)
        }
    }

    /// Remembers the ids of rows.
    mutating func note(_ rows: some Collection<JournalRow>) {
        recent += rows.map(\.cursor)
        starts.extend(by: rows)
        if recent.count > 2 * FleetLimits.rememberedRows {
            recent.removeFirst(recent.count - FleetLimits.rememberedRows)
        }
    }

    mutating func applied(_ stored: JournalCursor, at now: BootTime) {
        cursor = stored
        if let applying, applying.cursor == stored {
            cursorIncarnation = applying.incarnation
            self.applying = nil
        }
        concludeDecided()
        // An assuming node has to see the end of the journal at once.
        if tenure?.phase == .assuming { nextPoll = now }
    }

    /// Replaces the local state with a snapshot, and reports lost commits and missing events.
    mutating func replace(by snapshot: FleetSnapshot, at now: BootTime) {
        checkHistory(snapshot.server, snapshot.fleet, isMissing: false, at: now)
        guard raise == nil else { return }
        needsSnapshot = false
        let common = lastCommonNumber(with: snapshot)
        if common < cursor.seq {
            emit(.alert(.commitsLost(common + 1...cursor.seq)))
            proposeAgain(above: common, until: now)
        }
        let base = min(common, cursor.seq)
        let missing =
            cursor != .start && snapshot.cursor.seq > base ? base + 1...snapshot.cursor.seq : nil
        (recent, starts) = (snapshot.recent, snapshot.starts)
        applying = (snapshot.cursor, snapshot.fleet.incarnation)
        emit(.replace(snapshot, missing: missing))
        decide(snapshot.outcomes, isConfirmed: false)
        sweeps.forget()
        nextPoll = now
    }

    /// The number of the last row that both this node and the snapshot have.
    private func lastCommonNumber(with snapshot: FleetSnapshot) -> Int64 {
        let common = starts.lastCommonNumber(
            endingAt: cursor.seq, with: snapshot.starts, endingAt: snapshot.cursor.seq)
        guard let oldest = snapshot.recent.first, cursor.seq >= oldest.seq else { return common }
        // If a server has lost commits and continues its timeline, the rows of one incarnation can differ.
        let known = recent.suffix(while: { $0.seq >= oldest.seq })
        let ids = Set(known)
        if let last = snapshot.recent.last(where: { ids.contains($0) }) { return last.seq }
        return min(common, max(oldest.seq, known.first?.seq ?? oldest.seq) - 1)
    }

    // MARK: The fleet's row

    /// Compares the server and the incarnation with what this node has seen.
    mutating func checkHistory(_ server: ServerID, _ row: FleetRow, isMissing: Bool, at now: BootTime) {
        raise = nil
        let isOutdated = row.incarnation.isOutdated(by: incarnation)
        if row.server != server || isOutdated || (isMissing && row.incarnation == cursorIncarnation) {
            let number = max(row.incarnation.number, incarnation.number) + 1
            raise = .raiseIncarnation(
                from: row.incarnation, server: row.server, newServer: server,
                to: Incarnation(number: number, id: drawID()))
        }
        if row.incarnation.number > incarnation.number {
            incarnation = row.incarnation
            emit(.saveIncarnation(incarnation))
            clocks = LeaderClocks()
            pollTimes.forget()
            for index in requests.indices {
                // Its row has been deleted.
                if requests[index].phase == .proposed { requests[index].phase = .waiting }
                // Its outcome may be lost.
                requests[index].isConfirmed = false
            }
        }
    }

    /// Compares the lease in the fleet's row with the node's own, and observes the leader's silence and clock.
    private mutating func observe(_ row: FleetRow, sentAt: BootTime, at now: BootTime) {
        if row.leader != nil, raise == nil { observeClock(row, at: now) }
        pollTimes.add(row, sentAt: sentAt)
        fleet = row
        guard let run else { return }
        if let tenure {
            // An earlier request may show the state before the takeover.
            guard sentAt >= tenure.since else { return }
            let fence = Fence(term: row.term, leader: row.leader ?? run, incarnation: row.incarnation)
            if fence != tenure.fence || row.leader == nil || raise != nil { stepDown(at: now) }
        } else if row.leader == run, isNew(row), raise == nil {
            assume(
                Fence(term: row.term, leader: run, incarnation: row.incarnation), isHandedOver: row.isHandedOver,
                at: now)
        }
        guard tenure == nil else { return }
        if silence == nil { silence = Silence(row, at: now) } else { silence?.read(row, at: now) }
    }

    private mutating func observeClock(_ row: FleetRow, at now: BootTime) {
        guard row.clock.nanoseconds != 0 else { return }
        let time = LeaderTime(term: row.term, clock: row.clock)
        clocks.show(time, at: now)
        if let earlier = pollTimes.lastBefore(row.term) { clocks.begin(row.term, after: earlier, at: now) }
        if let earlier = pollTimes.lastBefore(beat: row.knownBeat, of: row.term) {
            clocks.bound(time, after: earlier, at: now)
        }
    }
}

extension Array {
    /// Returns the last elements that all satisfy the condition.
    fileprivate func suffix(while condition: (Element) -> Bool) -> ArraySlice<Element> {
        let start = lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex
        return self[start...]
    }
}
