extension Coverage {
    /// The events that must occur in any hundred days of simulated time: every fault of the plans, every state of the
    /// daemon and every kind of reply.
    private static let expected = [
        // The machine, the network, the disk.
        "crash", "crash during a call", "crashed during a call", "crash during a lost call",
        "crashed during a lost call",
        "crash during an alert", "crashed during an alert", "stop", "reboot", "suspend", "suspend during a call",
        "suspended during a call", "clock set back", "clock set forward", "start", "finish", "route lost",
        "lose the route during a call", "route lost during a call", "route flaps", "route noise", "loss reported",
        "return reported", "provider moves", "the provider moves without a loss", "nameChanges: the route is back",
        "nameChanges: the route is lost", "oldRouteRemoved: the route is lost", "newRouteAdded: the route is back",
        "resolver fails", "resolver slow", "name not resolved", "disk fails", "disk slow", "reads fail", "read fails",
        "commit", "commit fails", "all records of a cohort unchanged", "records moved to another cohort",
        "cohort removed", "change takes several turns",
        "lists read", "lists refused", "lists unreadable", "checked: lists",
        // The provider.
        "provider down", "provider slow", "fault of endpoint single", "fault of endpoint batch",
        "neighbours spend the quota", "limit changes", "limit raised", "limit lowered", "refused because of others",
        "record changes", "provider changes", "slow reply", "reply lost", "checked: call to a failing endpoint",
        "checked: reason for a wait that ends at once",
        "first reply of a window lost", "remove and add around a window's end", "delay a reply across a window's end",
        "reply delayed across a window's end", "delay a refusal across a window's end",
        "refusal delayed across a window's end", "crash during a call across a window's end",
        "crashed during a call across a window's end", "look up around a window's end",
        "delay a reply until a wait is requested", "reply delayed until a wait was requested",
        "fault changedRecord", "fault drip", "fault duplicateElement", "fault emptyBody", "fault endlessBody",
        "fault extraElement", "fault forbidden", "fault hang", "fault html", "fault missingElement", "fault notJSON",
        "fault nullFields", "fault numbersAsStrings", "fault redirect", "fault reset", "fault slow", "fault status429",
        "fault status5xx", "fault truncated", "fault wrongOrder",
        "checked: call after a requested wait",
        "call: replied", "call: element repeated", "call arrives after it was abandoned", "call: malformed",
        "call: rejected", "call: throttled",
        "call: timeout", "call: unauthorized", "call: unreachable",
        // The local databases.
        "databases replaced", "databases become unreadable", "local databases change", "local call: replied",
        "local call: reply from an earlier version", "local call: unreachable", "kind of the provider configured",
        "the provider becomes local", "the provider becomes remote",
        // The clients.
        "request: add", "request: add for a time", "watch ended by itself", "request: remove", "request: show",
        "request: show and wait", "reply on the fast path",
        "request: status", "request: monitor", "request: pin", "request: list", "list read completely",
        "request: refresh", "request: history", "request: outages", "request: reload", "client disconnects",
        "client stops reading", "slow listener disconnected", "client sends invalid bytes",
        "client sends an incomplete call", "client disconnected after invalid bytes", "final reply received",
        "refused: notWatched", "refused: permissionDenied", "refused: storeFailed",
        "refused: tooMany lookups", "refused: tooMany listeners",
        // The checks of the order, the shares and the promptness of calls.
        "checked: order of urgent refreshes", "checked: order of background refreshes", "checked: order of lookups",
        "checked: order of an administrator's lookups", "checked: turns of users", "checked: shares of batch calls",
        "checked: kept calls", "checked: promptness",
        "checked: promptness while addresses wait", "checked: promptness beside a failing endpoint",
        "checked: end of a window", "checked: thirds of single calls",
        // The states of an entry and the events.
        "reported as fresh", "reported as stale", "reported as empty", "reported as failed", "reported as loading",
        "event: added", "event: removed", "event: changed", "event: failed", "event: recovered", "event: networkLost",
        "event: networkRestored", "event: providerFailed", "event: providerRecovered", "event: throttled",
        "event: nameAdded", "event: nameRemoved", "event: addressAdded", "event: addressRemoved", "event: nameFailed",
        "event: nameRecovered", "name watched", "name removed", "name changes", "name removed from the DNS",
        "name gets too many addresses", "family unanswered", "answer without a family",
        "address of a client and a name", "address of a file and a name", "record of an address that only a name has",
        "name stale at the end", "name current at the end",
        "event received", "history deleted", "refused: eventsGone", "all records fresh at the end",
    ]

    /// The expected events that never occurred, so that their handling remains untested.
    package var missing: [String] {
        Self.expected.filter { counts[$0] == nil }
    }
}
