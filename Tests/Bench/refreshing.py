"""The measurements of refreshes: CPU time and written bytes per record, and a full cycle of ten million addresses."""
import os
import signal
import statistics
import subprocess
import time

from figures import Row, addresses, alternate, calls, log, percentile, ratio, refreshed
from servers import Daemon, MockProvider

COUNT, INTERVAL = 100_000, 20
SCANNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scanner.py")


def refreshing(fixture):
    """Measures the CPU time and the written bytes of refreshes, against a script that stores the same records."""
    with Pair(fixture) as pair:
        pair.fill()
        unchanged, theirs = alternate([pair.refresh, pair.script], rounds=3)
        yield against("refreshed records per second of CPU time, nothing changed", 10, unchanged, theirs)
        yield written("bytes written per refreshed record, nothing changed", 100, unchanged)

        def refresh_changed():
            pair.provider.administer("change")
            return pair.refresh()

        changed, theirs = alternate([refresh_changed, pair.script], rounds=3)
        yield against("refreshed records per second of CPU time, every record changed", 2.5, changed, theirs)
        yield written("bytes written per refreshed record, every record changed", 500, changed)
    with Pair(fixture) as pair:
        pair.fill_one_by_one()
        pair.fail_for_a_while()
        pair.daemon.stop()
        pair.daemon.start()
        # After the restart, each record is written once.
        time.sleep(2 * INTERVAL)
        ours, theirs = alternate([pair.refresh, pair.script], rounds=3)
        yield against(
            "the same, nothing changed, after one-by-one additions, failures and a restart", 7, ours, theirs)


def against(what, bound, ours, theirs):
    ours = [round.rate for round in ours]
    return Row(
        what, "Python, requests and sqlite3", bound, ratio(ours, theirs),
        details=f"{statistics.median(ours):,.0f}, {statistics.median(theirs):,.0f}")


def written(what, bound, rounds):
    return Row(
        what, "none", bound, statistics.median(round.written for round in rounds), unit="B", lower_is_better=True)


class Round:
    """The figures of one interval, in which each record is refreshed once."""

    def __init__(self, records, seconds, written):
        self.rate, self.written = records / seconds, written / records


class Pair:
    """A daemon and its provider, with records that are refreshed at a short interval."""

    def __init__(self, fixture):
        self.addresses = addresses(COUNT)
        self.provider = MockProvider(
            fixture.programs, "--batch-quota", "none", "--single-quota", "none", "--keep-elements")
        self.daemon = Daemon(fixture.programs, self.provider.endpoint, f"{INTERVAL}s")
        self.daemon.start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.daemon.close()
        self.provider.close()

    def fill(self):
        self.add(self.addresses)
        # After the first interval, all records exist.
        time.sleep(2 * INTERVAL)

    def fill_one_by_one(self):
        """Adds every tenth address alone, at different times of an interval."""
        alone = self.addresses[::10]
        self.add([address for index, address in enumerate(self.addresses) if index % 10])
        client, begun = self.daemon.client(), time.monotonic()
        for index, address in enumerate(alone):
            time.sleep(max(0, begun + INTERVAL * index / len(alone) - time.monotonic()))
            client.call("Add", addresses=[address])
        client.close()
        time.sleep(2 * INTERVAL)

    def fail_for_a_while(self):
        """Leaves every tenth address of a batch without an answer."""
        self.provider.administer("fault", name="missingElements=10", endpoint="batch")
        time.sleep(INTERVAL)
        self.provider.administer("fault", "DELETE")
        time.sleep(3 * INTERVAL)

    def add(self, some):
        client = self.daemon.client()
        for start in range(0, len(some), 10_000):
            client.call("Add", addresses=some[start:start + 10_000])
        client.close()

    def refresh(self):
        """Measures an interval, in which each record is due once."""
        # The script stopped the daemon, which now catches up.
        time.sleep(INTERVAL)
        made, cpu, written = calls(self.provider), self.daemon.cpu, self.daemon.written
        time.sleep(INTERVAL)
        records = sum(len(entry["addresses"]) for entry in log(self.provider, after=made))
        return Round(records, self.daemon.cpu - cpu, self.daemon.written - written)

    def script(self):
        """Returns the records per second of CPU time of the script."""
        path = os.path.join(self.daemon.folder, "addresses")
        with open(path, "w") as file:
            file.write("\n".join(self.addresses[:COUNT // 5]))
        self.daemon.process.send_signal(signal.SIGSTOP)
        try:
            output = subprocess.run(
                ["python3", SCANNER, self.provider.endpoint, path + ".db", path], check=True, capture_output=True,
                text=True).stdout
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)
        done, seconds = output.split()
        return int(done) / float(seconds)


def cycle(fixture):
    """Measures whether ten times as many addresses as in the other large measurements are all refreshed in time."""
    seconds = 300
    some = addresses(10 * fixture.many)
    sample = some[::len(some) // 1_000]
    options = ("--batch-quota", "none", "--single-quota", "none", "--keep-elements")
    with MockProvider(fixture.programs, *options) as provider, \
            Daemon(fixture.programs, provider.endpoint, f"{seconds}s") as daemon:
        daemon.start()
        client = daemon.client()
        for start in range(0, len(some), 10_000):
            client.call("Add", addresses=some[start:start + 10_000])
        while client.call("Status")["entries"]["loading"] > 0:
            time.sleep(1)
        # Some refreshes had to wait until all addresses had been added.
        time.sleep(2 * seconds)
        made = calls(provider)
        late = refreshed(daemon, sample, within=seconds)
        share = 100 * (calls(provider) - made) / len(some)
        stale = client.call("Status")["entries"]["stale"]
        yield Row(
            f"records refreshed in {seconds} s, of {len(some):,}", "all of them", 0.99, share,
            details=f"{stale:,} stale afterwards")
        yield Row(
            f"lateness of refreshes, {len(some):,} addresses, 99th percentile", "the deadline", 1_000,
            percentile(late), unit="ms", lower_is_better=True, details=f"median {statistics.median(late):.0f} ms")
