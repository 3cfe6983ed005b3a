"""What addresses count for."""

from __future__ import annotations

import pytest

from komadai import NotationError
from komadai.app.web.engines.addresses import USUAL_NETWORKS, Network, Networks
from komadai.app.web.engines.quota import Quota
from komadai.app.web.engines.rate_limits import Shares

of = USUAL_NETWORKS.of
pytestmark = pytest.mark.usefixtures("clock")  # which stands


def test_a_household_is_counted_as_one() -> None:
    assert of("192.0.2.7") == of("::ffff:192.0.2.7")
    assert of("192.0.2.7").networks == (Network("192.0.2.7"),)
    assert of("2001:db8:1:2ff::5:6").networks == (Network("2001:db8:1:200::/56"), Network("2001:db8:1::/48", 4))
    assert of("2001:db8:1:200::1") == of("2001:db8:1:2ab:1:2:3:4")
    assert of("2001:db8:1:300::1") != of("2001:db8:1:200::1")
    assert of("fe80::1%eth0") == of("fe80::2%eth1")
    assert of("testclient").name == "testclient"
    hosts = ("127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "192.0.2.7", "::2", "testclient")
    assert [of(host).local for host in hosts] == [True, True, True, True, False, False, False]


def test_the_addresses_of_a_site_share_four_times_as_much() -> None:
    shares = Shares(0, 5)
    taken = [shares.of(of(f"2001:db8:7:{number:02x}00::1")).take() for number in range(256)]
    assert sum(taken) == 20
    assert [shares.of(of("2001:db8:8::1")).take() for _ in range(8)].count(True) == 5, "a household"
    assert shares.of(of("2001:db8:8:100::1")).left == 5, "the one beside it has its own"
    assert shares.of(of("192.0.2.1")).left == 5
    shares.of(of("2001:db8:8:100::1")).spend(4)
    assert shares.of(of("2001:db8:8:100::1")).left == 1


def test_the_operator_may_widen_a_network() -> None:
    counted = Networks.parse(["203.0.113.5=20", "198.51.100.0/24=50", "2001:db8:9::/48=300", "198.51.100.128/25=7"])
    assert counted.of("203.0.113.5").networks == (Network("203.0.113.5/32", 20),)
    assert counted.of("203.0.113.6").networks == (Network("203.0.113.6"),)
    assert counted.of("198.51.100.3") == counted.of("::ffff:198.51.100.77")
    assert counted.of("198.51.100.200").networks[0].shares == 7, "the narrowest"
    assert counted.of("2001:db8:9:ff00::1").networks == (Network("2001:db8:9::/48", 300),)
    shares = Shares(0, 2)
    assert sum(shares.of(counted.of(f"198.51.100.{number % 100}")).take() for number in range(500)) == 100


@pytest.mark.parametrize(
    "text",
    [
        *("", "203.0.113.5", "=5", "x=3", "203.0.113.5/24=3", "203.0.113.5=3=4"),
        *(f"203.0.113.5={number}" for number in ("", "0", "-1", "1.5", "10001", "٣", "9" * 5000)),
    ],
)
def test_what_widens_no_network_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"--network .* expected a network and how many addresses") as refused:
        Networks.parse([text])
    assert len(str(refused.value)) < 300


def test_half_of_what_may_be_stored_is_kept_for_games_under_way() -> None:
    quota = Quota((0, 1000))
    one, beside = of("2001:db8:1::1"), [of(f"2001:db8:1:{number}00::1") for number in range(1, 5)]
    quota.spend(one, 500)
    assert (quota.may_begin(one), quota.may_go_on(one)) == (False, True)
    assert quota.may_begin(beside[0])
    for other in beside:
        quota.spend(other, 400)
    assert (quota.may_begin(beside[0]), quota.may_go_on(beside[0])) == (False, True), "of the site"
    for other in beside:
        quota.spend(other, 500)
    assert not quota.may_go_on(one), "of the site"
