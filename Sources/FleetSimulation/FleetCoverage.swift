package import Simulation

extension Coverage {
    /// The events that must occur in a hundred hours of simulated time.
    package static let expectedOfFleet = [
        "crash", "crash of the leader", "freeze", "hidden freeze", "cut off from the database",
        "requests to the database lost", "replies of the database lost", "cut off from the provider",
        "requests to the provider lost", "replies of the provider lost", "route lost", "slow queries", "writes stall",
        "replies to writes stall", "heartbeats stall", "polls stall", "writes delayed", "slow disk", "database down",
        "promotion", "standby lags", "the leader fails with the database", "backup", "restore", "commit stalls",
        "state copied on the same machine", "state copied to another machine", "provider fails",
        "clock of the database steps", "change requested", "takeover", "leads", "leads without knowing the quota",
        "handed over", "handed over after failures", "incarnation raised", "gap published", "snapshot without a gap",
        "commits lost at a promotion", "commits lost at a restore", "alert: commits lost", "alert: fleet lost",
        "alert: fleet restored", "alert: identity in use", "blocker terminated", "lock timeout: takeover",
        "lock timeout: resolution", "withdrawal",
        "concluded: done", "concluded: unreachable", "concluded: unknown", "stray call", "call without a reply",
        "reply lost", "failure: not sent", "failure: outcome unknown", "failure: lease lost", "failure: serialization",
        "failure: lock timeout", "failure: operation known", "failure: other server", "failure: outcomes known",
        "commit failed: lease lost", "commit failed: outcome known", "commit survives a crash",
        "transaction survives a crash", "resolved as committed", "resolved as not made", "sweep",
        "stopped: superseded", "stopped: clonedState", "end",
    ]
}
