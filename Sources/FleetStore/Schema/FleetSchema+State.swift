extension FleetSchema {
    /// The tables of the current state, which mirror version 12 of the local database. A new node copies them; analysts
    /// can query them.
    ///
    /// An instant has three columns: `at` is the wall clock of a leader in Unix milliseconds, `clock` its
    /// CLOCK_BOOTTIME in nanoseconds, and `term` the term in which it led. The tables have nothing local to a host:
    /// neither its route, nor its retention clock, nor its numbers of events.
    static let state = """
        CREATE TABLE iprecord.scan ( -- the calls that fetched the current records
          fleet integer NOT NULL,
          id bigint NOT NULL,
          provider text NOT NULL,
          at bigint NOT NULL, -- when the call was sent
          clock bigint NOT NULL,
          term bigint NOT NULL,
          version bigint, -- of the local databases; NULL for a remote provider
          PRIMARY KEY (fleet, id)
        ) WITH (fillfactor = 50);

        CREATE TABLE iprecord.place ( -- locations; each may belong to many records
          fleet integer NOT NULL,
          id uuid NOT NULL, -- the digest of the other columns
          continent text, continent_code text, country text, country_code text, region text, region_name text,
          city text, district text, timezone text, utc_offset bigint, currency text,
          PRIMARY KEY (fleet, id)
        );

        CREATE TABLE iprecord.network ( -- operators of networks; each may belong to many records
          fleet integer NOT NULL,
          id uuid NOT NULL, -- the digest of the other columns
          isp text, org text, as_text text, asname text,
          PRIMARY KEY (fleet, id)
        );

        CREATE TABLE iprecord.entry ( -- an address of the watch list, or one that was looked up
          fleet integer NOT NULL,
          id bigint NOT NULL, -- in the order in which the entries were added
          address text NOT NULL, -- in canonical form
          watched boolean NOT NULL, -- false: only looked up, and removed after one interval
          by_client boolean NOT NULL, -- a client has added it
          by_file bigint NOT NULL, -- 1: in a watch-list file; +2, +4: a client has replaced its tags, its note
          pinned boolean NOT NULL,
          tags text, -- a JSON array of strings, or NULL for none
          note text,
          changed_at bigint, -- Unix milliseconds
          failure_kind text, -- why the last call failed, or NULL; with the five columns that follow
          failure_message text,
          failure_attempts bigint,
          failure_at bigint,
          failure_clock bigint,
          failure_term bigint,
          omissions text, -- fields that the last reply left out for the first time: an array as in notice, or NULL
          watched_until bigint, -- when the client's watch ends by itself, in Unix milliseconds; NULL if it does not
          PRIMARY KEY (fleet, id)
        );

        CREATE TABLE iprecord.record ( -- the provider's last answer about each entry
          fleet integer NOT NULL,
          id bigint NOT NULL, -- that of the entry
          scan bigint NOT NULL, -- the row of its call
          empty_reason text, -- if the provider has no record: its reason
          place uuid, -- the row of its location, or NULL if the provider has no record
          network uuid, -- the row of its network, likewise
          lat double precision, lon double precision, zip text, reverse text, mobile boolean, proxy boolean,
          hosting boolean,
          PRIMARY KEY (fleet, id)
        );

        CREATE TABLE iprecord.host_name ( -- the watched host names
          fleet integer NOT NULL,
          name text NOT NULL, -- in lower case, without the final dot
          tags text, -- a JSON array of strings for its addresses, or NULL for none
          note text, -- likewise
          answered_at bigint, -- Unix milliseconds, when the last different answer arrived; NULL before the first one
          failure text, -- why it cannot be resolved; NULL after an answer
          failing_since bigint, -- Unix milliseconds; NULL after an answer
          addresses text[] NOT NULL, -- in the last answer, in canonical form
          PRIMARY KEY (fleet, name)
        );

        CREATE TABLE iprecord.notice ( -- events, except those about a host's route
          fleet integer NOT NULL,
          seq bigint NOT NULL, -- the journal's row
          position bigint NOT NULL, -- within this row
          at bigint NOT NULL, -- Unix milliseconds
          kind text NOT NULL,
          address text,
          fields text, -- a JSON array of {"field", "old", "new"}, or NULL for none
          message text,
          user_id bigint, -- of the client that caused it
          name text, -- the host name that it concerns
          PRIMARY KEY (fleet, seq, position)
        );

        CREATE TABLE iprecord.change ( -- the history of each address's record
          fleet integer NOT NULL,
          address text NOT NULL,
          seq bigint NOT NULL, -- that of the notice
          position bigint NOT NULL,
          at bigint NOT NULL,
          fields text NOT NULL,
          PRIMARY KEY (fleet, address, seq, position)
        );
        CREATE INDEX change_seq ON iprecord.change (fleet, seq);

        CREATE TABLE iprecord.outage ( -- times during which the provider sent no record
          fleet integer NOT NULL,
          since bigint NOT NULL, -- Unix milliseconds
          until bigint, -- Unix milliseconds; NULL while it lasts
          message text NOT NULL,
          deferred bigint NOT NULL, -- refreshes that were due in it and could not be made
          PRIMARY KEY (fleet, since)
        );

        CREATE TABLE iprecord.quota_window ( -- the remaining quota of each provider's endpoints
          fleet integer NOT NULL,
          provider text NOT NULL, -- its base URL
          endpoint text NOT NULL,
          quota bigint, -- requests a window
          remaining bigint,
          under_way bigint NOT NULL, -- requests that had no reply yet
          length bigint NOT NULL, -- of a window, in milliseconds
          resets_at bigint,
          resets_clock bigint,
          resets_term bigint,
          margin bigint, -- how much earlier the window may end, in milliseconds; NULL if unknown
          PRIMARY KEY (fleet, provider, endpoint)
        ) WITH (fillfactor = 20);

        CREATE TABLE iprecord.endpoint_health ( -- the health of each endpoint of each provider
          fleet integer NOT NULL,
          provider text NOT NULL,
          endpoint text NOT NULL,
          state text NOT NULL,
          since bigint NOT NULL, -- Unix milliseconds
          failure_kind text,
          failure_message text,
          failure_attempts bigint,
          failure_at bigint,
          failure_clock bigint,
          failure_term bigint,
          retry_at bigint,
          retry_clock bigint,
          retry_term bigint,
          from_retry_after boolean NOT NULL, -- whether retry_at comes from the header Retry-After
          PRIMARY KEY (fleet, provider, endpoint)
        ) WITH (fillfactor = 20);

        CREATE VIEW iprecord.records AS -- the records, under the provider's names of their fields
          SELECT fleet.name AS fleet, entry.address, scan.provider, scan.at AS "scannedAt",
            record.empty_reason AS "emptyReason", continent, continent_code AS "continentCode", country,
            country_code AS "countryCode", region, region_name AS "regionName", city, district, zip, lat, lon,
            timezone, utc_offset AS "offset", currency, isp, org, as_text AS "as", asname, reverse, mobile, proxy,
            hosting
          FROM iprecord.fleet JOIN iprecord.entry ON entry.fleet = fleet.id
            JOIN iprecord.record ON record.fleet = entry.fleet AND record.id = entry.id
            JOIN iprecord.scan ON scan.fleet = record.fleet AND scan.id = record.scan
            LEFT JOIN iprecord.place ON place.fleet = record.fleet AND place.id = record.place
            LEFT JOIN iprecord.network ON network.fleet = record.fleet AND network.id = record.network;
        """

    /// The functions for the most frequent changes to the state. UPDATE before INSERT writes less than ON CONFLICT,
    /// which also writes a lock of the row.
    static let stateFunctions = """
        CREATE FUNCTION iprecord.put_scan(
          p_fleet bigint, p_id bigint, p_provider text, p_at bigint, p_clock bigint, p_term bigint, p_version bigint)
        RETURNS void LANGUAGE plpgsql AS $f$
        BEGIN
          UPDATE iprecord.scan SET provider = p_provider, at = p_at, clock = p_clock, term = p_term,
            version = p_version
          WHERE fleet = p_fleet AND id = p_id;
          IF NOT FOUND THEN
            INSERT INTO iprecord.scan VALUES (p_fleet, p_id, p_provider, p_at, p_clock, p_term, p_version);
          END IF;
        END $f$;

        CREATE FUNCTION iprecord.put_window(
          p_fleet bigint, p_provider text, p_endpoint text, p_quota bigint, p_remaining bigint, p_under_way bigint,
          p_length bigint, p_at bigint, p_clock bigint, p_term bigint, p_margin bigint)
        RETURNS void LANGUAGE plpgsql AS $f$
        BEGIN
          UPDATE iprecord.quota_window SET quota = p_quota, remaining = p_remaining, under_way = p_under_way,
            length = p_length, resets_at = p_at, resets_clock = p_clock, resets_term = p_term, margin = p_margin
          WHERE fleet = p_fleet AND provider = p_provider AND endpoint = p_endpoint;
          IF NOT FOUND THEN
            INSERT INTO iprecord.quota_window VALUES (
              p_fleet, p_provider, p_endpoint, p_quota, p_remaining, p_under_way, p_length, p_at, p_clock, p_term,
              p_margin);
          END IF;
        END $f$;

        -- The id of a row whose values are shared.
        CREATE FUNCTION iprecord.digest(VARIADIC p_values text[]) RETURNS uuid
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $f$
          SELECT encode(substr(sha256(convert_to(p_values::text, 'UTF8')), 1, 16), 'hex')::uuid;
        $f$;
        """
}
