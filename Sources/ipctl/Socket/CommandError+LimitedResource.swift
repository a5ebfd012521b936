import RecordKeeping

extension CommandError {
    /// The error for a request that exceeds a limit of the daemon.
    ///
    /// - Parameters:
    ///   - limit: the limit, as text.
    ///   - resource: the limited resource; nil if the daemon does not name one that is known.
    init(exceeding limit: String, of resource: LimitedResource?) {
        let (message, advice) =
            switch resource {
            case .watchedAddresses:
                ("the watch list would exceed its limit of \(limit) addresses", "Remove addresses that are not needed.")
            case .addressesPerRequest:
                ("the request exceeds the limit of \(limit) addresses", "Use fewer addresses at once.")
            case .watchedNames:
                ("more than the limit of \(limit) host names would be watched", "Remove names that are not needed.")
            case .namesPerRequest:
                ("the request exceeds the limit of \(limit) host names", "Use fewer names at once.")
            case .tagsPerEntry:
                ("an entry would exceed the limit of \(limit) tags", "Remove tags that are not needed.")
            case .pageSize:
                ("the request exceeds the limit of \(limit) elements", "Use a lower --limit.")
            case .groups:
                ("the count has more than the limit of \(limit) groups", "Count by another field, or use a filter.")
            case .lookups:
                (
                    "the request exceeds the limit of \(limit) lookups of addresses that are not watched",
                    "Use fewer addresses at once, or wait until earlier lookups expire."
                )
            case .listeners:
                (
                    "the limit of \(limit) clients that receive events is reached",
                    "Try again when another client has disconnected."
                )
            case .waitingRequests:
                ("the limit of \(limit) waiting requests is reached", "Try again later.")
            case .queuedChanges:
                ("the limit of \(limit) queued changes is reached", "Try again later.")
            case nil:
                (
                    "the request exceeds the daemon's limit of \(limit)",
                    "Use fewer addresses at once, or wait until earlier lookups expire."
                )
            }
        self.init(status: .tryLater, message: message, advice: advice)
    }
}
