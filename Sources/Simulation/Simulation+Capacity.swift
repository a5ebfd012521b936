import RecordKeeping

/// The checks of the limits of lookups, listeners and waiting requests.
extension Simulation {
    /// Records the lookups of a request by a user without administrative rights.
    mutating func noteLookups(of request: Request) {
        guard case .show(let addresses, _) = request.body, !request.isByAdministrator else { return }
        let isFull = (lookups(besides: addresses) ?? 0) > settings.capacity.lookups
        run?.lookups.asked(addresses, at: now)
        if isFull { promises.openRequests.mayHaveDisplaced() }
    }

    /// Returns the largest number of lookups that may exist after a request for these addresses; nil if no process is
    /// running.
    private mutating func lookups(besides addresses: [IPAddress]) -> Int? {
        run?.lookups.count(besides: addresses, interval: settings.interval, on: disk, at: now)
    }

    /// Checks that a request is refused only if the limited resource is used up.
    mutating func checkLimit(_ refusal: Refusal, of request: Request.ID) throws(Violation) {
        guard case .tooMany(_, let resource) = refusal, let body = run?.requests[request] else { return }
        let capacity = settings.capacity
        switch resource {
        case .lookups:
            guard case .show(let addresses, _) = body.body else { return }
            coverage.count("refused: tooMany lookups")
            guard !body.isByAdministrator else {
                throw broken("an administrator's lookups have no limit", "\(addresses.count) lookups were refused")
            }
            guard let count = lookups(besides: addresses), count <= capacity.lookups else { return }
            throw broken("lookups are refused only if there are too many", "there were at most \(count)")
        case .listeners:
            coverage.count("refused: tooMany listeners")
            let limit = capacity.listeners + (body.isByAdministrator ? capacity.reserve : 0)
            let count = run?.keeper.footprint.listeners ?? 0
            guard count < limit else { return }
            throw broken("listeners are refused only if there are too many", "there were \(count), of \(limit)")
        default: return
        }
    }
}
