import Logging
import RecordKeeping

/// A log of the clients' changes to the watch list, with the user of each client.
///
/// A request is noted when it arrives and logged when it is answered, so that a refused or failed change is not logged.
/// It is answered even if its client has disconnected. The rate is limited, because journald would drop the alerts that
/// follow thousands of lines; the events of all changes are kept.
struct ClientChangeLog {
    private let log: Logger
    private var rateLimit: RateLimit
    private var pending: [Request.ID: ClientChange] = [:]
    /// The number of changes that have not been logged since the last line.
    private var leftOut = 0

    /// - Parameter rateLimit: by default, 500 lines at once, then one a second.
    init(_ log: Logger, rateLimit: RateLimit = RateLimit(atOnce: 500, interval: .seconds(1))) {
        (self.log, self.rateLimit) = (log, rateLimit)
    }

    /// Notes a request that has not been answered yet, if it is a change.
    mutating func note(_ request: Request) {
        guard let change = ClientChange(request) else { return }
        pending[request.id] = change
    }

    /// Logs a request that was noted as a change, if it has changed something.
    mutating func answered(_ request: Request.ID, _ response: Response, at now: BootTime) {
        guard !pending.isEmpty, let line = pending.removeValue(forKey: request)?.logLine(for: response) else { return }
        guard rateLimit.spend(at: now) else {
            leftOut += 1
            return
        }
        let gap = leftOut == 0 ? "" : " (\(leftOut) earlier \(leftOut == 1 ? "change" : "changes") not logged)"
        log.info("\(line.message)\(gap)", metadata: line.fields)
        leftOut = 0
    }
}
