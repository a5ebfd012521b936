PRAGMA application_id = 1230000707;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1: entries, records, notices and health');
INSERT INTO grdb_migrations VALUES('2: outages');
CREATE TABLE boot ( -- the boots of this machine in which something was written
  id INTEGER PRIMARY KEY,
  boot_id TEXT NOT NULL UNIQUE -- /proc/sys/kernel/random/boot_id
) STRICT;
INSERT INTO boot VALUES(1,'0b5e1d2c-6f41-4f0e-9d3c-1f3f6c1b7a01');
INSERT INTO boot VALUES(2,'7c9e6679-7425-40de-944b-e07fc1f90ae7');
CREATE TABLE entry ( -- an address of the watch list, or one that was looked up
  address TEXT PRIMARY KEY, -- canonical spelling
  watched INTEGER NOT NULL, -- 0: looked up only, and gone after one interval
  by_client INTEGER NOT NULL, -- a client added it
  by_file INTEGER NOT NULL, -- 1: it stands in a watch-list file; +2, +4: a client has replaced its tags, its note
  pinned INTEGER NOT NULL,
  tags TEXT, -- a JSON array of texts, or NULL for none
  note TEXT,
  changed_at INTEGER, -- Unix milliseconds
  failure_kind TEXT, -- why the last call brought nothing, or NULL; with the four that follow
  failure_message TEXT,
  failure_attempts INTEGER,
  failure_at INTEGER, -- Unix milliseconds
  failure_boot_ns INTEGER, -- CLOCK_BOOTTIME
  failure_boot INTEGER REFERENCES boot (id)
) STRICT, WITHOUT ROWID;
INSERT INTO entry VALUES('1.1.1.1',0,0,0,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO entry VALUES('2001:db8::9',1,0,1,0,NULL,NULL,NULL,'timeout','no reply',3,1789999999123,4999000000007,1);
INSERT INTO entry VALUES('5.5.5.5',1,1,0,1,'["dns","eu"]','a "note" é',1789999000000,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE record ( -- what the provider last said of an address; replaced by delete and insert
  address TEXT PRIMARY KEY REFERENCES entry (address) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  scanned_at INTEGER NOT NULL, -- Unix milliseconds, when the call was sent
  scanned_boot_ns INTEGER NOT NULL, -- the same on CLOCK_BOOTTIME, by which the age is measured
  scanned_boot INTEGER NOT NULL REFERENCES boot (id),
  empty_reason TEXT, -- the provider has no record, and says this of it
  continent TEXT, continent_code TEXT, country TEXT, country_code TEXT, region TEXT, region_name TEXT,
  city TEXT, district TEXT, zip TEXT, lat REAL, lon REAL, timezone TEXT, utc_offset INTEGER, currency TEXT,
  isp TEXT, org TEXT, as_text TEXT, asname TEXT, reverse TEXT, mobile INTEGER, proxy INTEGER, hosting INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO record VALUES('1.1.1.1','ip-api.com',1789999980123,80000000007,2,'reserved range',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO record VALUES('5.5.5.5','ip-api.com',1789999990123,4990000000007,1,NULL,NULL,NULL,'Germany','DE',NULL,NULL,'Köln',NULL,'50667',50.939999999999997725,6.9599999999999999644,NULL,7200,NULL,'O''Neill "Net"',NULL,'AS64500 Net',NULL,'a.example',0,1,0);
CREATE TABLE notice ( -- what happened, in order and without gaps, until it is forgotten for its age
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL, -- Unix milliseconds
  kind TEXT NOT NULL,
  address TEXT,
  fields TEXT, -- a JSON array of {"field", "old", "new"}, or NULL for none
  message TEXT
) STRICT;
INSERT INTO notice VALUES(1,1789998000000,'added','5.5.5.5',NULL,NULL);
INSERT INTO notice VALUES(2,1789999000000,'changed','5.5.5.5','[{"field":"city","old":"Bonn","new":"Köln"}]',NULL);
INSERT INTO notice VALUES(3,1789999500000,'networkLost',NULL,NULL,'no route');
CREATE TABLE change ( -- the history of each address's record
  address TEXT NOT NULL,
  seq INTEGER NOT NULL, -- that of the notice
  at INTEGER NOT NULL, -- Unix milliseconds
  fields TEXT NOT NULL, -- as in notice
  PRIMARY KEY (address, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO change VALUES('5.5.5.5',2,1789999000000,'[{"field":"city","old":"Bonn","new":"Köln"}]');
CREATE TABLE quota_window ( -- what the provider's endpoints still allow
  endpoint TEXT PRIMARY KEY,
  quota INTEGER, -- requests a window
  remaining INTEGER,
  length INTEGER NOT NULL, -- of a window, in milliseconds
  resets_at INTEGER, -- Unix milliseconds
  resets_boot_ns INTEGER,
  resets_boot INTEGER REFERENCES boot (id)
) STRICT, WITHOUT ROWID;
INSERT INTO quota_window VALUES('batch',15,4,60000,1790000030123,5030000000007,1);
CREATE TABLE provider ( -- its health, in one row
  id INTEGER PRIMARY KEY CHECK (id = 1),
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
  retry_boot INTEGER REFERENCES boot (id)
) STRICT;
INSERT INTO provider VALUES(1,'throttled',1789999900000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE network_loss ( -- one row while there is no way to the provider
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL, -- Unix milliseconds
  reason TEXT NOT NULL
) STRICT;
CREATE TABLE meta ( -- last_seq: the seq of the last notice ever written, which never goes down
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('last_seq',3);
CREATE TABLE outage ( -- times during which no record could be had
  number INTEGER PRIMARY KEY, -- counted up from 1
  since INTEGER NOT NULL, -- Unix milliseconds
  until INTEGER, -- Unix milliseconds; NULL while it lasts
  cause TEXT NOT NULL, -- network or provider
  message TEXT NOT NULL,
  deferred INTEGER NOT NULL -- refreshes that were due in it and could not be made
) STRICT;
INSERT INTO outage VALUES(1,1789990000000,1789990600000,'network','no route',4);
CREATE INDEX outage_since ON outage (since, number);
