"""The compared servers: iprecordd with the mock provider, and redis-server."""
import json
import math
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

INTERFACE = "io.iprecord.Control."


def call(method, **parameters):
    """The bytes of a Varlink call (varlink.org/Wire-Protocol)."""
    return json.dumps({"method": INTERFACE + method, "parameters": parameters}).encode() + b"\0"


def command(*words):
    """The bytes of a Redis command (redis.io, "RESP protocol spec")."""
    words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


class Server:
    """A process in its own directory."""

    process = None

    def __init__(self, prefix):
        self.folder = tempfile.mkdtemp(prefix=prefix)

    def run(self, arguments, **options):
        self.process = subprocess.Popen(arguments, **options)

    def status(self, key):
        """Returns a figure of /proc/PID/status; figures of memory in bytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            words = next(line for line in file if line.startswith(key + ":")).split()
        return int(words[1]) * (1024 if words[-1] == "kB" else 1)

    @property
    def memory(self):
        return self.status("VmRSS")

    @property
    def cpu(self):
        """The CPU time in seconds."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def written(self):
        """The bytes that it has caused to be written to storage, in whole pages (proc_pid_io(5), "write_bytes")."""
        with open(f"/proc/{self.process.pid}/io") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("write_bytes:"))

    @property
    def anonymous(self):
        """The anonymous memory in bytes; the kernel can drop the rest at any time."""
        return self.status("RssAnon")

    @property
    def runs(self):
        """The number of context switches of each thread since its start."""
        counts = {}
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/status") as file:
                counts[thread] = sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
        return counts

    def wakeups(self, seconds):
        """Counts the context switches of all threads in some seconds; the end of a thread counts as well."""
        before = self.runs
        time.sleep(seconds)
        after = self.runs
        ended = len(before.keys() - after.keys())
        return ended + sum(count - before.get(thread, 0) for thread, count in after.items())

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()

    def close(self):
        self.stop()
        shutil.rmtree(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class MockProvider(Server):
    """The mock provider, by default without a quota.

    Addresses share 3,400 places and some 1,300 networks: with a million addresses, some three hundred share a place.
    """

    VARIETY = ("--variety", "100")

    def __init__(self, programs, *options, host="127.0.0.1", runner=()):
        """If `runner` is given, the program runs under that command."""
        super().__init__("iprecord-bench-provider.")
        self.run(
            [*runner, os.path.join(programs, "ip-api-stand-in"), "--bind", f"{host}:0",
             *self.VARIETY,
             *(options or ("--batch-quota", "none", "--single-quota", "none"))], stdout=subprocess.PIPE, text=True)
        self.endpoint = self.process.stdout.readline().split()[-1]

    def administer(self, action, method="POST", **parameters):
        """Sends an administrative request."""
        query = urllib.parse.urlencode(parameters)
        request = urllib.request.Request(f"{self.endpoint}/_admin/{action}?{query}", method=method)
        with urllib.request.urlopen(request):
            pass


class Daemon(Server):
    def __init__(self, programs, endpoint, interval="1d", runner=()):
        """If `runner` is given, the program runs under that command."""
        super().__init__("iprecord-bench.")
        self.programs, self.runner = programs, runner
        self.socket = os.path.join(self.folder, "control.sock")
        self.database = os.path.join(self.folder, "records.db")
        self.configure(endpoint, interval)

    def configure(self, endpoint, interval):
        with open(os.path.join(self.folder, "iprecordd.toml"), "w") as file:
            file.write(
                f'[refresh]\ninterval = "{interval}"\n[provider]\nendpoint = "{endpoint}"\n'
                f'[control]\nsocket = "{self.socket}"\n[store]\npath = "{self.database}"\n'
                f'[watch]\ndirectory = "{self.folder}/watch.d"\n')

    def start(self):
        """Starts the daemon, and returns the seconds until it is ready (sd_notify(3))."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            path = os.path.join(self.folder, "notify")
            if os.path.exists(path):
                os.unlink(path)
            notified.bind(path)
            notified.settimeout(600)
            began = time.monotonic()
            with open(os.path.join(self.folder, "log"), "ab") as log:
                self.run(
                    [*self.runner, os.path.join(self.programs, "iprecordd"), "--config",
                     os.path.join(self.folder, "iprecordd.toml")],
                    env=dict(os.environ, NOTIFY_SOCKET=path), stdout=log, stderr=log)
            while b"READY=1" not in notified.recv(65_536):
                pass
            return time.monotonic() - began

    def client(self):
        return Client(self.socket)

    def wait_until_memory_is_stable(self):
        """Waits until its memory has not changed for five seconds, because it frees memory when idle."""
        before, unchanged = self.memory, 0
        while unchanged < 5:
            time.sleep(1)
            now = self.memory
            unchanged = unchanged + 1 if abs(now - before) < 1 << 16 else 0
            before = now

    def fill(self, addresses, timeout=3_600):
        """Adds addresses, and waits until all have a record."""
        client = self.client()
        for start in range(0, len(addresses), 10_000):
            client.call("Add", addresses=addresses[start:start + 10_000])
        end = time.monotonic() + timeout
        # Some addresses that Python considers public have no record, because nobody uses them.
        while sum(client.call("Status")["entries"][state] for state in ("fresh", "empty")) < len(addresses):
            if time.monotonic() > end:
                raise TimeoutError(f"not all {len(addresses):,} addresses had a record within {timeout} s")
            time.sleep(0.2)
        client.close()

    def spread(self, addresses, seconds):
        """Adds addresses, a few at a time, evenly over some seconds, and waits for the last record."""
        client = self.client()
        step = max(1, math.ceil(len(addresses) / (seconds * 10)))
        begun = time.monotonic()
        for start in range(0, len(addresses), step):
            time.sleep(max(0, begun + seconds * start / len(addresses) - time.monotonic()))
            client.call("Add", addresses=addresses[start:start + step])
        client.call("Show", addresses=addresses[-step:])
        client.close()


class Client:
    """A Varlink connection."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.buffer = bytearray()

    def exchange(self, request):
        """Sends a call, and returns the bytes of the reply without its NUL."""
        self.socket.sendall(request)
        return self.receive()

    def receive(self):
        start = 0
        while True:
            end = self.buffer.find(b"\0", start)
            if end >= 0:
                message = bytes(self.buffer[:end])
                del self.buffer[:end + 1]
                return message
            start = len(self.buffer)
            data = self.socket.recv(1 << 20)
            if not data:
                raise ConnectionError("the server closed the connection")
            self.buffer += data

    def call(self, method, **parameters):
        reply = json.loads(self.exchange(call(method, **parameters)))
        if "error" in reply:
            raise RuntimeError(f"{method} failed: {reply}")
        return reply["parameters"]

    def close(self):
        self.socket.close()


class Redis(Server):
    def __init__(self):
        super().__init__("iprecord-bench-redis.")
        self.socket = os.path.join(self.folder, "redis.sock")

    def start(self):
        """Starts the server, and returns the seconds until it accepts connections."""
        began = time.monotonic()
        self.run(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.folder, "--save", "",
             "--daemonize", "no"], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "eady to accept connections" in line:
                return time.monotonic() - began
        raise ConnectionError("redis-server did not start")

    def exchange(self, *requests):
        """Sends commands, and reads as many simple replies."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.connect(self.socket)
            client.sendall(b"".join(requests))
            missing = len(requests)
            while missing > 0:
                data = client.recv(1 << 20)
                if not data or data.startswith(b"-"):
                    raise ConnectionError(f"Redis command failed: {data}")
                missing -= data.count(b"\r\n")

    def fill(self, records):
        """Sets pairs of a key and a value."""
        batch = []
        for key, value in records:
            batch.append(command("SET", key, value))
            if len(batch) == 1_000:
                self.exchange(*batch)
                batch = []
        if batch:
            self.exchange(*batch)

    def save(self):
        self.exchange(command("SAVE"))
