import RecordKeeping

/// The configuration of a member, and what its state directory contains.
package struct MemberSettings: Sendable {
    package var identity: NodeIdentity
    /// The time limit of a call.
    package var requestTimeout: Duration
    package var journalRetention = FleetLimits.journalRetention
    package var outcomeRetention = FleetLimits.outcomeRetention
    package var rowsPerSweep = FleetLimits.rowsPerSweep
    /// The last row in the local store; `.start` if there is none.
    package var cursor: JournalCursor
    /// The last rows in the local store, oldest first.
    package var recent: [JournalCursor]
    /// The first row of each incarnation up to the last row in the local store, oldest first.
    package var starts: [IncarnationStart]
    /// The incarnation in which the journal contained the last row or snapshot in the local store; `.none` if there is
    /// none.
    package var cursorIncarnation: Incarnation
    /// The last incarnation that the node has seen; `.none` if it has not seen any.
    package var incarnation: Incarnation

    package init(
        identity: NodeIdentity, requestTimeout: Duration, cursor: JournalCursor, recent: [JournalCursor],
        starts: [IncarnationStart], cursorIncarnation: Incarnation, incarnation: Incarnation
    ) {
        (self.identity, self.requestTimeout) = (identity, requestTimeout)
        (self.cursor, self.recent, self.starts) = (cursor, recent, starts)
        (self.cursorIncarnation, self.incarnation) = (cursorIncarnation, incarnation)
    }

    /// The time after which every call of an earlier leader has ended: it may be sent two seconds after the last
    /// confirmation, on a clock that is slower.
    var drain: Duration { (FleetLimits.callPermission + requestTimeout) * FleetLimits.clockRatio }
}
