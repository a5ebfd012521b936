import RecordKeeping

/// The state of a node's registration.
enum Registration: Hashable, Sendable {
    case starting
    /// The row of this id belongs to another machine. If its heartbeat changes, that machine is alive.
    /// During an outage for all, it cannot send one: as for a silence, the time then begins again.
    case watchingOtherMachine(NodeMark, since: BootTime, lastRead: BootTime)
    /// The row is to be inserted, or replaced if it has this mark.
    case registering(replacing: NodeMark?)
    case member(NodeRun)
    case stopped(StopReason)
}
