/// The resources that all clients together may use at the same time. Users without administrative rights share them;
/// administrators may also use the reserve.
package struct Capacity: Hashable, Sendable {
    /// Maximum number of addresses that users without administrative rights look up without watching them.
    package var lookups = Limits.lookedUpAddresses
    /// Requests that wait for a call. A request beyond this limit is answered at once.
    package var waitingRequests = Limits.waitingRequests
    /// Open `Monitor` calls.
    package var listeners = Limits.listeners
    /// Number of listeners, and of waiting requests, that administrators may use beyond these limits.
    package var reserve = Limits.administratorsReserve

    package init() {}

    /// Returns the number of waiting requests at which this request is answered at once.
    func waitingRequests(for request: Request) -> Int {
        waitingRequests + (request.isByAdministrator ? reserve : 0)
    }

    /// Returns the number of listeners at which this request is refused.
    func listeners(for request: Request) -> Int { listeners + (request.isByAdministrator ? reserve : 0) }
}
