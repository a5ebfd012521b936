"""A simulated disk, which loses unsynced writes when the power fails."""
import os
import random
import shutil
import struct
import subprocess
import sys


class Disk:
    """A simulated disk with the files of the database, which can lose power."""

    SECTOR = 512

    def __init__(self, folder, database, seed):
        self.folder, self.database = folder, database
        self.log = os.path.join(folder, "power-loss.log")
        self.library = os.path.join(folder, "power-loss.so")
        self.random = random.Random(f"{seed} disk")
        self.dropped = 0
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "power-loss.c")
        compiler = shutil.which("cc") or shutil.which("clang") or sys.exit("a simulated disk requires cc or clang")
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", self.library, source], check=True)

    @property
    def files(self):
        return [self.database, self.database + "-wal"]

    def environment(self):
        return {
            "LD_PRELOAD": self.library, "POWER_LOSS_LOG": self.log,
            "POWER_LOSS_FOLDER": os.path.dirname(self.database)}

    def begin(self):
        """Treats the current content as synced, and begins a new log."""
        self.durable = {}
        for path in self.files:
            if os.path.exists(path):
                with open(path, "rb") as file:
                    self.durable[os.path.basename(path)] = bytearray(file.read())
        if os.path.exists(self.log):
            os.unlink(self.log)

    def lose_power(self):
        """Restores the synced content, with a random part of the unsynced changes."""
        pending = {}
        for what, name, offset, data in self.records():
            if what == b"S":
                for change in pending.pop(name, []):
                    self.apply(name, *change, sectors=None)
            else:
                pending.setdefault(name, []).append((what, offset, data))
        whole = self.random.choice(["all", "nothing", "some", "some"])
        for name, changes in pending.items():
            for change in changes:
                if whole == "all":
                    self.apply(name, *change, sectors=None)
                elif whole == "some" and self.random.random() < 0.7:
                    self.apply(name, *change, sectors=self.random)
                else:
                    self.dropped += 1
        for path in self.files:
            data = self.durable.get(os.path.basename(path))
            if data is None:
                if os.path.exists(path):
                    os.unlink(path)
            else:
                with open(path, "wb") as file:
                    file.write(data)
        if os.path.exists(self.database + "-shm"):
            os.unlink(self.database + "-shm")

    def records(self):
        if not os.path.exists(self.log):
            return  # the process ended before its first write
        with open(self.log, "rb") as file:
            log = file.read()
        names = {os.path.basename(path) for path in self.files}
        position, head = 0, struct.Struct("=cHQQ")
        while position + head.size <= len(log):
            what, length, offset, count = head.unpack_from(log, position)
            start = position + head.size
            position = start + length + count
            if position > len(log):
                return  # the process ended during this write
            name = log[start:start + length].decode()
            if name in names:
                yield what, name, offset, log[start + length:position]

    def apply(self, name, what, offset, data, sectors):
        if what == b"D":
            self.durable.pop(name, None)
            return
        content = self.durable.setdefault(name, bytearray())
        if what == b"T":
            del content[offset:]
            content.extend(bytes(offset - len(content)))
            return
        if len(content) < offset + len(data):
            content.extend(bytes(offset + len(data) - len(content)))
        start = 0
        while start < len(data):
            end = min(len(data), start + self.SECTOR - (offset + start) % self.SECTOR)
            if sectors is None or sectors.random() < 0.5:
                content[offset + start:offset + end] = data[start:end]
            else:
                self.dropped += 1
            start = end
