/// The bounds of the core, each with the reason for its value.
package enum Limits {
    /// Addresses per batch: ip-api.com answers 422 if there are more (docs/api:batch).
    package static let addressesPerBatch = 100
    /// Watched addresses: the largest list that has been measured (docs/performance.md).
    package static let watchedAddresses = 10_000_000
    /// Addresses of one request: about 4 MB of text, less than the largest message that the control socket accepts.
    package static let addressesPerRequest = 100_000
    /// Addresses that the reply to a removal names because they stay on the watch list: more than anyone reads, and
    /// less than a megabyte of text.
    package static let stayingAddresses = 10_000
    /// Watched host names. All of them are resolved once per interval, by `resolutionsInFlight` threads.
    package static let watchedNames = 1_000
    /// Addresses of one host name. A DNS message without extensions has space for some 30 addresses (RFC 1035 §2.3.4).
    package static let addressesPerName = 64
    /// Host names of one request: all their addresses can change in one turn, within `changesPerTurn`.
    package static let namesPerRequest = 30
    /// Host names that are resolved at the same time. Each of them occupies a thread, for many seconds if a name server
    /// does not reply.
    package static let resolutionsInFlight = 8
    /// Time after which a resolution in progress counts as failed for the state of its name: more than a resolver needs
    /// for two attempts at three name servers (resolv.conf(5)).
    package static let maxResolution = Duration.seconds(60)
    /// Addresses that all users without administrative rights together may look up without watching them. This limit
    /// bounds the memory that these users can claim.
    package static let lookedUpAddresses = 10_000
    /// Requests that may wait for a call. A request beyond this limit is answered at once.
    package static let waitingRequests = 10_000
    /// Changes by clients that may wait for a commit.
    package static let queuedRequests = 10_000
    /// Events that are kept in memory while the database cannot be written. Beyond this limit, the oldest problems that
    /// have been logged and resolved are dropped.
    package static let waitingEvents = 1_000
    /// Open `Monitor` calls of all clients.
    package static let listeners = 1_000
    /// Tags of one entry.
    package static let tagsPerEntry = 64
    /// Maximum length of one tag, which is a single word, in bytes.
    package static let tagBytes = 64
    /// Maximum length of one note, which is a few lines of text, in bytes.
    package static let noteBytes = 1_000
    /// Calls in flight per endpoint, if the quota does not allow fewer. Eight suffice to refresh 100,000 addresses in
    /// five minutes if replies take a second, and do not burden the provider.
    package static let callsInFlight = 8
    /// Kept events that are read from the database at once for a listener.
    package static let eventsPerRead = 1_000
    /// Entries that are prepared for a commit, applied or published in one turn, which takes less than 10 ms.
    package static let changesPerTurn = 2_000
    /// Lines of the lists in one portion of a reload: half of `changesPerTurn`.
    package static let linesPerPortion = 1_000
    /// Requests of one user in progress whose filters need changes from the store. Each of them holds the addresses
    /// with such changes in memory.
    package static let selectionsPerUser = 4
    /// Previews of reloads in progress. Each of them holds the lines of all lists in memory, and administrators rarely
    /// request two at the same time.
    package static let previews = 4
    /// Maximum number of addresses of each kind in the preview of a reload: more than anyone reads, and less than a
    /// megabyte of text.
    package static let previewedAddresses = 10_000
    /// Maximum length of the old and new labels in the preview of a reload, in bytes. Without this limit, the labels of
    /// 10,000 addresses could be longer than the longest message.
    package static let previewedBytes = 1 << 20
    /// Maximum number of invalid lines and unreadable files in the preview of a reload.
    package static let previewedProblems = 1_000
    /// Number of slots searched for unlisted addresses at the cost of one change; see `changesPerTurn`. The search is
    /// cheap because most addresses stay.
    package static let slotsPerChange = 4
    /// Number of listeners that raise the cost of publishing an event by one change: checking a filter costs a tenth of
    /// a change.
    package static let listenersPerChange = 8
    /// Entries that a `List` request checks, or that a `Show` reply contains, in one turn, which takes a few
    /// milliseconds.
    package static let entriesPerTurn = 2_000
    /// Entries that a count checks in one turn. In memory order, a check takes less time than in list order.
    package static let entriesPerCount = 8_000
    /// Entries that are checked in list order for one page. If they do not fill the page and few matches are expected,
    /// the page is filled from a count of all matches, which reads the entries in memory order.
    package static let entriesForPage = 20_000
    /// Matches that a count collects to fill a page. If there are more, the page is filled in list order.
    package static let gathered = 4_000
    /// Entries of one page of the list.
    package static let entriesPerPage = 10_000
    /// Groups of one count, which take some 10 MB while they are counted.
    package static let groups = 100_000
    /// Groups of all counts in progress.
    package static let groupsOfAllCounts = 4 * groups
    /// Groups in one reply.
    package static let groupsPerReply = 10_000
    /// Changes of one page of a history.
    package static let changesPerPage = 10_000
    /// Changes that are read from the database at once for a history of matching entries.
    package static let changesPerRead = 1_000
    /// Maximum number of addresses whose changes are read by address, which takes a few milliseconds. If a request
    /// names more, the changes of all entries are read, and those of other addresses are left out.
    package static let addressesPerHistory = 1_000
    /// Reads for one page of a history. If few changes match, the page has fewer changes than it may have, and the
    /// client continues with the next page.
    package static let readsPerHistory = 100
    /// Outages of one page.
    package static let outagesPerPage = 10_000
    /// The end of the range of stored times: the year 2200. A later time indicates damage to the database, and
    /// arithmetic with it might overflow.
    package static let endOfTimes = WallTime(milliseconds: 7_258_118_400_000)
    /// Maximum time for which a request waits for a call.
    package static let maxWait = Duration.seconds(3_600)
    /// Time for which due addresses are collected, so that they share a call. It is well below the 50 ms by which a
    /// refresh may be late, and exceeds the inaccuracy of the timer.
    package static let gather = Duration.milliseconds(15)
    /// Maximum time for which a provider can postpone calls with `Retry-After`. One of the pages of ip-api.com mentions
    /// a ban of one hour; a longer time may be an error, and one call an hour does no harm.
    package static let maxRetryAfter = Duration.seconds(3_600)
    /// Maximum time by which the trial of a failing endpoint is postponed after its backoff, while no background
    /// refresh is due and the other endpoint can be called. A trial can delay a client by the timeout of a call.
    package static let maxTrialDelay = Duration.seconds(60)
    /// Time before the end of a quota window from which other addresses may use the calls that were kept for lookups.
    /// It is long enough for eight calls in flight and for the calls that follow them.
    package static let release = Duration.seconds(5)
    /// Deadlines that are checked to find out how many refreshes fall due in a quota window: a few microseconds of
    /// work.
    package static let deadlinesPerCall = 1_000
    /// Number of listeners, and of waiting requests, that are reserved for administrators beyond the limits: equal to
    /// the number of connections reserved for them.
    package static let administratorsReserve = 100
    /// Maximum time for which a loss of the route is in doubt, while the provider's name is resolved and its addresses
    /// are checked again. With the default debounce time, an alert follows a route event within a second, even if the
    /// network is down and the resolver therefore does not answer. While the network is up, a resolver usually answers
    /// in less time.
    package static let maxDoubt = Duration.milliseconds(250)
    /// Time between resolutions of the provider's name while the route is lost: at most half a minute without new
    /// records after the provider has moved, and two wake-ups a minute during a real loss.
    package static let resolutionRetry = Duration.seconds(30)
    /// Minimum time between the resolutions that route events cause while the route is lost. A resolver asks servers on
    /// the network, and routes can change many times a second.
    package static let resolutionGap = Duration.seconds(1)
}
