/// The interface `io.iprecord.Control`: its definition, and its types as they are encoded in messages.
package enum Interface {
    package static let name = "io.iprecord.Control"

    /// The definition in Varlink's interface definition language, as `GetInterfaceDescription` returns it.
    package static let text = #"""
        # The control interface of iprecordd: a watch list of IP addresses and a current
        # record of each.
        #
        # All times are Unix times in milliseconds. Replies use the canonical spelling of
        # addresses (RFC 5952; IPv4-mapped IPv6 as IPv4); requests may use any valid
        # spelling. Anyone who can connect may read. Add, Remove, Label, Refresh and
        # Reload require root, the daemon's own user or the administrators' group;
        # other clients receive org.varlink.service.PermissionDenied.
        interface io.iprecord.Control

        # A provider's record of an address. Names and meanings are those of
        # ip-api.com. Fields that the provider left out or blank are null.
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

        # loading  nothing is known yet; the first call is due or in flight
        # fresh    the record is younger than the refresh interval
        # stale    the record is older and has not been replaced; last known, not current
        # empty    the provider has no record of the address (private, reserved)
        # failed   nothing is known and the last call failed
        type State (loading, fresh, stale, empty, failed)

        # The reason for a missing newer record.
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

        # Events with a `seq` are kept on disk and can be read again while they are
        # kept. `refreshed` events have none and reach only current listeners.
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

        # The kernel's view: is there a route to the provider?
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

        # A period in which no records could be fetched, because there was no route to
        # the provider or because it did not answer. `until` is null while it lasts.
        # `deferred` counts the refreshes that it postponed.
        type Outage (
          since: int,
          until: ?int,
          cause: (network, provider),
          message: string,
          deferred: int
        )

        # Entries by state. `cached` entries were looked up and are not watched.
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

        # The interval in milliseconds, the next deadline, the number of overdue
        # entries and of entries in flight, and the share of the provider's quota that
        # the watch list needs (1.0 is all of it; null without a limit).
        type Schedule (
          interval: int,
          nextAt: ?int,
          due: int,
          inFlight: int,
          load: ?float
        )

        type Store (path: string, bytes: int, changes: int, lastSeq: int)

        # Put addresses on the watch list: all or, if any is invalid, none. The reply
        # follows the commit. Addresses that are already watched keep their records and
        # receive the tags and the note.
        method Add(addresses: []string, tags: ?[]string, note: ?string) -> (added: int, already: int)

        # Take addresses off the watch list and delete their history.
        method Remove(addresses: []string) -> (removed: int)

        # The entries of these addresses, in the order requested. Fresh records are
        # returned immediately. For others a call is made and awaited for at most `wait`
        # milliseconds (default 5000; 0 returns what is known). Addresses that are not
        # watched are looked up as well and kept for one interval. Lookups by clients
        # other than administrators are limited (TooMany).
        method Show(addresses: []string, wait: ?int) -> (entries: []Entry)

        # The watch list: pinned entries first, then by address. `search` matches,
        # ignoring case, any text of the entry or the addresses of a CIDR block. Pass
        # `next` as `after` for the following page; it is null on the last page. With
        # `more`, all pages follow one another.
        method List(search: ?string, state: ?State, tag: ?string, pinned: ?bool, changedSince: ?int, after: ?string, limit: ?int) -> (entries: []Entry, next: ?string, total: int)

        # Pin, tag and annotate entries; null leaves a label unchanged.
        method Label(addresses: []string, pinned: ?bool, addTags: ?[]string, removeTags: ?[]string, note: ?string) -> (changed: int)

        # Retry now, without waiting for the backoff: the given addresses, or all that
        # are stale or failed. Fresh records are not refreshed: no client can cause two
        # calls within the interval.
        method Refresh(addresses: ?[]string) -> (scheduled: int, fresh: int)

        # Changes of an entry's record, newest first.
        method History(address: string, before: ?int, limit: ?int) -> (changes: []Change)

        # Recorded outages, newest first.
        method Outages(before: ?int, limit: ?int) -> (outages: []Outage)

        # Requires `more`. With `after`: the kept events after this seq, then new ones
        # as they happen. Without: new ones only.
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

        # Read the watch-list files and the [watch] section again, as SIGHUP does. If
        # no address is found in the files, and addresses from files would leave the
        # watch list, the reload fails with ReloadFailed, unless `force` is true.
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
