/// How exact what is known of a window is.
extension Quota {
    /// `X-Ttl` is in whole seconds: the window is over one second after it says.
    static let roundingOfTtl = Duration.seconds(1)
    /// A call that is answered has got there by then, also where a connection had to be made: a request takes ten seconds, and
    /// what is told is rounded.
    static let longestWay = Duration.seconds(11)
    /// A reply that took longer than that was slept over.
    static let longestReply = Duration.seconds(15)
    /// A reservation that no call has used by then is for a window that nobody has begun, and is made anew.
    static let longestReservation = Duration.seconds(30)
    /// A request that was given up may still arrive: what is in the kernel's buffers is sent, whoever waits for the reply.
    static let longestTravel = Duration.seconds(2)
    /// An `X-Ttl` above this is no window of requests a minute, but nonsense.
    static let longestWindow = Duration.seconds(86_400)
}
