"""The measurements of `ipctl enrich` with known addresses."""
import os
import statistics
import subprocess
import time

from figures import Row, addresses, percentile, time_of
from servers import Daemon, MockProvider

ROUNDS = 5
LINES = 1_000_000
KNOWN = 10_000
# Lines that are written one by one, as by a program that logs.
SINGLE_LINES = 1_000


def enriching(fixture):
    """Measures the rate of lines, and the delay of a single line."""
    ipctl = os.path.join(fixture.programs, "ipctl")
    some = addresses(KNOWN)
    with MockProvider(fixture.programs) as provider, Daemon(fixture.programs, provider.endpoint) as daemon:
        daemon.configure(provider.endpoint, "1d")
        daemon.start()
        daemon.fill(some)
        command = [ipctl, "--socket", daemon.socket, "enrich"]
        for name, line in (("text", access_line), ("jsonl", json_line), ("logfmt", logfmt_line)):
            path = os.path.join(fixture.folder.name, f"enrich.{name}")
            with open(path, "w") as file:
                file.writelines(line(some[number * 7 % KNOWN], number) for number in range(LINES))
            check(command, name, path)
            times = [time_of(*command, "--format", name, path) for _ in range(ROUNDS)]
            rates = [1e3 * LINES / milliseconds for milliseconds in times]
            yield Row(
                f"`ipctl enrich --format {name}`, {LINES:,} lines with {KNOWN:,} known addresses", "none", 200_000,
                statistics.median(rates), unit="lines/s", details=f"slowest {min(rates):,.0f} lines/s")
            os.unlink(path)
        delays = single_lines(command, some)
        yield Row(
            "delay of a single line of `ipctl enrich`, 99th percentile", "none", 10, percentile(delays), unit="ms",
            lower_is_better=True, details=f"median {statistics.median(delays):.2f} ms, {len(delays):,} lines")


def access_line(address, number):
    return (f'{address} - - [21/Nov/2026:08:30:00 +0000] "GET /articles/{number} HTTP/1.1" 200 5120 '
            '"https://example.com/" "Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0"\n')


def json_line(address, number):
    return f'{{"time":"2026-11-21T08:30:00Z","client":"{address}","path":"/articles/{number}","status":200}}\n'


def logfmt_line(address, number):
    return f'time=2026-11-21T08:30:00Z client={address} path="/articles/{number}" status=200 msg="user agent \\"x\\""\n'


def check(command, name, path):
    """Raises an error unless lines are enriched."""
    with open(path) as file:
        first = "".join(file.readline() for _ in range(100))
    output = subprocess.run([*command, "--format", name], input=first, check=True, capture_output=True, text=True).stdout
    if "countryCode" not in output:
        raise RuntimeError(f"unexpected output of ipctl enrich: {output}")


def single_lines(command, some):
    """Returns the milliseconds from the writing of each line to its enriched line."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    delays = []
    for number in range(SINGLE_LINES):
        began = time.perf_counter()
        process.stdin.write(access_line(some[number], number).encode())
        process.stdout.readline()
        delays.append(1e3 * (time.perf_counter() - began))
    process.stdin.close()
    process.wait(10)
    return delays
