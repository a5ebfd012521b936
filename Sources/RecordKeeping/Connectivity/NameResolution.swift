/// The resolutions of the provider's name, of which at most one is in progress at a time.
///
/// A resolution can take many seconds, and its result may already be outdated when it ends. Therefore, if a resolution
/// is requested while one is in progress, another one follows.
struct NameResolution: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case idle
        case inProgress
        /// The resolution in progress began before the latest request, so another one follows it.
        case outdated
    }

    private(set) var state = State.idle
    /// The beginning of the latest resolution; nil before the first.
    private(set) var lastBegan: BootTime?

    /// Requests a resolution that begins now or later.
    ///
    /// - Returns: whether to begin the resolution now.
    mutating func request(at now: BootTime) -> Bool {
        guard state == .idle else {
            state = .outdated
            return false
        }
        state = .inProgress
        lastBegan = now
        return true
    }

    /// Ends the resolution in progress.
    ///
    /// - Returns: whether its result is up to date; if not, another resolution has been requested in the meantime.
    mutating func ended() -> Bool {
        defer { state = .idle }
        return state != .outdated
    }

    /// Returns whether the latest resolution began at least this long ago, or none has begun yet.
    func isOlder(than age: Duration, at now: BootTime) -> Bool {
        lastBegan.map { now - $0 >= age } ?? true
    }
}
