package import ProviderModel
package import RecordKeeping

/// A fault, or a client's action, in a run.
package enum Act: Hashable, Sendable {
    // The machine.
    case crash(down: Duration)
    /// The process is killed right after the next call is sent.
    case crashAtCall(down: Duration)
    /// The process is killed soon after the next call that receives no reply.
    case crashAtLostCall(down: Duration)
    /// The process is killed right after the next alert is on disk, before the alert is logged.
    case crashAtAlert(down: Duration)
    case stop(down: Duration)
    case reboot(down: Duration, clockOff: Duration)
    case suspend(Duration)
    /// The machine is suspended right after the next call is sent.
    case suspendAtCall(Duration)
    case stepClock(Duration)
    // The network.
    case loseRoute(Duration)
    /// The route is lost right after the next call is sent.
    case loseRouteAtCall(Duration)
    case flap(times: Int, each: Duration)
    /// The kernel reports this many changes although the routes stay the same.
    case routeNoise(Int)
    /// The provider gets another address.
    case moveProvider(ProviderMove)
    /// The provider's name cannot be resolved, although there is a network.
    case resolverFails(Duration)
    /// A resolution takes up to ten seconds.
    case resolverSlow(Duration)
    /// The addresses of one family of the watched names cannot be queried.
    case familyUnanswered(IPAddress.Family, Duration)
    // The provider.
    case fault(Fault, calls: Int)
    case providerDown(Duration)
    case providerSlow(Duration)
    /// The calls to one endpoint have this fault, while the other endpoint works.
    case endpointFault(Call.Endpoint, Fault, Duration)
    /// Other clients behind the same public address send requests, which count against the same quota.
    case neighbours(Call.Endpoint, calls: Int)
    /// The endpoint allows this number of requests from its next window on.
    case changeLimit(Call.Endpoint, Int)
    case changeRecord(Int)
    /// The configuration names another provider, by its index in the plan, and the daemon is restarted.
    case changeProvider(to: Int, down: Duration)
    // The local databases.
    /// The files are replaced by the version with this number, or by files that cannot be read.
    case replaceDatabases(Int64?)
    /// The configuration names local databases, or a remote provider, and the daemon is restarted.
    case useLocalDatabases(Bool, down: Duration)
    // The disk.
    case diskFails(Duration)
    case diskSlow(Duration)
    /// Reads of the history fail, while writes succeed.
    case readsFail(Duration)
    // The watch-list files.
    /// The files contain these addresses from now on, by index among the plan's listed addresses, and the daemon reads
    /// them.
    case lists([Int])
    /// The daemon reads the files, and one of them is unreadable.
    case listsUnreadable
    // The host names, by their indices in the plan.
    case watchName(Int)
    case unwatchName(Int)
    /// The name gets other addresses, by their indices among the addresses of names; without addresses, it does not
    /// exist.
    case changeName(Int, [Int])
    // The clients.
    case ask(client: Int, ClientAction)
    /// Each of these addresses is removed, and added again at a time around the end of a quota window.
    case replaceAroundWindowEnd([Int])
    /// Each of these addresses is removed and added again, so that a reply from one window arrives in the next window,
    /// which has begun with calls whose replies get lost.
    case replyAcrossWindowEnd([Int])
    /// The same as `replyAcrossWindowEnd`, but the delayed reply is a refusal. The replies from the next window arrive.
    case refusalAcrossWindowEnd([Int])
    /// Each of these addresses is looked up around the end of a quota window, and no client waits for the records.
    case lookUpAroundWindowEnd([Int])
    /// Each of these addresses is removed and added again, so that a request from one window arrives in the next
    /// window, after the daemon has been killed and restarted. Most replies from the next window get lost.
    case crashAcrossWindowEnd([Int])
    /// Each of these addresses is removed and added again, so that a reply arrives after the reply to a later call,
    /// which requested a wait of this time.
    case replyAfterRequestedWait([Int], Duration)

    /// A request or another action of a client. Addresses are indices in the plan.
    package enum ClientAction: Hashable, Sendable {
        case add([Int])
        /// Adds addresses whose watches end after this time.
        case addFor([Int], Duration)
        case remove([Int])
        case show([Int], wait: Duration)
        case status
        /// Sets or removes the pin.
        case pin([Int], Bool)
        /// Requests the whole list, in pages of this size.
        case list(page: Int)
        case refresh
        case history(Int)
        case outages
        case reload
        /// Monitors events from the client's cursor on.
        case monitor
        /// Sends bytes that are not a valid call; the number selects the bytes.
        case garbage(Int)
        /// Sends the first half of a call, without the rest.
        case half
        /// The client reads nothing for this time.
        case stopReading(Duration)
        case hangUp

        var isList: Bool {
            if case .list = self { true } else { false }
        }

        fileprivate var name: String {
            switch self {
            case .garbage: "client sends invalid bytes"
            case .half: "client sends an incomplete call"
            case .stopReading: "client stops reading"
            case .hangUp: "client disconnects"
            case .addFor: "request: add for a time"
            case .show(_, let wait) where wait > .zero: "request: show and wait"
            default: "request: \(self)".prefix { $0 != "(" }.description
            }
        }
    }

    /// The name under which coverage counts the act.
    var name: String {
        switch self {
        case .crash: "crash"
        case .crashAtCall: "crash during a call"
        case .crashAtLostCall: "crash during a lost call"
        case .crashAtAlert: "crash during an alert"
        case .stop: "stop"
        case .reboot: "reboot"
        case .suspend: "suspend"
        case .suspendAtCall: "suspend during a call"
        case .stepClock(let step): step < .zero ? "clock set back" : "clock set forward"
        case .loseRoute: "route lost"
        case .loseRouteAtCall: "lose the route during a call"
        case .flap: "route flaps"
        case .routeNoise: "route noise"
        case .moveProvider: "provider moves"
        case .resolverFails: "resolver fails"
        case .resolverSlow: "resolver slow"
        case .familyUnanswered: "family unanswered"
        case .fault(let fault, _): "fault \(fault)".prefix { $0 != "=" }.description
        case .providerDown: "provider down"
        case .providerSlow: "provider slow"
        case .endpointFault(let endpoint, _, _): "fault of endpoint \(endpoint)"
        case .neighbours: "neighbours spend the quota"
        case .changeLimit: "limit changes"
        case .changeRecord: "record changes"
        case .changeProvider: "provider changes"
        case .replaceDatabases(let number): number == nil ? "databases become unreadable" : "databases replaced"
        case .useLocalDatabases: "kind of the provider configured"
        case .diskFails: "disk fails"
        case .diskSlow: "disk slow"
        case .readsFail: "reads fail"
        case .lists: "lists read"
        case .listsUnreadable: "lists unreadable"
        case .watchName: "name watched"
        case .unwatchName: "name removed"
        case .changeName(_, let addresses):
            addresses.isEmpty
                ? "name removed from the DNS"
                : addresses.count > Limits.addressesPerName ? "name gets too many addresses" : "name changes"
        case .ask(_, let question): question.name
        case .replaceAroundWindowEnd: "remove and add around a window's end"
        case .replyAcrossWindowEnd: "delay a reply across a window's end"
        case .refusalAcrossWindowEnd: "delay a refusal across a window's end"
        case .lookUpAroundWindowEnd: "look up around a window's end"
        case .crashAcrossWindowEnd: "crash during a call across a window's end"
        case .replyAfterRequestedWait: "delay a reply until a wait is requested"
        }
    }
}
