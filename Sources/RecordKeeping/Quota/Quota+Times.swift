/// Bounds on how precisely the times of a window are known.
extension Quota {
    /// `X-Ttl` is rounded down to whole seconds, so a window ends up to one second later.
    static let roundingOfTtl = Duration.seconds(1)
    /// Maximum time from sending a call to its arrival, if it is answered: ten seconds for a request, connection set-up
    /// included, and one second for rounding.
    static let maxDeliveryTime = Duration.seconds(11)
    /// Maximum time from sending a call to its reply. If a reply takes longer, the machine was suspended in the
    /// meantime.
    static let maxReplyTime = Duration.seconds(15)
    /// Time after which an unused reservation expires. By then, no call has begun the reservation's window, so a new
    /// reservation is made.
    static let maxReservationAge = Duration.seconds(30)
    /// Maximum time after which an abandoned request may still arrive: the kernel sends the data in its buffers, even
    /// if no process waits for the reply.
    static let maxTravelTime = Duration.seconds(2)
    /// Maximum plausible `X-Ttl`; a larger value is reduced to it.
    static let maxWindow = Duration.seconds(86_400)
}
