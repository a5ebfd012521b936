/// The interface `io.iprecord.Control`: its definition, and its types as they are encoded in messages.
package enum Interface {
    package static let name = "io.iprecord.Control"

    /// The definition in Varlink's interface definition language, as `GetInterfaceDescription` returns it.
    package static let text = types + methods

    private static let types = #"""
        # The control interface of iprecordd: a watch list of IP addresses and a current
        # record of each.
        #
        # All times are Unix times in milliseconds. Replies use the canonical spelling of
        # addresses (RFC 5952; IPv4-mapped IPv6 as IPv4); requests may use any valid
        # spelling. Host names (RFC 1123) are in lower case, without the final dot.
        # Anyone who can connect may read. Add, Remove, AddNames, RemoveNames, Label,
        # Refresh and Reload require root, the daemon's own user or the administrators' group;
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
        # fresh    the record is younger than the interval, or from the databases in use
        # stale    the record is older and has not been replaced; last known, not current
        # empty    the provider has no record of the address (private, reserved)
        # failed   nothing is known and the last call failed
        type State (loading, fresh, stale, empty, failed)

        # The reason for a missing newer record. `quotaExhausted`: the refresh waits for the
        # provider's next window. `storeFailed`: the disk accepts no changes.
        # `fleetUnreachable`: the fleet's database cannot be reached.
        type Failure (
          kind: (offline, unreachable, timeout, throttled, unauthorized, rejected, malformed, quotaExhausted, storeFailed, fleetUnreachable),
          message: string,
          at: int,
          attempts: int,
          nextAttemptAt: ?int
        )

        # A record from local MMDB databases, reported beside an entry that has no fresh
        # record. `database` names the types of the databases, and `builtAt` is when the
        # oldest of them was built.
        type OfflineRecord (record: Record, database: string, builtAt: int)

        # `expiresAt` is null if the record comes from local databases. `watchedUntil` is
        # when the watch ends by itself. `origin` is the first source of a watched
        # address: a client, a watch-list file or a host name. `node` is the fleet node
        # that made the call.
        type Entry (
          address: string,
          state: State,
          watched: bool,
          watchedUntil: ?int,
          origin: ?(client, file, name),
          pinned: bool,
          tags: []string,
          note: ?string,
          record: ?Record,
          provider: ?string,
          scannedAt: ?int,
          expiresAt: ?int,
          changedAt: ?int,
          reason: ?string,
          failure: ?Failure,
          offline: ?OfflineRecord,
          node: ?string
        )

        type FieldChange (field: string, old: ?string, new: ?string)

        type Change (seq: int, at: int, address: string, fields: []FieldChange)

        # Events with a `seq` are kept on disk and can be read again while they are
        # kept. `refreshed` events have none and reach only current listeners. `user` is
        # the user id that caused a change to the watch list. `name` is the host name that
        # the event concerns; `addressAdded` and `addressRemoved` have the address too. In
        # a fleet, `origin` is the same on all nodes.
        type Event (
          seq: ?int,
          at: int,
          kind: (added, removed, refreshed, changed, failed, recovered, networkLost, networkRestored, providerFailed, providerRecovered, throttled, nameAdded, nameRemoved, addressAdded, addressRemoved, nameFailed, nameRecovered, fleetLost, fleetRestored),
          address: ?string,
          name: ?string,
          entry: ?Entry,
          fields: ?[]FieldChange,
          message: ?string,
          user: ?int,
          origin: ?string
        )

        # A watched host name. `addresses` are those of the last answer, at `answeredAt`.
        # They become entries with the name's tags and note. `stale` means that the last
        # resolution failed, since `failedSince`, for `reason`, or that the daemon has
        # just started; `failed`, that no addresses are known.
        type Name (
          name: string,
          state: (loading, fresh, stale, failed),
          addresses: []string,
          tags: []string,
          note: ?string,
          answeredAt: ?int,
          failedSince: ?int,
          reason: ?string,
          nextAt: ?int
        )

        type Quota (name: string, limit: ?int, remaining: ?int, resetsAt: ?int)

        # The kernel's view: is there a route to the provider?
        type Network (state: (online, offline), since: int, reason: ?string)

        type Endpoint (
          name: string,
          state: (idle, ok, failing, throttled, unauthorized),
          since: int,
          message: ?string,
          calls: int,
          failures: int
        )

        # `state` is the worst of its endpoints. `proxy` is the host and port of the
        # proxy through which the daemon calls the provider.
        type Provider (
          name: string,
          endpoint: string,
          proxy: ?string,
          state: (idle, ok, failing, throttled, unauthorized),
          since: int,
          message: ?string,
          calls: int,
          failures: int,
          lastCallAt: ?int,
          quotas: []Quota,
          endpoints: []Endpoint
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

        # Watched host names. `failing` counts those that cannot be resolved.
        type NameCounts (watched: int, failing: int)

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

        type Store (
          path: string,
          bytes: int,
          changes: int,
          lastSeq: int,
          state: (ok, failing),
          message: ?string
        )

        # A local MMDB database. `databaseType`, `builtAt` and `loadedAt` describe the
        # version in use; null if there is none. `message` is why the file cannot be used;
        # its previous version then stays in use.
        type Database (
          path: string,
          state: (loading, ok, failing),
          databaseType: ?string,
          builtAt: ?int,
          loadedAt: ?int,
          message: ?string
        )

        type FleetNode (
          name: string,
          role: (leader, follower),
          state: (alive, expired, left),
          version: string,
          lag: int,
          heartbeatAt: int
        )


        """#
}
