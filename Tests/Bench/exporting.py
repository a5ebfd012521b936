"""The measurements of `ipctl export --format mmdb`."""
import os
import statistics
import subprocess
import time

from figures import Row, addresses
from servers import Daemon, MockProvider

ROUNDS = 5


def exporting(fixture):
    """Measures the export of many records into an MMDB file."""
    some = addresses(fixture.many)
    path = os.path.join(fixture.folder.name, "export.mmdb")
    with MockProvider(fixture.programs) as provider, Daemon(fixture.programs, provider.endpoint) as daemon:
        daemon.configure(provider.endpoint, "1d")
        daemon.start()
        daemon.fill(some)
        ipctl = os.path.join(fixture.programs, "ipctl")
        exports = [export([ipctl, "--socket", daemon.socket, "export", "--file", path]) for _ in range(ROUNDS)]
    written = os.path.getsize(path)
    os.unlink(path)
    seconds = [each[0] for each in exports]
    megabytes = [each[1] for each in exports]
    name = f"`ipctl export --format mmdb`, {len(some):,} addresses"
    yield Row(
        f"{name}, median of {ROUNDS}", "none", 10 * len(some) / 1e6, statistics.median(seconds), unit="s",
        lower_is_better=True, details=f"{min(seconds):.1f} to {max(seconds):.1f} s, {written / 1e6:.0f} MB")
    yield Row(
        f"{name}: resident memory of ipctl", "none", 200, max(megabytes), unit="MB", lower_is_better=True)


def export(command):
    """Returns the seconds that an export takes, and the resident memory of the process in megabytes."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    message = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0 or " addresses written" not in message:
        raise RuntimeError(f"unexpected status {status} of ipctl export: {message}")
    return time.perf_counter() - began, usage.ru_maxrss * 1024 / 1e6
