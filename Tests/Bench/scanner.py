#!/usr/bin/env python3
"""scanner ENDPOINT DATABASE ADDRESSES - a typical script: fetches records in batches of a hundred addresses, and stores
them.

Prints the number of addresses and the CPU time in seconds.
"""
import json
import resource
import sqlite3
import sys

import requests

FIELDS = ("status,message,continent,continentCode,country,countryCode,region,regionName,city,district,zip,lat,lon,timezone,"
          "offset,currency,isp,org,as,asname,reverse,mobile,proxy,hosting,query")


def main():
    endpoint, path, addresses = sys.argv[1], sys.argv[2], open(sys.argv[3]).read().split()
    names = [name for name in FIELDS.split(",") if name not in ("status", "message")]
    database = sqlite3.connect(path)
    columns = ", ".join(f'"{name}"' for name in names)
    database.execute(f'CREATE TABLE IF NOT EXISTS records ({columns}, PRIMARY KEY ("query"))')
    session = requests.Session()
    begun = used()
    for start in range(0, len(addresses), 100):
        reply = session.post(f"{endpoint}/batch", params={"fields": FIELDS}, data=json.dumps(addresses[start:start + 100]))
        reply.raise_for_status()
        records = [record for record in reply.json() if record["status"] == "success"]
        with database:
            database.executemany(
                f"INSERT OR REPLACE INTO records ({columns}) VALUES ({', '.join('?' * len(names))})",
                [[record.get(name) for name in names] for record in records])
    print(len(addresses), used() - begun)


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
