"""The measurements of questions about the whole list, and of lookups by another client meanwhile."""
import os
import statistics
import subprocess
import threading
import time

from figures import Row, addresses, percentile, time_of
from servers import Daemon, MockProvider

ROUNDS = 20


def questions(fixture):
    """Measures `ipctl count` and a sorted `ipctl list` with many addresses."""
    some = addresses(fixture.many)
    ipctl = os.path.join(fixture.programs, "ipctl")
    with MockProvider(fixture.programs) as provider, Daemon(fixture.programs, provider.endpoint) as daemon:
        daemon.start()
        daemon.fill(some)
        name = f"{len(some):,} addresses"
        for field in ("asn", "city"):
            count = ["--socket", daemon.socket, "count", "--by", field]
            groups = subprocess.run([ipctl, *count, "--format", "csv"], check=True, capture_output=True).stdout
            if groups.count(b"\n") < 10:
                raise RuntimeError(f"unexpected output of ipctl count: {groups}")
            with Prober(daemon, some[0]) as prober:
                times = [time_of(ipctl, *count) for _ in range(ROUNDS)]
            yield row(f"`ipctl count --by {field}`, whole process, {name}, slowest of {ROUNDS}", 300, max(times), times)
            yield row("`Show` of one meanwhile, 99th percentile", 10, percentile(prober.times), prober.times)
        page = ["--socket", daemon.socket, "list", "--sort", "isp", "--columns", "address,isp,asname", "--limit", "100"]
        with Prober(daemon, some[0]) as prober:
            times = [time_of(ipctl, *page) for _ in range(ROUNDS)]
        yield row(f"`ipctl list --sort isp`, first page, {name}, slowest of {ROUNDS}", 500, max(times), times)
        yield row("`Show` of one meanwhile, 99th percentile", 10, percentile(prober.times), prober.times)


def row(name, bound, value, times):
    return Row(
        name, "none", bound, value, unit="ms", lower_is_better=True,
        details=f"median {statistics.median(times):.2f} ms, {len(times)} times")


class Prober:
    """A client that looks up an address every few milliseconds, and measures the times of the replies."""

    PAUSE = 0.002

    def __init__(self, daemon, address):
        self.client, self.address = daemon.client(), address
        # In milliseconds.
        self.times = []
        self.has_ended = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.has_ended.wait(self.PAUSE):
            began = time.perf_counter()
            self.client.call("Show", addresses=[self.address], wait=0)
            self.times.append(1e3 * (time.perf_counter() - began))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.has_ended.set()
        self.thread.join()
        self.client.close()
