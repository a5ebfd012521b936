"""Measurements of how costs grow with the number of addresses, and their plot."""
import contextlib
import json
import math
import statistics
import time
from concurrent import futures

from figures import addresses, percentile, refreshed, restart
from rows import Fixture
from servers import INTERFACE, Daemon, MockProvider, call

# Numbers of addresses, all of which are refreshed in time.
SIZES = (1_000, 10_000, 100_000, 1_000_000)
LARGEST = 10_000_000
INTERVAL = 300
# Number of addresses whose lateness is measured; more would load the daemon.
SAMPLE = 1_000
# Seconds between the refreshes of the sample and those of the other addresses, for the largest list.
APART = 90


class Point:
    """The figures of one number of addresses; None for a figure that was not measured."""

    NAMES = {
        "rate": "records per second, Show of 100", "memory": "bytes per address", "start": "seconds to READY",
        "late": "lateness in ms, 99th percentile"}

    def __init__(self, count):
        self.count = count
        self.rate = self.memory = self.start = self.late = None

    def __str__(self):
        figures = (getattr(self, name) for name in self.NAMES)
        return f"| {self.count:,} | " + " | ".join("" if figure is None else f"{figure:,.3g}" for figure in figures) + " |"


def measure(programs, largest=LARGEST):
    """Yields a point for each size."""
    fixture = Fixture(programs, 0)
    sizes = [size for size in SIZES if size <= largest]
    with contextlib.ExitStack() as stack:
        # Concurrently: each round takes ten minutes and little CPU time.
        with futures.ThreadPoolExecutor() as threads:
            rounds = [threads.submit(a_round, stack, fixture, size) for size in sizes]
        for size, spread in zip(sizes, rounds):
            yield point(fixture, size, *spread.result())
    if largest > SIZES[-1]:
        with MockProvider(fixture.programs) as provider, Daemon(fixture.programs, provider.endpoint, "1d") as daemon:
            daemon.start()
            empty = daemon.memory
            late = among(daemon, provider.endpoint, addresses(largest))
            daemon.stop()
            daemon.configure(provider.endpoint, "1d")
            yield point(fixture, largest, daemon, empty, late)


def a_round(stack, fixture, count):
    """Returns a stopped daemon with this number of records, its memory when empty, and its lateness."""
    provider = stack.enter_context(MockProvider(fixture.programs))
    daemon = stack.enter_context(Daemon(fixture.programs, provider.endpoint, f"{INTERVAL}s"))
    daemon.start()
    empty = daemon.memory
    late = lateness(daemon, addresses(count))
    # Nothing is due from here on.
    daemon.stop()
    daemon.configure(provider.endpoint, "1d")
    return daemon, empty, late


def point(fixture, count, daemon, empty, late):
    result = Point(count)
    result.late = late
    daemon.start()
    result.start = statistics.median(restart(daemon) for _ in range(3))
    daemon.wait_until_memory_is_stable()
    result.memory = (daemon.memory - empty) / count
    some = addresses(count)
    load = fixture.load(daemon.socket, call("Show", addresses=some[::max(1, count // 100)][:100], wait=0), 1, 1)
    result.rate = load["rate"] * 100
    daemon.stop()
    return result


def lateness(daemon, some):
    """Returns the 99th percentile of milliseconds from a deadline to its call, for a sample in the second round.

    The deadlines are spread evenly over the interval."""
    daemon.spread(some, INTERVAL)
    return percentile(refreshed(daemon, some[::max(1, len(some) // SAMPLE)], within=INTERVAL))


def among(daemon, endpoint, some):
    """Returns the lateness of a sample among more addresses than this host could refresh.

    The other addresses are in the schedule, but due later."""
    sample = some[:SAMPLE]
    daemon.spread(sample, APART / 6)
    begun = time.time()
    time.sleep(APART)
    daemon.fill(some)
    daemon.stop()
    # The first of them are due once the daemon has started.
    daemon.configure(endpoint, f"{math.ceil(time.time() - begun) + APART}s")
    daemon.start()
    return percentile(refreshed(daemon, sample, within=APART))


# MARK: The plot


WIDTH, HEIGHT, MARGIN = 360, 240, 48


def plot(points):
    """Returns the points as SVG: a log-log panel for each figure, with n log n as the bound of the start time."""
    panels = []
    for place, (name, label) in enumerate(Point.NAMES.items()):
        known = [(point.count, getattr(point, name)) for point in points if getattr(point, name) is not None]
        known = [(count, max(figure, 1e-3)) for count, figure in known]
        panels.append(
            f'<g transform="translate({place % 2 * WIDTH},{place // 2 * HEIGHT})">{panel(known, name, label)}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{2 * HEIGHT}" font-family="sans-serif" '
        f'font-size="11"><rect width="100%" height="100%" fill="white"/>{"".join(panels)}</svg>\n')


def panel(known, name, label):
    if not known:
        return ""
    xs, ys = [math.log10(count) for count, _ in known], [math.log10(figure) for _, figure in known]
    left, right = math.floor(min(xs)), max(math.ceil(max(xs)), math.floor(min(xs)) + 1)
    low, high = math.floor(min(ys)), max(math.ceil(max(ys)), math.floor(min(ys)) + 1)

    def at(x, y):
        return (MARGIN + (x - left) / (right - left) * (WIDTH - 1.5 * MARGIN),
                HEIGHT - MARGIN - (y - low) / (high - low) * (HEIGHT - 2 * MARGIN))

    lines = [f'<text x="{WIDTH / 2}" y="{MARGIN / 2}" text-anchor="middle" font-weight="bold">{label}</text>']
    for x in range(left, right + 1):
        (x1, y1), (_, y2) = at(x, low), at(x, high)
        lines.append(f'<path d="M{x1:.1f} {y1:.1f}V{y2:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{x1:.1f}" y="{y1 + 16:.1f}" text-anchor="middle">{10 ** x:,}</text>')
    for y in range(low, high + 1):
        (x1, y1), (x2, _) = at(left, y), at(right, y)
        lines.append(f'<path d="M{x1:.1f} {y1:.1f}H{x2:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{x1 - 4:.1f}" y="{y1 + 4:.1f}" text-anchor="end">{10 ** y:g}</text>')
    if name == "start":
        # From the first point on.
        bound = [(x, ys[0] + (x - xs[0]) + math.log10(x / xs[0])) for x in xs]
        lines.append(f'<path d="{path(at, bound)}" fill="none" stroke="#999" stroke-dasharray="4 3"/>')
        lines.append(f'<text x="{WIDTH - MARGIN}" y="{MARGIN + 12}" text-anchor="end" fill="#999">n log n</text>')
    lines.append(f'<path d="{path(at, zip(xs, ys))}" fill="none" stroke="#06c" stroke-width="2"/>')
    lines += [f'<circle cx="{at(x, y)[0]:.1f}" cy="{at(x, y)[1]:.1f}" r="3" fill="#06c"/>' for x, y in zip(xs, ys)]
    return "".join(lines)


def path(at, points):
    return "M" + "L".join("{:.1f} {:.1f}".format(*at(x, y)) for x, y in points)
