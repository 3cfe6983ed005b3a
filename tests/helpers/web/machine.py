"""A machine of the tests' own, on which the files of ``deploy/`` are used with their own paths, ports and users.

Its root lies over this machine's, which keeps every change in memory and away from it, and its network has nothing but
itself. Both are namespaces of Linux, which end with the object. It takes root's rights to make them.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import IO, Any, TypeVar

import pytest

from helpers.web.served import WAIT

T = TypeVar("T")

ADDRESS = "10.0.0.7"  # of the machine, beside 127.0.0.1
_CLONE_NEWNET = 0x40000000
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_OURS = ("PYTHON", "VIRTUAL_ENV", "LD_PRELOAD", "KOMADAI_", "ASAN_", "UBSAN_")
_MOUNTS = """
mount -t tmpfs tmpfs {base}
mkdir {base}/changes {base}/work {base}/root
mount -t overlay overlay -o lowerdir=/,upperdir={base}/changes,workdir={base}/work {base}/root
for folder in proc dev; do mount --rbind /$folder {base}/root/$folder; done
"""
_NETWORK = f"""
ip link set lo up
ip address add {ADDRESS}/32 dev lo
"""


class Machine:
    """A root folder and a network.

    Attributes:
        root: its root folder, as this process sees it.
        environment: of the programs started on it.
    """

    def __init__(self, folder: Path, *, network: bool = True) -> None:
        """``folder``: an empty one. ``network``: its own network; otherwise this machine's.

        Skips the test where the system has no such namespaces, or does not let this process make them.
        """
        commands = _MOUNTS.format(base=shlex.quote(str(folder))) + (_NETWORK if network else "")
        options = ["--mount", *(["--net"] if network else [])]
        script = f"set -e\n{commands}\necho made\nexec cat"  # until this process ends, too
        command, pipe = ["unshare", *options, "sh", "-c", script], subprocess.PIPE
        try:
            self._holder = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        except FileNotFoundError:
            pytest.skip("no unshare on this machine: its namespaces are Linux's")
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != "made\n":
            _out, fault = self._holder.communicate(timeout=WAIT)
            pytest.skip(f"this process may not make a machine of its own: {fault.strip()}")
        self.root = Path(f"/proc/{self._holder.pid}/root{folder}/root")
        self._inside = str(folder / "root")
        self._network = f"/proc/{self._holder.pid}/ns/net"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        self.environment["PATH"] = PATH
        self._share_python()

    def _share_python(self) -> None:
        """Let all users run the interpreter of the tests, and make it ``/usr/local/bin/python`` as in an image."""
        base, version = Path(sys.base_prefix), f"python{sys.version_info.major}.{sys.version_info.minor}"
        for folder in (base, *base.parents, *Path(sys.executable).parents):
            place = self.path(str(folder))
            place.chmod(place.stat().st_mode | 0o555)
        for part in ("lib", "include"):
            place = self.path(f"/usr/local/{part}/{version}")
            if place.exists():
                shutil.rmtree(place)
            place.parent.mkdir(exist_ok=True)
            place.symlink_to(base / part / version)
        programs = self.path("/usr/local/bin")
        for name in ("python", version):
            (programs / name).unlink(missing_ok=True)
        shutil.copy2(Path(sys.executable).resolve(), programs / version)
        (programs / "python").symlink_to(version)

    def path(self, place: str | PurePosixPath) -> Path:
        """A place on the machine, as this process sees it."""
        return self.root / PurePosixPath(place).relative_to("/")

    def write(self, place: str, text: str, mode: int = 0o644) -> None:
        file = self.path(place)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(mode)

    def command(self, command: Sequence[str], user: str = "root") -> list[str]:
        """The command line that runs a command there; the process stays the same."""
        enter = [_program("nsenter"), "-t", str(self._holder.pid), "--mount", f"--net={self._network}", "--"]
        who = [] if user == "root" else [f"--userspec={user}"]
        return [*enter, _program("chroot"), *who, self._inside, *command]

    def run(self, *command: str, user: str = "root", env: Mapping[str, str] | None = None) -> str:
        """Run a command; what it prints.

        Raises:
            AssertionError: it fails.
        """
        made = subprocess.run(
            self.command(command, user),
            env={**self.environment, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        assert made.returncode == 0, f"{shlex.join(command)}: {made.stdout[-4000:]}"
        return made.stdout

    def start(
        self,
        command: Sequence[str],
        user: str = "root",
        env: Mapping[str, str] | None = None,
        log: IO[Any] | None = None,
        wrap: Callable[[list[str]], list[str]] = list,
        **options: Any,
    ) -> subprocess.Popen[str]:
        """Start a program. ``wrap``: makes another command of the one that runs it."""
        return subprocess.Popen(
            wrap(self.command(command, user)),
            env={**self.environment, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=log,
            stdin=subprocess.DEVNULL,
            text=True,
            **options,
        )

    def connected(self, work: Callable[[], T]) -> T:
        """Do some work in a thread of this process whose new sockets are in the machine's network."""

        def enter() -> None:
            with open(self._network) as network:
                if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), _CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "the network cannot be entered")

        with ThreadPoolExecutor(1, initializer=enter) as pool:
            return pool.submit(work).result()

    def close(self) -> None:
        """End it. Its programs must have ended before."""
        self._holder.communicate(timeout=WAIT)


def known_as(name: str, patch: pytest.MonkeyPatch) -> None:
    """Let this process find a machine of tests by a name, on its address."""
    ask = socket.getaddrinfo

    def named(host: Any, *rest: Any, **more: Any) -> Any:
        return ask(ADDRESS if host == name else host, *rest, **more)

    patch.setattr(socket, "getaddrinfo", named)


def _program(name: str) -> str:
    found = shutil.which(name)
    assert found is not None, name
    return found
