/// Every bound of the core, with its reason. Meeting one is an error with a name, never a surprise.
package enum Limits {
    /// ip-api.com answers 422 to more (docs/api:batch).
    package static let addressesPerBatch = 100
    /// Ten times the largest list that the design is measured with.
    package static let watchedAddresses = 10_000_000
    /// One request's addresses: some 4 MB of text, below the largest message that the socket takes.
    package static let addressesPerRequest = 100_000
    /// Addresses that are looked up and not watched: more cost memory that nobody with rights asked for.
    package static let lookedUpAddresses = 10_000
    /// Requests that wait for a call, in all.
    package static let waitingRequests = 10_000
    /// Requests that wait for the disk, in all.
    package static let queuedRequests = 10_000
    /// Events that wait for a disk that takes nothing. Beyond, what has come and gone again, and has been told in the journal,
    /// is not kept.
    package static let waitingNotices = 1_000
    /// Listeners in all.
    package static let listeners = 1_000
    /// Tags of one entry.
    package static let tagsPerEntry = 64
    /// One tag: a word, not a text.
    package static let tagBytes = 64
    /// A note: some lines for a person.
    package static let noteBytes = 1_000
    /// Calls under way at once, per endpoint, where no quota says less: enough for 100,000 addresses in five minutes
    /// at a reply time of a second, and still no burden for the provider.
    package static let callsInFlight = 8
    /// Kept notices read from the disk at once for a listener.
    package static let noticesPerRead = 1_000
    /// Entries that are drafted, applied or published in one turn, which takes less than 10 ms.
    package static let changesPerTurn = 2_000
    /// Lines of a watch list in one portion: half a turn.
    package static let linesPerPortion = 1_000
    /// Slots that may be searched for unlisted addresses at the cost of one change: most addresses stay.
    package static let slotsPerChange = 4
    /// Listeners for which publishing a notice costs one more change of the turn: checking a filter takes a tenth of a
    /// change.
    package static let listenersPerChange = 8
    /// Entries that a listing looks at before everybody else has a turn: some milliseconds.
    package static let entriesPerTurn = 2_000
    /// Entries that are looked at in one turn of a count, which takes less time for each.
    package static let entriesPerCount = 8_000
    /// Entries that a listing looks at for a page in the order of the list; where that does not fill it, and little matches, it
    /// is filled from what the count finds.
    package static let entriesForPage = 20_000
    /// So much is little.
    package static let gathered = 4_000
    /// Entries of one page of the list.
    package static let entriesPerPage = 10_000
    /// Changes of one page of a history.
    package static let changesPerPage = 10_000
    /// Outages of one page, and those that are kept at all.
    package static let outagesPerPage = 10_000
    /// The longest time that a request waits for a call.
    package static let longestWait = Duration.seconds(3_600)
    /// How long what falls due is gathered, so that it can go in one call. Well below the 50 ms by which a refresh may be
    /// late, and above what a timer may be off.
    package static let gather = Duration.milliseconds(15)
    /// Of any quota window at most one third goes to addresses that are not watched.
    package static let unwatchedShare = 3
}
