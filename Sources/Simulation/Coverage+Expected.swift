extension Coverage {
    /// The events that must occur in any hundred days of simulated time: every fault of the plans, every state of the
    /// daemon and every kind of reply.
    private static let expected = [
        // The machine, the network, the disk.
        "crash", "crash at a call", "crashed at a call", "crash at a call that is lost",
        "crashed at a call that was lost", "crash at an alert", "crashed at an alert", "stop", "reboot", "suspend",
        "suspend at a call",
        "suspended at a call", "clock step back",
        "clock step forward", "start", "finish",
        "way lost", "lose the way at a call", "way lost at a call", "way flaps", "route noise", "loss told",
        "return told",
        "disk fails", "disk slow", "commit", "commit fails", "a change takes several turns",
        "lists read", "lists refused", "lists unreadable", "lists checked",
        // The provider.
        "provider down", "provider slow", "record changes", "another provider", "reply takes long", "reply lost",
        "first reply of a window lost", "replace around a window's end",
        "await a reply across a window's end", "replied across a window's end",
        "fault changedRecord", "fault drip", "fault duplicateElement", "fault emptyBody", "fault endlessBody",
        "fault extraElement", "fault forbidden", "fault hang", "fault html", "fault missingElement", "fault notJSON",
        "fault nullFields", "fault numbersAsStrings", "fault redirect", "fault reset", "fault slow", "fault status429",
        "fault status5xx", "fault truncated", "fault wrongOrder",
        "call: replied", "call arrives after it was given up", "call: malformed", "call: rejected", "call: throttled",
        "call: timeout", "call: unauthorized",
        "call: unreachable",
        // The clients.
        "ask to add", "ask to remove", "ask to show", "ask to show, and wait", "seen at a glance", "ask for the status",
        "ask to monitor",
        "ask to pin", "ask for the list", "list read to its end", "ask to refresh", "ask for a history",
        "ask for the outages", "ask to reload",
        "hang up", "stop reading", "listener dropped", "send garbage", "send half a call",
        "client dropped for what it sent", "answered",
        "refused: notWatched", "refused: permissionDenied", "refused: storeFailed",
        // The states of an entry and the events.
        "told as fresh", "told as stale", "told as empty", "told as failed", "told as loading",
        "event: added", "event: removed", "event: changed", "event: failed", "event: recovered",
        "event: networkLost", "event: networkRestored", "event: providerFailed", "event: providerRecovered",
        "event: throttled", "event heard", "history forgotten", "refused: eventsGone",
        "end with all fresh",
    ]

    /// The expected events that never occurred, so that their handling remains untested.
    package var missing: [String] {
        Self.expected.filter { counts[$0] == nil }
    }
}
