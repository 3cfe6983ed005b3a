"""Where clients are, as they are counted: an address has one share of everything, a wide network has some."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from starlette.requests import HTTPConnection

from ....errors import NotationError

_HOUSEHOLD, _SITE = 56, 48  # bits of IPv6 that a household has, and the most that whoever asks for them gets
_SITE_SHARES = 4
_MOST_SHARES = 10_000
_ADDRESS = "komadai.address"  # of a scope

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Network(NamedTuple):
    """A network, and how many shares all in it have together."""

    name: str
    shares: int = 1


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a client, which is kept in memory only.

    Attributes:
        networks: those that it counts for, the narrowest first.
        local: it is of this machine itself.
    """

    networks: tuple[Network, ...] = (Network(""),)
    local: bool = False

    @property
    def name(self) -> str:
        """The name of the narrowest network."""
        return self.networks[0].name


NOWHERE = Address()
"""The address of whoever has none."""


class Networks:
    """Finds the networks that addresses count for."""

    def __init__(self, widened: Iterable[tuple[_Network, int]] = ()) -> None:
        """``widened``: networks of many people, each with the number of its shares."""
        self._widened = sorted(widened, key=lambda one: one[0].prefixlen, reverse=True)

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Networks:
        """Read ``NETWORK=SHARES``, such as ``203.0.113.5=20`` or ``2001:db8::/40=200``.

        Raises:
            NotationError: a text is something else.
        """
        return cls([_parsed(text) for text in texts])

    def of(self, host: str) -> Address:
        """The address as it is counted: IPv4 as it is; of IPv6 the /56, and besides the /48 as four of them.

        An address in a network of many people counts for that network alone.
        """
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            return Address((Network(host),))
        if isinstance(ip, ipaddress.IPv6Address):
            ip = ip.ipv4_mapped or ipaddress.IPv6Address(int(ip))  # without a zone
        for network, shares in self._widened:
            if ip in network:
                return Address((Network(str(network), shares),), ip.is_loopback)
        if isinstance(ip, ipaddress.IPv4Address):
            return Address((Network(str(ip)),), ip.is_loopback)
        household, site = (ipaddress.ip_network((int(ip), bits), strict=False) for bits in (_HOUSEHOLD, _SITE))
        return Address((Network(str(household)), Network(str(site), _SITE_SHARES)), ip.is_loopback)

    def mark(self, connection: HTTPConnection) -> None:
        """Note in the connection's scope where its client is."""
        connection.scope[_ADDRESS] = self.of(connection.client.host) if connection.client else NOWHERE


USUAL_NETWORKS = Networks()
"""Those of a server on which no network is widened."""


def address(connection: HTTPConnection) -> Address:
    """Where the client of a connection is."""
    found: Address = connection.scope[_ADDRESS]
    return found


def plain_host(host: str) -> str:
    """A host name or address in the one form in which it is compared."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return host.lower().removesuffix(".")  # as names from the root of all end
    return str(getattr(ip, "ipv4_mapped", None) or ip)


def _parsed(text: str) -> tuple[_Network, int]:
    name, _, number = text.partition("=")
    try:
        network = ipaddress.ip_network(name.strip())
        shares = int(number) if number.isascii() and number.isdecimal() and len(number) < 6 else 0
    except ValueError:
        network, shares = None, 0
    if network is None or not 1 <= shares <= _MOST_SHARES:
        words = f"expected a network and how many addresses it counts as, 1 to {_MOST_SHARES}, such as 203.0.113.5=20"
        raise NotationError(f"--network {text[:80]!r}", [words])
    return network, shares
