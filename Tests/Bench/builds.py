"""The measurements of two builds beside each other, so that noise on the host affects both."""
import contextlib
import os
import shutil
import statistics
import tempfile
import time

from figures import Row, addresses, alternate, calls, log, percentile, ratio, restart, searchable, time_of
from servers import Daemon, MockProvider, call

# The share by which a build may be worse than the earlier one.
TOLERANCE = 0.1


def measure(fixture, earlier):
    """Yields rows of the fixture's programs against those in the directory `earlier`."""
    with installed(fixture.programs, earlier) as builds:
        for measurement in (serving, command_line, refreshing, many):
            yield from measurement(fixture, builds)


@contextlib.contextmanager
def installed(*builds):
    """Yields directories with copies of the programs of each build.

    A program that the linker has just written causes about 40 more page faults in each run than a copy, and installed
    programs are copies.
    """
    with tempfile.TemporaryDirectory(prefix="iprecord-bench.") as folder:
        copies = []
        for number, programs in enumerate(builds):
            copies.append(os.path.join(folder, str(number)))
            os.mkdir(copies[-1])
            for program in ("iprecordd", "ipctl"):
                shutil.copy(os.path.join(programs, program), copies[-1])
        yield tuple(copies)


@contextlib.contextmanager
def daemons(fixture, builds, interval="1d"):
    """Yields a started daemon of each build, each with its own mock provider."""
    with contextlib.ExitStack() as stack:
        pairs = []
        for programs in builds:
            provider = stack.enter_context(MockProvider(fixture.programs))
            daemon = stack.enter_context(Daemon(programs, provider.endpoint, interval))
            daemon.start()
            pairs.append((daemon, provider))
        yield pairs


def higher(what, ours, theirs, unit):
    """Returns the row of a figure that should be high."""
    return Row(what, "the earlier build", 1 - TOLERANCE, ratio(ours, theirs), details=medians(ours, theirs, unit))


def lower(what, ours, theirs, unit):
    """Returns the row of a figure that should be low."""
    return Row(
        what, "the earlier build", 1 + TOLERANCE, ratio(ours, theirs), lower_is_better=True,
        details=medians(ours, theirs, unit))


def medians(ours, theirs, unit):
    return f"{statistics.median(ours):,.4g} {unit}, {statistics.median(theirs):,.4g} {unit}"


def serving(fixture, builds):
    """Compares the rates of replies."""
    some = addresses(100)
    one, all_of_them = call("Show", addresses=some[:1], wait=0), call("Show", addresses=some, wait=0)
    with daemons(fixture, builds) as pairs:
        for daemon, _ in pairs:
            daemon.fill(some)
        for what, request, connections, pipelined in (
                ("`Show` of one, 1 connection", one, 1, 1), ("`Show` of one, 50 connections", one, 50, 1),
                ("`Show` of one, 50 connections, 16 pipelined", one, 50, 16),
                ("`Show` of 100, 1 connection", all_of_them, 1, 1)):
            ours, theirs = alternate([
                lambda daemon=daemon: fixture.load(daemon.socket, request, connections, pipelined, seconds=1)["rate"]
                for daemon, _ in pairs], rounds=19)
            yield higher(what, ours, theirs, "/s")


def command_line(fixture, builds):
    """Compares the time of the client from its start to its end."""
    with daemons(fixture, builds) as pairs:
        ours, theirs = alternate([
            lambda command=(os.path.join(daemon.programs, "ipctl"), "--socket", daemon.socket, "status"):
            time_of(*command) for daemon, _ in pairs], rounds=200)
        yield lower("`ipctl status`, whole process", ours, theirs, "ms")


def refreshing(fixture, builds):
    """Compares the refreshed records per second of CPU time, of both daemons at the same time."""
    count, interval = 20_000, 20
    with daemons(fixture, builds, f"{interval}s") as pairs:
        for daemon, _ in pairs:
            client = daemon.client()
            for start in range(0, count, 10_000):
                client.call("Add", addresses=addresses(count)[start:start + 10_000])
        # After the first round, all records exist.
        time.sleep(2 * interval)
        rates = [[], []]
        for _ in range(3):
            before = [(calls(provider), daemon.cpu) for daemon, provider in pairs]
            time.sleep(interval)
            for result, (daemon, provider), (made, cpu) in zip(rates, pairs, before):
                refreshed = sum(len(entry["addresses"]) for entry in log(provider, after=made))
                result.append(refreshed / (daemon.cpu - cpu))
        yield higher("refreshed records per second of CPU time", *rates, "/s")


def many(fixture, builds):
    """Compares memory, start and searches with many addresses, at most 200,000."""
    some = addresses(min(fixture.many, 200_000))
    with daemons(fixture, builds) as pairs:
        both = [daemon for daemon, _ in pairs]
        empty = [daemon.memory for daemon in both]
        for daemon in both:
            daemon.fill(some)
        entries = both[0].client().call("List", limit=1_000)["entries"]
        words = sorted({word for entry in entries[::20] for word in searchable(entry)})[:60]
        starts = alternate([lambda daemon=daemon: restart(daemon) for daemon in both], rounds=5)
        name = f"{len(some):,} addresses"
        for daemon in both:
            daemon.wait_until_memory_is_stable()
        yield lower(
            f"database file per record, {name}",
            *([os.path.getsize(daemon.database) / len(some)] for daemon in both), "B")
        yield lower("resident memory without addresses", *([figure / 1e6] for figure in empty), "MB")
        yield lower(
            f"memory per address, {name}",
            *([(daemon.memory - before) / len(some)] for daemon, before in zip(both, empty)), "bytes")
        yield lower(f"start with {name}", *starts, "s")
        times = alternate([lambda daemon=daemon: search(daemon, words) for daemon in both])
        yield lower(f"search of {name} for a page of 100, 99th percentile", *times, "ms")


def search(daemon, words):
    """Returns the 99th percentile of the milliseconds for a page of matches, one search for each word."""
    client, times = daemon.client(), []
    for word in words:
        began = time.perf_counter()
        client.call("List", search=word, limit=100)
        times.append(1_000 * (time.perf_counter() - began))
    client.close()
    return percentile(times)
