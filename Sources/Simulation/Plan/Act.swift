package import ProviderModel
import RecordKeeping

/// One thing that a run does to the daemon or asks of it.
package enum Act: Hashable, Sendable {
    // The machine.
    case crash(down: Duration)
    /// Killed right after the next call has gone out.
    case crashAtCall(down: Duration)
    /// Killed soon after the next call that brings nothing.
    case crashAtLostCall(down: Duration)
    /// The process is killed right after the next alert is on disk, before the alert is logged.
    case crashAtAlert(down: Duration)
    case stop(down: Duration)
    case reboot(down: Duration, clockOff: Duration)
    case suspend(Duration)
    /// Right after the next call has gone out.
    case suspendAtCall(Duration)
    case stepClock(Duration)
    // The network.
    case loseWay(Duration)
    /// Right after the next call has gone out.
    case loseWayAtCall(Duration)
    case flap(times: Int, each: Duration)
    /// The kernel tells of changes that change nothing.
    case routeNoise(Int)
    // The provider.
    case fault(Fault, calls: Int)
    case providerDown(Duration)
    case providerSlow(Duration)
    case changeRecord(Int)
    /// The configuration names another one, by its number in the plan, and the daemon is started anew.
    case changeProvider(to: Int, down: Duration)
    // The disk.
    case diskFails(Duration)
    case diskSlow(Duration)
    // The watch-list files.
    /// Who stands in them from now on, by their numbers among the plan's listed addresses; the daemon is told to read them.
    case lists([Int])
    /// One of them cannot be read, and the daemon is told to.
    case listsUnreadable
    // The clients.
    case ask(client: Int, Question)
    /// Each of these is removed and added again at some moment around the end of a window of the quota.
    case replaceAroundWindowEnd([Int])
    /// The same, so that a reply of one window comes after the next has begun with calls whose replies are lost.
    case replyAcrossWindowEnd([Int])

    /// What a client asks for; addresses by their numbers in the plan.
    package enum Question: Hashable, Sendable {
        case add([Int])
        case remove([Int])
        case show([Int], wait: Duration)
        case status
        /// Pinned from now on, or not any more.
        case pin([Int], Bool)
        /// The whole list, in pages of so many.
        case list(page: Int)
        case refresh
        case history(Int)
        case outages
        case reload
        /// Events from where the client had come to.
        case monitor
        /// What no daemon could understand.
        case garbage(Int)
        /// Half a call, and nothing more for now.
        case half
        /// It reads nothing of what it is sent for so long.
        case stopReading(Duration)
        case hangUp

        var isList: Bool {
            if case .list = self { true } else { false }
        }

        fileprivate var name: String {
            switch self {
            case .add: "ask to add"
            case .remove: "ask to remove"
            case .show(_, let wait): wait > .zero ? "ask to show, and wait" : "ask to show"
            case .status: "ask for the status"
            case .pin: "ask to pin"
            case .list: "ask for the list"
            case .refresh: "ask to refresh"
            case .history: "ask for a history"
            case .outages: "ask for the outages"
            case .reload: "ask to reload"
            case .monitor: "ask to monitor"
            case .garbage: "send garbage"
            case .half: "send half a call"
            case .stopReading: "stop reading"
            case .hangUp: "hang up"
            }
        }
    }

    /// By what coverage counts it.
    var name: String {
        switch self {
        case .crash: "crash"
        case .crashAtCall: "crash at a call"
        case .crashAtLostCall: "crash at a call that is lost"
        case .crashAtAlert: "crash at an alert"
        case .stop: "stop"
        case .reboot: "reboot"
        case .suspend: "suspend"
        case .suspendAtCall: "suspend at a call"
        case .stepClock(let step): step < .zero ? "clock step back" : "clock step forward"
        case .loseWay: "way lost"
        case .loseWayAtCall: "lose the way at a call"
        case .flap: "way flaps"
        case .routeNoise: "route noise"
        case .fault(let fault, _): "fault \(fault)".prefix { $0 != "=" }.description
        case .providerDown: "provider down"
        case .providerSlow: "provider slow"
        case .changeRecord: "record changes"
        case .changeProvider: "another provider"
        case .diskFails: "disk fails"
        case .diskSlow: "disk slow"
        case .lists: "lists read"
        case .listsUnreadable: "lists unreadable"
        case .ask(_, let question): question.name
        case .replaceAroundWindowEnd: "replace around a window's end"
        case .replyAcrossWindowEnd: "await a reply across a window's end"
        }
    }
}
