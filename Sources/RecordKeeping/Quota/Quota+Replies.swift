/// The window that a reply refers to, however long the reply took.
extension Quota {
    enum ReferredWindow {
        /// A window that has ended.
        case over
        /// A window that has ended, or the open one.
        case unsure
        /// The open window or a later one. The reply does not show when the window ends, because the machine was
        /// suspended before the reply arrived, and the provider may have replied at any time.
        case openOrLater
        /// The open window. Other replies have already reported its end.
        case present(QuotaCount, end: ReportedEnd)
        /// A later window, or the first that any reply has reported, or one whose end was only presumed.
        case another
    }

    /// Returns the window that a reply refers to. The earliest ends that replies of one window report differ by at most
    /// `maxDeliveryTime`, because of rounding and the travel time of the calls.
    func window(endingAt end: ReportedEnd, sentAt: BootTime, at now: BootTime) -> ReferredWindow {
        if case .reported(let count, let known) = window {
            if end.latest + Self.maxDeliveryTime < known.earliest { return .over }
            if end.earliest > min(known.latest, known.earliest + Self.maxDeliveryTime) { return .another }
            if end.earliest + Self.maxDeliveryTime < known.earliest { return .unsure }
            return now - sentAt > Self.maxReplyTime ? .openOrLater : .present(count, end: known)
        }
        if let previousEnd, sentAt < previousEnd.latest, end.earliest <= previousEnd.earliest + Self.maxDeliveryTime {
            // The next window has the same length.
            return end.latest + Self.maxDeliveryTime < previousEnd.earliest + maxReported ? .over : .unsure
        }
        if case .presumed = window, let presumedAt, sentAt < presumedAt, end.earliest < presumedAt { return .unsure }
        return .another
    }
}
