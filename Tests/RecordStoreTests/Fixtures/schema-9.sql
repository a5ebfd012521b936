PRAGMA application_id = 1230000707;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1: entries, records, notices and health');
INSERT INTO grdb_migrations VALUES('2: outages');
INSERT INTO grdb_migrations VALUES('3: quotas and health by provider');
INSERT INTO grdb_migrations VALUES('4: changes by their time');
INSERT INTO grdb_migrations VALUES('5: retention by elapsed time');
INSERT INTO grdb_migrations VALUES('7: users of changes and omitted fields');
INSERT INTO grdb_migrations VALUES('8: health by endpoint');
INSERT INTO grdb_migrations VALUES('9: records by scan');
CREATE TABLE boot ( -- the boots of this machine in which something was written
  id INTEGER PRIMARY KEY,
  boot_id TEXT NOT NULL UNIQUE -- /proc/sys/kernel/random/boot_id
) STRICT;
INSERT INTO boot VALUES(1,'0b5e1d2c-6f41-4f0e-9d3c-1f3f6c1b7a01');
INSERT INTO boot VALUES(2,'7c9e6679-7425-40de-944b-e07fc1f90ae7');
CREATE TABLE notice ( -- what happened, in order and without gaps, until it is forgotten for its age
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL, -- Unix milliseconds
  kind TEXT NOT NULL,
  address TEXT,
  fields TEXT, -- a JSON array of {"field", "old", "new"}, or NULL for none
  message TEXT
, user INTEGER) STRICT;
INSERT INTO notice VALUES(1,1789998000000,'added','5.5.5.5',NULL,NULL,NULL);
INSERT INTO notice VALUES(2,1789999000000,'changed','5.5.5.5','[{"field":"city","old":"Bonn","new":"Köln"}]',NULL,NULL);
INSERT INTO notice VALUES(3,1789999500000,'networkLost',NULL,NULL,'no route',NULL);
CREATE TABLE change ( -- the history of each address's record
  address TEXT NOT NULL,
  seq INTEGER NOT NULL, -- that of the notice
  at INTEGER NOT NULL, -- Unix milliseconds
  fields TEXT NOT NULL, -- as in notice
  PRIMARY KEY (address, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO change VALUES('5.5.5.5',2,1789999000000,'[{"field":"city","old":"Bonn","new":"Köln"}]');
CREATE TABLE network_loss ( -- one row while there is no way to the provider
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL, -- Unix milliseconds
  reason TEXT NOT NULL
) STRICT;
CREATE TABLE meta ( -- last_seq: the seq of the last notice ever written, which never goes down
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('changes',1);
INSERT INTO meta VALUES('last_seq',3);
INSERT INTO meta VALUES('logged_seq',3);
CREATE TABLE outage ( -- times during which no record could be had
  number INTEGER PRIMARY KEY, -- counted up from 1
  since INTEGER NOT NULL, -- Unix milliseconds
  until INTEGER, -- Unix milliseconds; NULL while it lasts
  cause TEXT NOT NULL, -- network or provider
  message TEXT NOT NULL,
  deferred INTEGER NOT NULL -- refreshes that were due in it and could not be made
) STRICT;
INSERT INTO outage VALUES(1,1789990000000,1789990600000,'network','no route',4);
CREATE TABLE quota_window ( -- what each provider's endpoints still allow
  provider TEXT NOT NULL, -- its base URL; an empty text for one that was not written down
  endpoint TEXT NOT NULL,
  quota INTEGER, -- requests a window
  remaining INTEGER,
  under_way INTEGER NOT NULL, -- requests that had no reply yet when this was written
  length INTEGER NOT NULL, -- of a window, in milliseconds
  resets_at INTEGER, -- Unix milliseconds
  resets_boot_ns INTEGER,
  resets_boot INTEGER REFERENCES boot (id),
  margin INTEGER, -- by how much it may be over earlier, in milliseconds; NULL where that is not known
  PRIMARY KEY (provider, endpoint)
) STRICT, WITHOUT ROWID;
INSERT INTO quota_window VALUES('http://ip-api.com','batch',15,4,0,60000,1790000030123,5030000000007,1,NULL);
CREATE TABLE history_mark ( -- points on the clock by which history grows old; see history_elapsed in meta
  elapsed INTEGER PRIMARY KEY, -- milliseconds on that clock
  seq INTEGER NOT NULL, -- of the last event written by then
  outage INTEGER NOT NULL -- the number of the last outage that had ended by then
) STRICT;
INSERT INTO history_mark VALUES(3600000,2,0);
CREATE TABLE endpoint_health ( -- the health of each endpoint of each provider that was called
  provider TEXT NOT NULL, -- its base URL; empty for a provider of schema 2 or earlier
  endpoint TEXT NOT NULL,
  state TEXT NOT NULL,
  since INTEGER NOT NULL, -- Unix milliseconds
  failure_kind TEXT,
  failure_message TEXT,
  failure_attempts INTEGER,
  failure_at INTEGER,
  failure_boot_ns INTEGER,
  failure_boot INTEGER REFERENCES boot (id),
  retry_at INTEGER,
  retry_boot_ns INTEGER,
  retry_boot INTEGER REFERENCES boot (id),
  from_retry_after INTEGER NOT NULL, -- 1 if retry_at comes from the header Retry-After, otherwise 0
  PRIMARY KEY (provider, endpoint)
) STRICT, WITHOUT ROWID;
INSERT INTO endpoint_health VALUES('http://ip-api.com','batch','throttled',1789999900000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO endpoint_health VALUES('http://ip-api.com','single','throttled',1789999900000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0);
CREATE TABLE scan ( -- the calls that fetched the current records
  id INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  at INTEGER NOT NULL, -- Unix milliseconds, when the call was sent
  boot_ns INTEGER NOT NULL, -- the same on CLOCK_BOOTTIME, which determines the age
  boot INTEGER NOT NULL REFERENCES boot (id)
) STRICT;
INSERT INTO scan VALUES(1,'ip-api.com',1789999980123,80000000007,2);
INSERT INTO scan VALUES(2,'ip-api.com',1789999990123,4990000000007,1);
CREATE TABLE place ( -- locations; each may belong to many records
  id INTEGER PRIMARY KEY,
  continent TEXT, continent_code TEXT, country TEXT, country_code TEXT, region TEXT, region_name TEXT,
  city TEXT, district TEXT, timezone TEXT, utc_offset INTEGER, currency TEXT
) STRICT;
INSERT INTO place VALUES(1,NULL,NULL,'Germany','DE',NULL,NULL,'Köln',NULL,NULL,7200,NULL);
CREATE TABLE network ( -- operators of networks; each may belong to many records
  id INTEGER PRIMARY KEY,
  isp TEXT, org TEXT, as_text TEXT, asname TEXT
) STRICT;
INSERT INTO network VALUES(1,'O''Neill "Net"',NULL,'AS64500 Net',NULL);
CREATE TABLE entry ( -- an address of the watch list, or one that was looked up
  id INTEGER PRIMARY KEY, -- in the order in which the entries were added
  address TEXT NOT NULL, -- in canonical form, and in no other row
  watched INTEGER NOT NULL, -- 0: only looked up, and removed after one interval
  by_client INTEGER NOT NULL, -- 1 if a client has added it
  by_file INTEGER NOT NULL, -- 1: in a watch-list file; +2, +4: a client has replaced its tags, its note
  pinned INTEGER NOT NULL,
  tags TEXT, -- a JSON array of strings, or NULL for none
  note TEXT,
  changed_at INTEGER, -- Unix milliseconds
  failure_kind TEXT, -- why the last call failed, or NULL; with the five columns that follow
  failure_message TEXT,
  failure_attempts INTEGER,
  failure_at INTEGER, -- Unix milliseconds
  failure_boot_ns INTEGER, -- CLOCK_BOOTTIME
  failure_boot INTEGER REFERENCES boot (id),
  omissions TEXT -- fields that the last reply left out for the first time: an array as in notice, or NULL
) STRICT;
INSERT INTO entry VALUES(1,'2001:db8::9',1,0,1,0,NULL,NULL,NULL,'timeout','no reply',3,1789999999123,4999000000007,1,NULL);
INSERT INTO entry VALUES(2,'1.1.1.1',0,0,0,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO entry VALUES(3,'5.5.5.5',1,1,0,1,'["dns","eu"]','a "note" é',1789999000000,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE record ( -- the provider's last answer about each entry; the view "records" has it whole
  id INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
  scan INTEGER NOT NULL, -- the row of its call
  empty_reason TEXT, -- if the provider has no record: its reason
  place INTEGER, -- the row of its location, or NULL if the provider has no record
  network INTEGER, -- the row of its network, likewise
  lat REAL, lon REAL, zip TEXT, reverse TEXT, mobile INTEGER, proxy INTEGER, hosting INTEGER
) STRICT;
INSERT INTO record VALUES(2,1,'reserved range',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO record VALUES(3,2,NULL,1,1,50.939999999999997725,6.9599999999999999644,'50667','a.example',0,1,0);
CREATE INDEX outage_since ON outage (since, number);
CREATE VIEW records AS -- the records, under the provider's names of their fields
  SELECT entry.address, scan.provider, scan.at AS scannedAt, record.empty_reason AS emptyReason,
    continent, continent_code AS continentCode, country, country_code AS countryCode, region,
    region_name AS regionName, city, district, zip, lat, lon, timezone, utc_offset AS "offset", currency,
    isp, org, as_text AS "as", asname, reverse, mobile, proxy, hosting
  FROM entry JOIN record ON record.id = entry.id JOIN scan ON scan.id = record.scan
    LEFT JOIN place ON place.id = record.place LEFT JOIN network ON network.id = record.network
;
