"""iprecord-web with the real daemon and the mock provider, and clients for the tests."""
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
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
                raise AssertionError("iprecord-web did not start")
            time.sleep(0.01)
        self.port = int(self.base.rsplit(":", 1)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def request(self, path, method="GET", body=None, headers=None, unix=False):
        """Returns the response, whose body is in `text`, and in `json` if it is JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        if unix:
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(self.path)
        try:
            text = None if body is None else json.dumps(body)
            typed = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, body=text, headers={**typed, **(headers or {})})
            response = connection.getresponse()
            response.text = response.read().decode()
            response.json = json.loads(response.text) if "json" in (response.getheader("Content-Type") or "") else None
            return response
        finally:
            connection.close()

    def close(self):
        """Ends the server, and returns its status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(10)
        self.folder.cleanup()
        return status


class WebTests(unittest.TestCase):
    interval = "5m"
    options = ()
    count = 300

    def setUp(self):
        self.provider = MockProvider(PROGRAMS, "--batch-quota", "none", "--single-quota", "none")
        self.provider.__enter__()
        self.addCleanup(self.provider.__exit__, None, None, None)
        self.daemon = Daemon(PROGRAMS, self.provider.endpoint, self.interval)
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


__all__ = ["PROGRAMS", "Daemon", "MockProvider", "Web", "WebTests", "addresses"]
