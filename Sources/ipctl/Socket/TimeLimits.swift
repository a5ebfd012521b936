/// The limits on the time for which this program waits for the daemon.
struct TimeLimits {
    /// Time without a byte from the daemon after which a call fails; nil for no limit.
    var silence: Duration? = TimeLimits.usualSilence
    /// The deadline of all waits; nil for none.
    var deadline: Deadline?

    /// The default time without a byte: a working daemon replies within milliseconds, and a person waits for a few
    /// seconds.
    static let usualSilence = Duration.seconds(10)

    /// Returns the end of a wait that begins now.
    ///
    /// - Parameter addition: the time that the daemon was asked to wait before it replies.
    func end(after addition: Duration = .zero) -> Deadline? {
        [silence.map { Deadline(in: $0 + addition) }, deadline].compactMap { $0 }.min { $0.isBefore($1) }
    }
}

extension TimeLimits {
    /// - Parameter timeout: the duration given with `--timeout`, which replaces the default limit.
    init(timeout: TimeSpan?) {
        deadline = timeout.map { Deadline(in: .milliseconds($0.milliseconds)) }
        if timeout != nil { silence = nil }
    }
}
