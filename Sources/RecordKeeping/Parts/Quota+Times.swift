/// How exact what is known of a window is.
extension Quota {
    /// `X-Ttl` is in whole seconds: the window is over one second after it says.
    static let roundingOfTtl = Duration.seconds(1)
    /// Ends that are told of one window differ by the rounding and by the time that the replies took.
    static let tolerance = Duration.seconds(2)
    /// A reservation that no call has used by then is for a window that nobody has begun, and is made anew.
    static let longestReservation = Duration.seconds(30)
    /// A request that was given up may still arrive: what is in the kernel's buffers is sent, whoever waits for the reply.
    static let longestTravel = Duration.seconds(2)
    /// An `X-Ttl` above this is no window of requests a minute, but nonsense.
    static let longestWindow = Duration.seconds(86_400)
}
