"""The networks of a random database, as the program mmdb-sample writes them.

A value is written in a form that shows types and bits: s616263 for the string "abc", d3ff0000000000000 for a double, t
and f, h5, i5 and l5 for integers of 16, 32 and 64 bits, {key=value,...} and [value,...].
"""
import random

IPV4 = 2**32
MAPPED = (0xFFFF << 32, 96, 0)
SIX_TO_FOUR = (0x2002 << 112, 16, 80)


def parse(text, at=0):
    """Returns the value at a position of its typed form, and the position after it."""
    kind = text[at]
    if kind in "{[":
        values, end = [], at + 1
        while text[end] not in "}]":
            value, end = parse(text, end + (text[end] in ",="))
            values.append(value)
        pairs = tuple(sorted(zip(values[::2], values[1::2]))) if kind == "{" else tuple(values)
        return (kind, pairs), end + 1
    end = at + 1
    while end < len(text) and text[end] not in ",=}]":
        end += 1
    return (kind, text[at + 1:end]), end


class Model:
    """The networks of a database, searched by prefix length."""

    def __init__(self, path):
        self.tables = {}
        self.forms = {}
        with open(path, encoding="ascii") as file:
            for line in file:
                address, length, form = line.split()
                address, length = int(address, 16), int(length)
                if length >= 96 and address >> 32 == 0xFFFF:
                    address &= IPV4 - 1
                self.forms.setdefault(form, parse(form)[0])
                self.tables.setdefault(length, {})[address >> (128 - length)] = form
        self.lengths = sorted(self.tables, reverse=True)
        self.aliases = [alias for alias in (MAPPED, SIX_TO_FOUR) if not self.has_network_in(*alias[:2])]

    def has_network_in(self, address, length):
        return any(
            key >> (inner - length) == address >> (128 - length)
            for inner, table in self.tables.items() if inner >= length for key in table)

    def networks(self):
        return [(key << (128 - length), length) for length, table in self.tables.items() for key in table]

    def leaves(self):
        """The networks without a network inside of them."""
        networks = sorted(self.networks())
        for (address, length), (inner, _) in zip(networks, networks[1:] + [(2**128, 0)]):
            if inner >> (128 - length) != address >> (128 - length):
                yield address, length

    def canonical(self, address):
        """The IPv4 address for an address in an alias."""
        for start, length, shift in self.aliases:
            if (address ^ start) >> (128 - length) == 0:
                return address >> shift & (IPV4 - 1)
        return address

    def look_up(self, address):
        """Returns the typed form of an address's value, or None, and the prefix length of its network."""
        address = self.canonical(address)
        for length in self.lengths:
            form = self.tables[length].get(address >> (128 - length))
            if form is not None:
                return form, length
        return None, 0

    def probes(self):
        """Addresses at the edges of all networks, inside of them, and the same IPv4 addresses in other notations."""
        probes = {0, 1, 2**128 - 1}
        for address, length in self.networks():
            last = address | (1 << (128 - length)) - 1
            probes |= {address, last, max(0, address - 1), min(2**128 - 1, last + 1), random.randint(address, last)}
        for address in list(probes):
            if address < IPV4:
                probes |= {MAPPED[0] | address, SIX_TO_FOUR[0] | address << 80 | random.getrandbits(80)}
        return sorted(probes)
