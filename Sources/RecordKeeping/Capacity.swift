/// What clients may use at the same time, from all connections together. Users without administrative rights share it;
/// administrators may also use the reserve.
package struct Capacity: Hashable, Sendable {
    /// Addresses that users without administrative rights look up without watching them.
    package var lookups = Limits.lookedUpAddresses
    /// Requests that wait for a call. A request beyond this limit is answered at once.
    package var waitingRequests = Limits.waitingRequests
    /// Open `Monitor` calls.
    package var listeners = Limits.listeners
    /// Listeners, and waiting requests, beyond these limits that only administrators may use.
    package var reserve = Limits.administratorsReserve

    package init() {}

    /// Returns the number of waiting requests at which this request is answered at once.
    func waitingRequests(for request: Request) -> Int {
        waitingRequests + (request.isByAdministrator ? reserve : 0)
    }

    /// Returns the number of listeners at which this request is refused.
    func listeners(for request: Request) -> Int { listeners + (request.isByAdministrator ? reserve : 0) }
}
