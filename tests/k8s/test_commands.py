"""The commands of the manifests, run as the manifests say: they play an experiment to its end.

Everything is real but the cluster: PostgreSQL, Valkey on a TCP port, one process for each component
with exactly the command, arguments and environment that its container gets.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

Manifest = dict[str, Any]

BINARIES = Path(sys.executable).parent
POD = "tabia-worker-5d4f8-x2x7k"

EXPERIMENT = {
    "toml": """
        name = "the cluster's first"
        question = "Does it matter that stalemate wins?"
        kind = "compare"
        nodes = 20
        max_plies = 60
        arms = { a = "chess", b = "chess-stalemate-win" }
        openings = { plies = 4 }
        test = { metric = "white_score", margin = 0.05, alpha = 0.05, beta = 0.05, budget = 32 }
    """
}


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until(holds: Callable[[], Any], what: str, patience: float = 120) -> Any:
    """The first true answer of ``holds``, which may fail to answer until there is one to ask."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            if answer := holds():
                return answer
        except OSError:
            pass
        time.sleep(0.1)
    pytest.fail(f"waited in vain for {what}")


class Cluster:
    """Starts the containers of the manifests as processes of this machine."""

    def __init__(
        self, containers: dict[str, Manifest], secret: dict[str, str], folder: Path
    ) -> None:
        self._containers = containers
        self._secret = secret
        self._folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self, name: str) -> dict[str, str]:
        """What the container finds in its environment."""
        environment = {"PATH": f"{BINARIES}:{os.environ['PATH']}", "HOME": "/nonexistent"}
        for variable in self._containers[name].get("env", []):
            source = variable.get("valueFrom", {})
            if "secretKeyRef" in source:
                environment[variable["name"]] = self._secret[source["secretKeyRef"]["key"]]
            elif "fieldRef" in source:
                assert source["fieldRef"]["fieldPath"] == "metadata.name"
                environment[variable["name"]] = POD
            else:
                environment[variable["name"]] = variable["value"]
        return environment

    def run(self, name: str, command: list[str]) -> subprocess.Popen[bytes]:
        """A command in the container ``name``."""
        environment = self.environment(name)
        expanded = [
            re.sub(r"\$\((\w+)\)", lambda found: environment[found[1]], word) for word in command
        ]
        with self.log(name).open("ab") as log:
            return subprocess.Popen(
                expanded, env=environment, cwd=self._folder, stdout=log, stderr=log
            )

    def start(self, name: str, **replaced: str) -> subprocess.Popen[bytes]:
        """The container's own command, with the named options set to other values."""
        container = self._containers[name]
        arguments = container.get("args", [])
        for option, value in replaced.items():
            assert any(argument.startswith(f"--{option}=") for argument in arguments)
            arguments = [
                f"--{option}={value}" if argument.startswith(f"--{option}=") else argument
                for argument in arguments
            ]
        self._running[name] = self.run(name, [*container["command"], *arguments])
        return self._running[name]

    def log(self, name: str) -> Path:
        return self._folder / f"{name.replace('/', '-')}.log"

    def stop(self) -> dict[str, int]:
        """Ask everything to end, as a cluster does, and say how it ended."""
        for process in self._running.values():
            process.send_signal(signal.SIGTERM)
        return {name: process.wait(timeout=60) for name, process in self._running.items()}

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        for name, process in self._running.items():
            process.kill()
            process.wait()
            # Shown by pytest if the test failed.
            print(f"--- {name}", self.log(name).read_text(), sep="\n")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """The URL of a Valkey server that is reached over TCP, as a cluster's is."""
    from tabia.server.local.broker import binary

    port = free_port()
    command = [binary(), "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with (tmp_path / "valkey.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log)
    try:
        until(lambda: socket.create_connection(("127.0.0.1", port)).close() or True, "Valkey")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(timeout=30)


@pytest.fixture
def cluster(
    containers: dict[str, Manifest], postgres_url: str, broker: str, tmp_path: Path
) -> Iterator[Cluster]:
    secret = {"TABIA_DATABASE_URL": postgres_url, "TABIA_BROKER_URL": broker}
    with Cluster(containers, secret, tmp_path) as made:
        yield made


def test_the_port_that_is_served_is_the_port_that_is_declared(
    containers: dict[str, Manifest],
) -> None:
    coordinator = containers["coordinator/coordinator"]
    (port,) = coordinator["ports"]
    assert f"--bind=0.0.0.0:{port['containerPort']}" in coordinator["args"]


@pytest.mark.postgres
@pytest.mark.redis
def test_the_components_play_an_experiment(
    cluster: Cluster, containers: dict[str, Manifest]
) -> None:
    port = free_port()

    def ask(path: str, document: Any = None) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        with closing(connection):
            if document is None:
                connection.request("GET", path)
            else:
                headers = {"Content-Type": "application/json"}
                connection.request("POST", path, json.dumps(document), headers)
            answer = connection.getresponse()
            return answer.status, json.load(answer)

    web = cluster.start("coordinator/coordinator", bind=f"127.0.0.1:{port}")
    probe = containers["coordinator/coordinator"]["readinessProbe"]["httpGet"]["path"]

    # Before the Job has run there are no tables, and the coordinator says that it is not ready.
    assert until(lambda: ask(probe), "the web server")[0] == 503
    assert cluster.start("migrate/migrate").wait(timeout=60) == 0
    assert ask(probe) == (200, {"status": "ok"})

    for name in ("scheduler/scheduler", "intake/intake", "worker/worker"):
        cluster.start(name)
    status, experiment = ask("/api/v1/experiments", EXPERIMENT)
    assert status == 201

    def ended() -> Any:
        _, found = ask(f"/api/v1/experiments/{experiment['id']}")
        return found if found["state"] not in {"queued", "running"} else None

    shown = until(ended, "the end of the experiment")
    assert shown["state"] in {"decided", "out_of_budget"}
    assert shown["units_done"] == 32
    assert web.poll() is None

    liveness = containers["worker/worker"]["livenessProbe"]["exec"]["command"]
    assert cluster.run("worker/worker", liveness).wait(timeout=60) == 0

    assert set(cluster.stop().values()) == {0}
