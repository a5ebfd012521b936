"""iprecord-web with the real daemon and the mock provider, and clients for the tests."""
import http.client
import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Bench"))
from figures import addresses  # noqa: E402
from servers import Daemon, MockProvider  # noqa: E402

# The directory of iprecordd, iprecord-web, ipctl and ip-api-stand-in.
PROGRAMS = sys.argv[1]


class Web:
    """iprecord-web on a free port of the loopback interface and on a Unix socket."""

    def __init__(self, daemon, *options):
        self.folder = tempfile.TemporaryDirectory(prefix="iprecord-web.")
        self.path = os.path.join(self.folder.name, "http.sock")
        self.log = os.path.join(self.folder.name, "log")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [os.path.join(PROGRAMS, "iprecord-web"), "--socket", daemon.socket, "--listen", "127.0.0.1:0",
                 "--listen", f"unix:{self.path}", *options], stderr=log)
        self.base = None
        deadline = time.monotonic() + 10
        while self.base is None or not os.path.exists(self.path):
            with open(self.log) as file:
                for line in file:
                    if "listening on http" in line:
                        self.base = "http" + line.split("listening on http")[1].strip()
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                self.process.wait()
                raise AssertionError("iprecord-web did not start")
            time.sleep(0.01)
        self.port = int(self.base.rsplit(":", 1)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def request(self, path, method="GET", body=None, headers=None, unix=False):
        """Returns the response, whose body is in `text`, and in `json` if it is JSON."""
        response = self.bytes(path, method, headers, body, unix)
        response.text = response.bytes.decode()
        response.json = json.loads(response.text) if "json" in (response.getheader("Content-Type") or "") else None
        return response

    def bytes(self, path, method="GET", headers=None, body=None, unix=False):
        """Returns the response, whose body is in `bytes`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        if unix:
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(self.path)
        try:
            text = None if body is None else json.dumps(body)
            typed = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, body=text, headers={**typed, **(headers or {})})
            response = connection.getresponse()
            response.bytes = response.read()
            return response
        finally:
            connection.close()

    def close(self):
        """Ends the server, and returns its status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(10)
        finally:
            self.process.kill()
            self.process.wait()
            self.folder.cleanup()


class WebTests(unittest.TestCase):
    interval = "5m"
    options = ()
    count = 300

    def start_provider(self):
        return MockProvider(PROGRAMS, "--batch-quota", "none", "--single-quota", "none")

    def make_daemon(self):
        return Daemon(PROGRAMS, self.provider.endpoint, self.interval)

    def setUp(self):
        self.provider = self.start_provider()
        self.provider.__enter__()
        self.addCleanup(self.provider.__exit__, None, None, None)
        self.daemon = self.make_daemon()
        self.daemon.__enter__()
        self.addCleanup(self.daemon.__exit__, None, None, None)
        self.daemon.start()
        self.client = self.daemon.client()
        self.addCleanup(lambda: self.client.close())
        self.addresses = addresses(self.count)
        for start in range(0, self.count, 10_000):
            self.client.call("Add", addresses=self.addresses[start:start + 10_000])
        while self.client.call("Status")["entries"]["loading"] > 0:
            time.sleep(0.05)
        self.web = Web(self.daemon, *self.options)
        self.addCleanup(self.end)

    def end(self):
        self.assertEqual(self.web.close(), 0, "the server ends with status 0")


class ChangingTests(WebTests):
    """Tests of a server that allows changes: over TCP with the token."""

    def setUp(self):
        self.token = os.urandom(16).hex()
        folder = tempfile.TemporaryDirectory(prefix="iprecord-token.")
        self.addCleanup(folder.cleanup)
        token_file = os.path.join(folder.name, "token")
        with open(token_file, "w") as file:
            file.write(self.token + "\n")
        self.options = ("--allow-changes", "--token-file", token_file)
        super().setUp()


class Namespaces:
    """Two network namespaces, for the daemon and for the provider, with a link between them."""

    daemon, provider = (f"iprecord-{os.getpid()}-{side}" for side in ("daemon", "provider"))
    address = "10.80.0.2"

    def __enter__(self):
        for name in (self.daemon, self.provider):
            self.ip("netns", "add", name)
        peer = ("peer", "name", "eth0", "netns", self.provider)
        self.ip("link", "add", "eth0", "netns", self.daemon, "type", "veth", *peer)
        for name, address in ((self.daemon, "10.80.0.1"), (self.provider, self.address)):
            self.ip("-n", name, "address", "add", f"{address}/24", "dev", "eth0")
            self.ip("-n", name, "link", "set", "eth0", "up")
        return self

    def set_link(self, state):
        """Sets the daemon's link to "up" or "down"."""
        self.ip("-n", self.daemon, "link", "set", "eth0", state)

    @staticmethod
    def runner(name):
        return ("ip", "netns", "exec", name)

    @staticmethod
    def ip(*arguments):
        subprocess.run(["ip", *arguments], check=True)

    def __exit__(self, *error):
        for name in (self.daemon, self.provider):
            subprocess.run(["ip", "netns", "delete", name], check=False)


class ForeignProvider:
    """A provider whose records have the same text in each text field."""

    def __init__(self, text):
        record = {name: text for name in (
            "continent", "continentCode", "country", "countryCode", "region", "regionName", "city", "district", "zip",
            "timezone", "currency", "isp", "org", "as", "asname", "reverse")}
        record.update(status="success", lat=1.5, lon=2.5, offset=0, mobile=False, proxy=False, hosting=False)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.reply({**record, "query": self.path.split("/json/")[1].split("?")[0]})

            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                queries = [item if isinstance(item, str) else item["query"] for item in asked]
                self.reply([{**record, "query": query} for query in queries])

            def reply(self, value):
                body = json.dumps(value).encode()
                self.send_response(200)
                for name, text in (("Content-Type", "application/json"), ("Content-Length", str(len(body))),
                                   ("X-Rl", "14"), ("X-Ttl", "60")):
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.endpoint = "http://127.0.0.1:%d" % self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


__all__ = [
    "PROGRAMS", "ChangingTests", "Daemon", "ForeignProvider", "MockProvider", "Namespaces", "Web", "WebTests",
    "addresses",
]
