"""The measurements: each row and its peer alternate, so that noise on the host affects both."""
import json
import os
import sqlite3
import statistics
import subprocess
import tempfile
import time

from enriching import enriching
from exporting import exporting
from figures import Row, addresses, alternate, log, pages, percentile, ratio, record_text, restart, searchable, time_of
from questions import questions
from refreshing import cycle, refreshing
from servers import INTERFACE, Daemon, Redis, MockProvider, call, command

# Target: half of the file size per record with schema 8, in bytes.
FILE_BYTES = 238


class Fixture:
    """The programs and settings of all rows, and the load generator."""

    def __init__(self, programs, many):
        self.programs, self.many = programs, many
        self.folder = tempfile.TemporaryDirectory(prefix="iprecord-bench-requests.")

    def load(self, socket, request, connections, pipelined, seconds=2):
        path = os.path.join(self.folder.name, "request")
        with open(path, "wb") as file:
            file.write(request)
        output = subprocess.run(
            [os.path.join(self.programs, "load"), "--socket", socket, "--request", path,
             "--connections", str(connections), "--pipelined", str(pipelined), "--seconds", str(seconds)],
            check=True, capture_output=True, text=True).stdout
        return json.loads(output)


def serving(fixture):
    """Measures the rate of replies, against Redis with the same bytes."""
    count = 100
    with MockProvider(fixture.programs) as provider, Daemon(fixture.programs, provider.endpoint) as daemon, Redis() as redis:
        daemon.start()
        redis.start()
        some = addresses(count)
        daemon.fill(some)
        client = daemon.client()
        one, all_of_them = call("Show", addresses=some[:1], wait=0), call("Show", addresses=some, wait=0)
        entries = client.call("Show", addresses=some, wait=0)["entries"]
        redis.fill([("one", client.exchange(one) + b"\0")])
        redis.fill((entry["address"], json.dumps(entry, separators=(",", ":"))) for entry in entries)

        def compare(ours, theirs, connections, pipelined):
            return alternate([
                lambda: fixture.load(daemon.socket, ours, connections, pipelined),
                lambda: fixture.load(redis.socket, theirs, connections, pipelined)])

        def rates(pair, each=1):
            ours, theirs = ([result["rate"] * each for result in results] for results in pair)
            return (ratio(ours, theirs), f"{statistics.median(ours):,.0f}/s, {statistics.median(theirs):,.0f}/s")

        get = command("GET", "one")
        for connections in (1, 50):
            pair = compare(one, get, connections, 1)
            value, details = rates(pair)
            name = f"`Show` of one, {connections} connection{'s' if connections > 1 else ''}"
            yield Row(name, "Redis GET of the same bytes", 1, value, details=details)
            ours, theirs = ([result["p99"] for result in results] for results in pair)
            yield Row(
                f"{name}: 99th percentile", "Redis GET of the same bytes", 1, ratio(ours, theirs), lower_is_better=True,
                details=f"{statistics.median(ours):.0f} µs, {statistics.median(theirs):.0f} µs")
        value, details = rates(compare(one, get, 50, 16))
        yield Row(
            "`Show` of one, 50 connections, 16 pipelined", "Redis GET with the same pipelining", 0.5, value,
            details=details)
        value, details = rates(compare(all_of_them, command("MGET", *some), 1, 1), each=count)
        yield Row("`Show` of 100, records per second", "Redis MGET of 100", 1, value, details=details)


def command_line(fixture):
    """Measures the time of the client from its start to its end."""
    with MockProvider(fixture.programs) as provider, Daemon(fixture.programs, provider.endpoint) as daemon, Redis() as redis:
        daemon.start()
        redis.start()
        daemon.fill(addresses(1_000))

        ours, theirs = alternate([
            lambda: time_of(os.path.join(fixture.programs, "ipctl"), "--socket", daemon.socket, "status"),
            lambda: time_of("/usr/bin/redis-cli", "-s", redis.socket, "ping")], rounds=200)
        yield Row(
            "`ipctl status`, whole process", "`redis-cli ping`", 1, ratio(ours, theirs), lower_is_better=True,
            details=f"{statistics.median(ours):.2f} ms, {statistics.median(theirs):.2f} ms")


