"""A PostgreSQL of the tests' own: on a socket in a temporary folder, thrown away afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg


def binaries() -> Path | None:
    """The folder of the machine's newest PostgreSQL server, if it has one."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    versions = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    return max(versions, key=lambda path: int(path.parent.name), default=None)


class Cluster:
    """A running server. It does not run as root, and does not sync: its own crash is not what is tested."""

    def __init__(self, programs: Path) -> None:
        self._programs, self._databases = programs, 0
        self.folder = Path(tempfile.mkdtemp(prefix="komadai-"))
        if os.geteuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self._call(
            "initdb", "-U", "komadai", "-A", "trust", "-E", "SQL_ASCII", "--locale=C", "--no-sync", "--no-instructions"
        )
        self.start()

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "-D", str(self.folder / "data"), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        # Output goes to a file: the server keeps it open.
        with (self.folder / "output").open("ab") as output:
            subprocess.run(command, cwd=self.folder, stdout=output, stderr=output, check=True, timeout=600)

    def start(self) -> None:
        options = (
            f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off -c synchronous_commit=off"
        )
        self._call("pg_ctl", "-w", "-o", options, "start")

    def stop(self) -> None:
        """Stop at once, cutting every connection."""
        self._call("pg_ctl", "-w", "-m", "immediate", "stop")

    def url(self, name: str) -> str:
        return f"postgresql://komadai@/{name}?host={self.folder}"

    def database(self, encoding: str = "UTF8") -> str:
        """The address of a fresh database."""
        self._databases += 1
        name = f"games{self._databases}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
        return self.url(name)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)
