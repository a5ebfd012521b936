"""A row of the table, and the figures that several measurements need."""
import ipaddress
import json
import os
import statistics
import time
import urllib.request

from servers import INTERFACE

ROUNDS = 5


class Row:
    """One line of the table."""

    def __init__(self, what, against, bound, value, unit="×", lower_is_better=False, details=""):
        self.what, self.against, self.bound, self.value = what, against, bound, value
        self.unit, self.lower_is_better, self.details = unit, lower_is_better, details

    @property
    def is_met(self):
        return self.value <= self.bound if self.lower_is_better else self.value >= self.bound

    def __str__(self):
        bound = f"{self.bound:g} {self.unit}{' or less' if self.lower_is_better else ''}"
        return (f"| {self.what} | {self.against} | {bound} | **{self.value:.3g} {self.unit}** {self.details} "
                f"| {'met' if self.is_met else 'missed'} |")


def addresses(count):
    """Returns public addresses, always the same ones, spread like those of a real list."""
    found, number = [], 0x0100_0000
    while len(found) < count:
        number = (number + 2_654_435) & 0xFFFF_FFFF
        address = ipaddress.IPv4Address(number)
        if address.is_global and not address.is_multicast:
            found.append(str(address))
    return list(dict.fromkeys(found))


def alternate(measures, rounds=ROUNDS):
    """Takes the measurements alternately; returns a list of results for each."""
    results = [[] for _ in measures]
    for turn in range(rounds):
        order = range(len(measures)) if turn % 2 == 0 else reversed(range(len(measures)))
        for place in order:
            results[place].append(measures[place]())
    return results


def ratio(ours, theirs):
    """Returns the median of the ratios of all rounds."""
    return statistics.median(a / b for a, b in zip(ours, theirs))


def time_of(*arguments):
    """Returns the milliseconds from the start of a program to its end."""
    began = time.perf_counter()
    process = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status = os.waitpid(process, 0)
    if status != 0:
        raise RuntimeError(f"{arguments} exited with status {status}")
    return 1_000 * (time.perf_counter() - began)


def percentile(times, share=0.99):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def restart(server):
    server.stop()
    return server.start()


def pages(daemon):
    """Yields all entries of the list."""
    client, after = daemon.client(), {}
    while True:
        page = client.call("List", limit=1_000, **after)
        yield from page["entries"]
        if page.get("next") is None:
            return
        after = {"after": page["next"]}


def searchable(entry):
    return [text.split()[0] for text in (entry.get("record") or {}).values() if isinstance(text, str) and len(text) > 4]


def calls(provider):
    with urllib.request.urlopen(provider.endpoint + "/_admin/state") as reply:
        return json.load(reply)["calls"]


def log(provider, after=0):
    """Returns the provider's calls, without the given number of first calls."""
    with urllib.request.urlopen(f"{provider.endpoint}/_admin/calls?after={after}") as reply:
        return json.load(reply)


def record_text(entry):
    """Returns a record as it would be stored in Redis: as JSON without unknown fields."""
    record = {key: value for key, value in (entry.get("record") or {}).items() if value is not None}
    return json.dumps(record, separators=(",", ":"))


def refreshed(daemon, sample, within):
    """Returns the milliseconds from the deadline of each address to its call, for calls within some seconds."""
    client, listener = daemon.client(), daemon.client()
    expiry = {entry["address"]: entry["expiresAt"] for entry in client.call("Show", addresses=sample, wait=0)["entries"]}
    listener.socket.sendall(json.dumps({
        "method": INTERFACE + "Monitor", "parameters": {"kinds": ["refreshed"], "addresses": sample}, "more": True,
    }).encode() + b"\0")
    late, end = [], time.monotonic() + within
    while time.monotonic() < end and len(late) < len(sample):
        listener.socket.settimeout(max(0.001, end - time.monotonic()))
        try:
            entry = json.loads(listener.receive())["parameters"]["event"].get("entry")
        except TimeoutError:
            break
        # The first event of an address may belong to the previous round.
        if entry and entry["scannedAt"] >= expiry[entry["address"]]:
            late.append(entry["scannedAt"] - expiry[entry["address"]])
    # Addresses without a refresh count as late by the whole time.
    return late + [1_000 * within] * (len(sample) - len(late))
