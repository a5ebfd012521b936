/// The range of times in which a window ends, as replies reported it.
///
/// The provider computed `X-Ttl` when the call arrived, at some time between the sending of the call and the arrival of
/// the reply.
struct ReportedEnd: Hashable, Sendable {
    let earliest: BootTime
    let latest: BootTime

    /// The overlap with another range. Both contain the true end, however slow the replies were.
    func narrowed(to other: ReportedEnd) -> ReportedEnd {
        ReportedEnd(earliest: max(earliest, other.earliest), latest: min(latest, other.latest))
    }
}

extension ReportedEnd {
    /// - Parameter ttl: `X-Ttl`, which the provider rounds down.
    init(in ttl: Duration, sentAt: BootTime, at now: BootTime) {
        self.init(earliest: sentAt + ttl, latest: now + ttl + Quota.roundingOfTtl)
    }
}
