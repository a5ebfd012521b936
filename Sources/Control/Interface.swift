/// The interface `io.iprecord.Control`: its definition, and its types as they are encoded in messages.
package enum Interface {
    package static let name = "io.iprecord.Control"

    /// The definition in Varlink's interface definition language, as `GetInterfaceDescription` returns it.
    package static let text = #"""
        # The control interface of iprecordd: a watch list of IP addresses, and a
        # record of each that is kept fresh.
        #
        # Times are Unix times in milliseconds. Addresses are answered in their
        # canonical spelling (RFC 5952; IPv4-mapped IPv6 as IPv4); every other valid
        # spelling is accepted. Reading is open to whoever may connect; Add, Remove,
        # Label, Refresh and Reload are for root, the daemon's own user and the
        # administrators' group, all others get org.varlink.service.PermissionDenied.
        interface io.iprecord.Control

        # What a provider says of an address. Names and meanings are those of
        # ip-api.com; what the provider left out or left blank is null.
        type Record (
          continent: ?string,
          continentCode: ?string,
          country: ?string,
          countryCode: ?string,
          region: ?string,
          regionName: ?string,
          city: ?string,
          district: ?string,
          zip: ?string,
          lat: ?float,
          lon: ?float,
          timezone: ?string,
          offset: ?int,
          currency: ?string,
          isp: ?string,
          org: ?string,
          as: ?string,
          asn: ?int,
          asname: ?string,
          reverse: ?string,
          mobile: ?bool,
          proxy: ?bool,
          hosting: ?bool
        )

        # loading  nothing is known yet; the first call is due or under way
        # fresh    the record is younger than the refresh interval
        # stale    the record is older than that, and its replacement has not come:
        #          it is the last known, never to be taken for current
        # empty    the provider has no record of such an address (private, reserved)
        # failed   nothing is known, and the last call failed
        type State (loading, fresh, stale, empty, failed)

        # Why the last call brought no record.
        type Failure (
          kind: (offline, unreachable, timeout, throttled, unauthorized, rejected, malformed),
          message: string,
          at: int,
          attempts: int,
          nextAttemptAt: ?int
        )

        type Entry (
          address: string,
          state: State,
          watched: bool,
          origin: ?(client, file),
          pinned: bool,
          tags: []string,
          note: ?string,
          record: ?Record,
          provider: ?string,
          scannedAt: ?int,
          expiresAt: ?int,
          changedAt: ?int,
          reason: ?string,
          failure: ?Failure
        )

        type FieldChange (field: string, old: ?string, new: ?string)

        type Change (seq: int, at: int, address: string, fields: []FieldChange)

        # Events with a `seq` are kept on disk and can be read again from any seq that
        # is still kept; `refreshed` has none: it is told to those who listen.
        type Event (
          seq: ?int,
          at: int,
          kind: (added, removed, refreshed, changed, failed, recovered, networkLost, networkRestored, providerFailed, providerRecovered, throttled),
          address: ?string,
          entry: ?Entry,
          fields: ?[]FieldChange,
          message: ?string
        )

        type Quota (name: string, limit: ?int, remaining: ?int, resetsAt: ?int)

        # What the kernel's routes say of the way to the provider.
        type Network (state: (online, offline), since: int, reason: ?string)

        type Provider (
          name: string,
          endpoint: string,
          state: (idle, ok, failing, throttled, unauthorized),
          since: int,
          message: ?string,
          calls: int,
          failures: int,
          lastCallAt: ?int,
          quotas: []Quota
        )

        # A time during which no record could be had: no way to the provider, or a way
        # and no answer. `until` is null while it lasts.
        type Outage (
          since: int,
          until: ?int,
          cause: (network, provider),
          message: string,
          deferred: int
        )

        # How many entries there are, by state; `cached` are those looked up without
        # being watched.
        type Counts (
          watched: int,
          cached: int,
          pinned: int,
          loading: int,
          fresh: int,
          stale: int,
          empty: int,
          failed: int
        )

        # The interval in milliseconds, the next deadline, how many are past theirs,
        # how many are being called for right now, and which share of the provider's
        # quota the watch list needs (1.0 is all of it; null where there is no limit).
        type Schedule (
          interval: int,
          nextAt: ?int,
          due: int,
          inFlight: int,
          load: ?float
        )

        type Store (path: string, bytes: int, changes: int, lastSeq: int)

        # Put addresses on the watch list. All or none: one bad address and nothing is
        # added. The reply comes once the list is safe on disk. An address that is on
        # the list already keeps its record and gets the tags and the note.
        method Add(addresses: []string, tags: ?[]string, note: ?string) -> (added: int, already: int)

        # Take addresses off the watch list, with their records and history.
        method Remove(addresses: []string) -> (removed: int)

        # The entries of these addresses, in the order asked. A fresh record is
        # answered as it is; otherwise a call is made and awaited for at most `wait`
        # milliseconds (default 5000; 0 answers at once with what is known). An address
        # that is not watched is looked up all the same, and kept for one interval; what
        # others than administrators look up so is limited (TooMany).
        method Show(addresses: []string, wait: ?int) -> (entries: []Entry)

        # The watch list, pinned entries first, then by address. `search` is matched
        # without regard to case in address, CIDR block (203.0.113.0/24), tags, note
        # and every text of the record. `next` goes into `after` for the page that
        # follows; null on the last page. With `more`, one page after the other.
        method List(search: ?string, state: ?State, tag: ?string, pinned: ?bool, changedSince: ?int, after: ?string, limit: ?int) -> (entries: []Entry, next: ?string, total: int)

        # Pin, tag and annotate entries; null leaves as it is.
        method Label(addresses: []string, pinned: ?bool, addTags: ?[]string, removeTags: ?[]string, note: ?string) -> (changed: int)

        # Try again now what is not fresh, without waiting for its backoff: these
        # addresses, or without any all that are stale or failed. A fresh record is left
        # as it is: nobody can make the daemon call twice within the interval.
        method Refresh(addresses: ?[]string) -> (scheduled: int, fresh: int)

        # What changed in an entry's record, newest first.
        method History(address: string, before: ?int, limit: ?int) -> (changes: []Change)

        # The outages that are kept, newest first.
        method Outages(before: ?int, limit: ?int) -> (outages: []Outage)

        # Needs `more`. With `after`, the kept events from the next seq on, then new
        # ones as they happen; without it, new ones only.
        method Monitor(after: ?int, kinds: ?[]string, addresses: ?[]string) -> (event: Event)

        method Status() -> (
          version: string,
          startedAt: int,
          network: Network,
          provider: Provider,
          entries: Counts,
          refresh: Schedule,
          store: Store
        )

        # Read the configuration and the watch-list files again, as SIGHUP does.
        # A reading that finds no address in the files is refused, unless it is
        # forced, if addresses of files would leave the watch list.
        method Reload(force: ?bool) -> (added: int, removed: int)

        error InvalidAddress (address: string, reason: string)
        error NotWatched (address: string)
        error InvalidSearch (message: string)
        error InvalidCursor ()
        error EventsGone (oldest: int)
        error TooMany (limit: int)
        error ReloadFailed (message: string)
        error StoreFailed (message: string)
        """#
}
