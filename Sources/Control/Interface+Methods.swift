extension Interface {
    /// The methods and errors of the interface definition, and the types that only they use.
    static let methods = #"""
        # Put addresses on the watch list: all or, if any is invalid, none. The reply
        # follows the commit. Addresses that are already watched keep their records and
        # receive the tags and the note. With `until`, the addresses are removed at that
        # time, with their history, unless a file also lists them. For an address that is
        # already watched, the later end applies; a watch without an end stays without one.
        # `endsKept` counts the watches that therefore end after `until` or not at all, and
        # `endsRemoved` those that had an end and, without `until`, no longer end by
        # themselves; they are null instead of 0.
        method Add(addresses: []string, tags: ?[]string, note: ?string, until: ?int) -> (
          added: int,
          already: int,
          endsRemoved: ?int,
          endsKept: ?int
        )

        # Take addresses off the watch list and delete their history. Addresses that a
        # file lists, or to which a watched host name resolves, stay: `staying` contains
        # the first 10000 of them, in the order requested, and is null if there are none.
        # With `dryRun`, nothing changes: the reply is the one that a removal of these
        # addresses, at most 10000, would get.
        method Remove(addresses: []string, dryRun: ?bool) -> (removed: int, staying: ?[]string)

        # Watch host names, at most 30 per call and 1000 in all. Each name is resolved once
        # per interval; its addresses, at most 64, are entries of the watch list while the
        # name has them. A failed resolution keeps the addresses of the last answer. Names
        # that are watched already receive the tags and the note.
        method AddNames(names: []string, tags: ?[]string, note: ?string) -> (added: int, already: int)

        # End the watch of host names, at most 30 per call. Their addresses are removed
        # with their history, unless a client, a file or another name has them.
        method RemoveNames(names: []string) -> (removed: int)

        # These watched host names in the order requested, or all in order.
        method Names(names: ?[]string) -> (names: []Name)

        # Kept events of a host name, watched or not, newest first. `before` is a seq.
        method NameHistory(name: string, before: ?int, limit: ?int) -> (events: []Event)

        # The entries of these addresses, in the order requested. Fresh records are
        # returned immediately. For others a call is made and awaited for at most `wait`
        # milliseconds (default 5000, at most 3600000; 0 returns what is known).
        # Addresses that are not watched are looked up as well and kept for one
        # interval. Lookups are limited per user (TooMany). If `lookup` is false, no
        # call is made or hastened: the reply is immediate, and leaves out the addresses
        # about which the daemon knows nothing.
        method Show(addresses: []string, wait: ?int, lookup: ?bool) -> (entries: []Entry)

        # Selects entries. Conditions combine with AND, values in a list with OR.
        # `changedFields` restricts `changedSince` to changes of these fields. `notTags`
        # and `notCountryCodes` exclude entries; those without tags or a country are kept.
        type Filter (
          search: ?string,
          states: ?[]State,
          tags: ?[]string,
          notTags: ?[]string,
          pinned: ?bool,
          changedSince: ?int,
          changedFields: ?[]string,
          countryCodes: ?[]string,
          notCountryCodes: ?[]string,
          asns: ?[]int,
          flags: ?[](mobile, proxy, hosting)
        )

        # A group of entries. Groups by `place` carry coordinates.
        type Group (key: string, count: int, lat: ?float, lon: ?float)

        # The watch list: pinned entries first, then by address, or by `sort` (the name
        # of a field), in descending order if `descending` is true; entries without a
        # value come last. `search` matches, ignoring case, any text of the entry or the
        # addresses of a CIDR block. Pass `next` as `after` for the following page; it is
        # null on the last page. With `more`, all pages follow one another.
        method List(search: ?string, state: ?State, tag: ?string, pinned: ?bool, changedSince: ?int, filter: ?Filter, sort: ?string, descending: ?bool, after: ?string, limit: ?int) -> (entries: []Entry, next: ?string, total: int)

        # Counts watched entries by a field of the record, or by `state`, `tag`, `origin`
        # or `place` (city and country), largest group first. `others` counts the entries
        # of groups beyond `limit`.
        method Count(by: string, filter: ?Filter, limit: ?int) -> (groups: []Group, total: int, others: int)

        # Pin, tag and annotate entries; null leaves a label unchanged.
        method Label(addresses: []string, pinned: ?bool, addTags: ?[]string, removeTags: ?[]string, note: ?string) -> (changed: int)

        # Retry now, without waiting for the backoff: the given addresses, or all that
        # are stale or failed. Fresh records are not refreshed: no client can cause two
        # calls within the interval.
        method Refresh(addresses: ?[]string) -> (scheduled: int, fresh: int)

        # Changes of records, newest first: of one address, of several, or of all entries
        # that match `filter`; without these, of all entries. `since` and `until` restrict
        # them to a period that includes both times, and `fields` to these fields. `old`
        # and `new` select fields that changed from and to exactly these values; "" stands
        # for no value. Fields that are not selected are left out. Pass `next` as `before`
        # for the following page; it is null on the last page. If few changes match, a
        # page may have fewer than `limit` changes, or none.
        method History(address: ?string, addresses: ?[]string, filter: ?Filter, since: ?int, until: ?int, fields: ?[]string, old: ?string, new: ?string, before: ?int, limit: ?int) -> (changes: []Change, next: ?int)

        # Recorded outages, newest first.
        method Outages(before: ?int, limit: ?int) -> (outages: []Outage)

        # Requires `more`. With `after`: the kept events after this seq, then new ones
        # as they happen. Without: new ones only. `fields` restricts `changed` events to
        # changes of these fields, `tags` all events to entries with one of these tags,
        # and `filter`, which cannot have `changedFields`, to entries that match it when
        # the event is sent. `addresses` and `names` select the events of either. Events
        # about the route and the provider are restricted only by `kinds`.
        method Monitor(after: ?int, kinds: ?[]string, addresses: ?[]string, names: ?[]string, fields: ?[]string, tags: ?[]string, filter: ?Filter) -> (event: Event)

        # `databases` are the local databases, in the order of the configuration. `user`
        # and `administrator` describe the caller.
        method Status() -> (
          version: string,
          startedAt: int,
          network: Network,
          provider: Provider,
          entries: Counts,
          names: ?NameCounts,
          refresh: Schedule,
          store: Store,
          databases: []Database,
          user: int,
          administrator: bool
        )

        # One sample of a metric. Histograms have one sample per bucket with the label
        # `le`, and the samples `sum` and `count`.
        type Sample (labels: [string]string, part: ?string, value: float)

        type Metric (name: string, kind: (counter, gauge, histogram), help: string, samples: []Sample)

        method Metrics() -> (metrics: []Metric)

        # The fleet as this node sees it, or FleetDisabled. `lag` counts commits that
        # this node has not applied yet.
        method Fleet() -> (
          name: string,
          node: string,
          role: (leader, follower, detached),
          state: (joined, unreachable),
          since: int,
          database: string,
          leader: ?string,
          term: int,
          leaseUntil: ?int,
          seq: int,
          lag: int,
          nodes: []FleetNode
        )

        # The differences that a reload would make to an entry: `tags` (separated by
        # commas), `note`, `sources` (client, file, name) and `watchedUntil`.
        type ReloadChange (address: string, fields: []FieldChange)

        # Addresses that a reload would change, at most 10000 in each list. `changes`
        # contains the differences for the first addresses in `changed`, up to 1 MiB of
        # text. `problems` contains the first 1000 invalid lines and unreadable files, which
        # the reload would ignore; it is null if there are none.
        type ReloadPreview (
          added: []string,
          changed: []string,
          removed: []string,
          changes: ?[]ReloadChange,
          problems: ?[]string
        )

        # Read the watch-list files and the sections [watch] and [offline] again, as
        # SIGHUP does. If no address is found in the files, and addresses from files
        # would leave the watch list, the reload fails with ReloadFailed, unless `force`
        # is true.
        # `changed` counts watched addresses whose labels or sources (client, file, name)
        # change. With `dryRun`, nothing changes: the reply has the changes that a reload
        # would make now, and `preview`.
        method Reload(force: ?bool, dryRun: ?bool) -> (added: int, changed: int, removed: int, preview: ?ReloadPreview)

        error InvalidAddress (address: string, reason: string)
        error NotWatched (address: string)
        error InvalidName (name: string, reason: string)
        error NameNotWatched (name: string)
        error InvalidSearch (message: string)
        error InvalidCursor ()
        error EventsGone (oldest: int)
        error TooMany (limit: int, resource: ?string)
        error ReloadFailed (message: string)
        error StoreFailed (message: string)
        error FleetDisabled ()
        error FleetUnreachable (message: string)
        error OutcomeUnknown (message: string)
        """#
}