def idle(fixture):
    """Measures the cost of an idle daemon."""
    with MockProvider(fixture.programs) as provider, Daemon(fixture.programs, provider.endpoint) as daemon, Redis() as redis:
        daemon.start()
        redis.start()
        some = addresses(1_000)
        daemon.fill(some)
        client = daemon.client()
        redis.fill((entry["address"], record_text(entry)) for entry in client.call("Show", addresses=some, wait=0)["entries"])
        client.close()
        # The provider's connections are closed some time after the last call.
        time.sleep(65)
        yield Row("wake-ups of all threads in 60 s with nothing due", "none", 0, daemon.wakeups(60), unit="", lower_is_better=True)
        ours, theirs = daemon.memory, redis.memory
        yield Row(
            "resident memory, idle, 1,000 addresses", "redis-server with the same records", 1, ours / theirs,
            lower_is_better=True,
            details=f"{ours / 1e6:.1f} MB, {theirs / 1e6:.1f} MB; anonymous memory "
                    f"{daemon.anonymous / 1e6:.1f} MB, {redis.anonymous / 1e6:.1f} MB")


def million(fixture):
    """Measures memory, start and searches with many addresses."""
    some = addresses(fixture.many)
    with Daemon(fixture.programs, "http://127.0.0.1:9") as daemon, Redis() as redis, Database() as database:
        with MockProvider(fixture.programs) as provider:
            daemon.configure(provider.endpoint, "1d")
            daemon.start()
            empty = daemon.memory
            daemon.fill(some)
            entries = list(pages(daemon))
            daemon.stop()
            size = os.path.getsize(daemon.database)
            redis.start()
            redis_empty = redis.memory
            redis.fill((entry["address"], record_text(entry)) for entry in entries)
            redis.save()
            database.fill(entries)
            words = sorted({word for entry in entries[::fixture.many // 50] for word in searchable(entry)})[:60]
            del entries
            # Restart both alternately, several times: a restarted server has no temporary memory.
            starts = alternate([lambda: restart(daemon), lambda: restart(redis)], rounds=3)
        ours, theirs = (daemon.memory - empty) / len(some), (redis.memory - redis_empty) / len(some)
        name = f"{len(some):,}"
        yield Row(
            f"memory per address with its record, {name} addresses", "Redis with the same records as JSON", 0.4,
            ours / theirs, lower_is_better=True, details=f"{ours:.0f} bytes, {theirs:.0f} bytes")
        yield Row(
            f"start with {name} records", "Redis loading its RDB", 0.7, ratio(*starts), lower_is_better=True,
            details=f"{statistics.median(starts[0]):.2f} s, {statistics.median(starts[1]):.2f} s")
        yield Row(
            f"database file per record, {name} records", "none", FILE_BYTES, size / len(some), unit="B",
            lower_is_better=True)
        client = daemon.client()

        def ours(word):
            began = time.perf_counter()
            client.call("List", search=word, limit=100)
            return time.perf_counter() - began

        pairs = [(ours(word), database.search(word)) for word in words]
        ours, theirs = ([pair[place] for pair in pairs] for place in (0, 1))
        yield Row(
            f"search of {name} records for a page of 100, 99th percentile",
            "`SELECT … LIKE` in the sqlite3 shell", 0.1,
            percentile(ours) / percentile(theirs), lower_is_better=True,
            details=f"{1_000 * percentile(ours):.1f} ms, {1_000 * percentile(theirs):.0f} ms")


def distinct(fixture):
    """Measures memory with postal codes and reverse names that no two addresses share."""
    some = addresses(fixture.many)
    options = ("--batch-quota", "none", "--single-quota", "none", "--distinct-texts")
    with MockProvider(fixture.programs, *options) as provider, Redis() as redis:
        with Daemon(fixture.programs, provider.endpoint) as daemon:
            daemon.start()
            empty = daemon.memory
            daemon.fill(some)
            redis.start()
            redis_empty = redis.memory
            redis.fill((entry["address"], record_text(entry)) for entry in pages(daemon))
            restart(daemon)
            daemon.wait_until_memory_is_stable()
            ours, theirs = (daemon.memory - empty) / len(some), (redis.memory - redis_empty) / len(some)
        yield Row(
            f"memory per address, {len(some):,} addresses, all postal codes and reverse names different",
            "Redis with the same records as JSON", 0.5, ours / theirs, lower_is_better=True,
            details=f"{ours:.0f} bytes, {theirs:.0f} bytes")


class Database:
    """The same records in SQLite, queried with its shell."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="iprecord-bench-sqlite.")
        self.path = os.path.join(self.folder.name, "records.db")
        self.shell, self.texts = None, []

    def fill(self, entries):
        """Inserts the entries, and starts the shell."""
        records = [{**(entry.get("record") or {}), "address": entry["address"]} for entry in entries]
        columns = list(dict.fromkeys(key for record in records for key in record))
        self.texts = [key for key in columns if any(isinstance(record.get(key), str) for record in records[:1_000])]
        with sqlite3.connect(self.path) as database:
            names = ", ".join(f'"{name}"' for name in columns)
            database.execute(f"CREATE TABLE records ({names}, PRIMARY KEY (address)) WITHOUT ROWID")
            database.executemany(
                f"INSERT INTO records VALUES ({', '.join('?' * len(columns))})",
                ([record.get(name) for name in columns] for record in records))
        self.shell = subprocess.Popen(["sqlite3", self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def search(self, word):
        """Returns the seconds for a page of matches and their total number, which `List` returns as well."""
        where = " OR ".join(f"\"{column}\" LIKE '%{word}%'" for column in self.texts)
        began = time.perf_counter()
        self.shell.stdin.write(
            f"SELECT count(*) FROM records WHERE {where};\nSELECT * FROM records WHERE {where} ORDER BY address LIMIT 100;\n"
            ".print done\n")
        self.shell.stdin.flush()
        while self.shell.stdout.readline() != "done\n":
            pass
        return time.perf_counter() - began

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.shell:
            self.shell.stdin.close()
            self.shell.wait()
        self.folder.cleanup()


def lateness(fixture):
    """Measures the time from a deadline to its call, with many deadlines spread evenly."""
    count, interval = 100_000, 300
    with MockProvider(fixture.programs) as provider, Daemon(fixture.programs, provider.endpoint, f"{interval}s") as daemon:
        daemon.start()
        daemon.spread(addresses(count), interval)
        client = daemon.client()
        client.socket.sendall(json.dumps(
            {"method": INTERFACE + "Monitor", "parameters": {"kinds": ["refreshed"]}, "more": True}).encode() + b"\0")
        expiry, late, end = {}, [], time.monotonic() + 2 * interval
        while time.monotonic() < end:
            event = json.loads(client.receive())["parameters"]["event"]
            entry = event["entry"]
            if entry["address"] in expiry:
                late.append(entry["scannedAt"] - expiry[entry["address"]])
            expiry[entry["address"]] = entry["expiresAt"]
        yield Row(
            f"lateness of refreshes, {count:,} addresses spread over {interval} s, 99th percentile", "the deadline", 50,
            percentile(late), unit="ms", lower_is_better=True,
            details=f"of {len(late):,} refreshes, median {statistics.median(late):.0f} ms")


def windows(fixture):
    """Measures the use of the quota while more records are due than it allows."""
    length, windows = 60, 10
    with MockProvider(fixture.programs, "--window", str(length)) as provider, Daemon(fixture.programs, provider.endpoint) as daemon:
        daemon.start()
        client = daemon.client()
        some = addresses(100_000)
        for start in range(0, len(some), 10_000):
            client.call("Add", addresses=some[start:start + 10_000])
        time.sleep((length + 2) * windows)
        made = log(provider)
    refused = sum(entry.get("status") == 429 for entry in made)
    for endpoint, limit in (("batch", 15), ("single", 45)):
        times = [entry["boot"] / 1e9 for entry in made if entry["endpoint"] == endpoint]
        # A window opens with its first request.
        opened = []
        for at in times:
            if not opened or at - opened[-1][0] >= length:
                opened.append([at, 0])
            opened[-1][1] += 1
        whole = opened[:-1][:windows]
        gaps = [later[0] - earlier[0] - length for earlier, later in zip(whole, opened[1:])]
        yield Row(
            f"{endpoint} requests used per window ({limit}), minimum of {len(whole)} windows", "the limit", 1,
            min(used for _, used in whole) / limit, details=f"{refused} refused")
        yield Row(
            f"longest delay from the end of a window to the next {endpoint} call", "the end of the window",
            1.1, max(gaps), unit="s",
            lower_is_better=True)


MEASUREMENTS = {
    "serving": serving,
    "command-line": command_line,
    "refreshing": refreshing,
    "million": million,
    "questions": questions,
    "enriching": enriching,
    "exporting": exporting,
    "distinct": distinct,
    "idle": idle,
    "lateness": lateness,
    "windows": windows,
    "cycle": cycle,
}
NAMES = list(MEASUREMENTS)


def measure(fixture, names):
    for name, measurement in MEASUREMENTS.items():
        if name in names:
            yield from measurement(fixture)
