"""What we ask of the manifests beyond being valid."""

import json
import tomllib
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest

ROOT = Path(__file__).parents[2]
OLDEST_CLUSTER = "1.31"

Manifest = dict[str, Any]


@pytest.mark.parametrize("version", [OLDEST_CLUSTER, kubernetes_validate.latest_version()])
def test_every_object_is_valid(manifests: list[Manifest], version: str) -> None:
    assert manifests
    for manifest in manifests:
        kubernetes_validate.validate(manifest, version, strict=True)


def test_everything_that_the_road_needs_is_there(workloads: dict[str, Manifest]) -> None:
    assert {name: workload["kind"] for name, workload in workloads.items()} == {
        "coordinator": "Deployment",
        "scheduler": "Deployment",
        "intake": "Deployment",
        "worker": "Deployment",
        "migrate": "Job",
    }


def test_a_selector_finds_its_own_pods_and_no_others(workloads: dict[str, Manifest]) -> None:
    for name, workload in workloads.items():
        if workload["kind"] == "Deployment":
            selector = workload["spec"]["selector"]["matchLabels"].items()
            chosen = {
                other
                for other, candidate in workloads.items()
                if selector <= candidate["spec"]["template"]["metadata"]["labels"].items()
            }
            assert chosen == {name}


def test_no_pod_is_root_or_may_become_it(
    pods: dict[str, Manifest], containers: dict[str, Manifest]
) -> None:
    for pod in pods.values():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
    for container in containers.values():
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


def test_every_container_says_what_it_takes(containers: dict[str, Manifest]) -> None:
    for container in containers.values():
        assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
        assert "memory" in container["resources"]["limits"]


def test_visitors_are_sent_only_to_what_answers(pods: dict[str, Manifest]) -> None:
    (coordinator,) = pods["coordinator"]["containers"]
    ports = {port["name"] for port in coordinator["ports"]}
    for probe in ("readinessProbe", "startupProbe"):
        asked = coordinator[probe]["httpGet"]
        assert asked["path"] == "/healthz"
        assert asked["port"] in ports


def test_what_may_hang_is_started_again(pods: dict[str, Manifest]) -> None:
    for component in ("coordinator", "worker"):
        assert all("livenessProbe" in container for container in pods[component]["containers"])


def test_images_are_of_this_version(containers: dict[str, Manifest]) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for container in containers.values():
        name, _, tag = container["image"].partition(":")
        assert name in {"tabia-server", "tabia-worker"}
        assert tag == version


def test_secrets_are_named_and_never_told(
    manifests: list[Manifest], containers: dict[str, Manifest]
) -> None:
    assert "Secret" not in {manifest["kind"] for manifest in manifests}
    for url in ("postgres://", "postgresql://", "postgresql+psycopg://", "redis://", "rediss://"):
        assert url not in json.dumps(manifests)
    for container in containers.values():
        for variable in container.get("env", []):
            if variable["name"].endswith("_URL"):
                assert variable["valueFrom"]["secretKeyRef"] == {
                    "name": "tabia",
                    "key": variable["name"],
                }


def test_a_worker_cannot_reach_the_database(
    manifests: list[Manifest], containers: dict[str, Manifest]
) -> None:
    names = {variable["name"] for variable in containers["worker/worker"]["env"]}
    assert "TABIA_DATABASE_URL" not in names
    assert _ports_out_of("worker", manifests) == {53, 6379}


def test_the_coordinator_is_the_only_way_in(
    manifests: list[Manifest], workloads: dict[str, Manifest]
) -> None:
    # Each component is chosen by a policy on the way in, and only one of them lets anyone.
    policies = [
        manifest["spec"]
        for manifest in manifests
        if manifest["kind"] == "NetworkPolicy" and "Ingress" in manifest["spec"]["policyTypes"]
    ]
    for name, workload in workloads.items():
        labels = workload["spec"]["template"]["metadata"]["labels"]
        chosen = [policy for policy in policies if _selects(policy["podSelector"], labels)]
        assert chosen, f"no policy keeps visitors from {name}"
        assert any("ingress" in policy for policy in chosen) == (name == "coordinator")


def test_a_drained_node_leaves_a_coordinator(
    manifests: list[Manifest], workloads: dict[str, Manifest]
) -> None:
    labels = workloads["coordinator"]["spec"]["template"]["metadata"]["labels"]
    (budget,) = [
        manifest["spec"]
        for manifest in manifests
        if manifest["kind"] == "PodDisruptionBudget"
        and _selects(manifest["spec"]["selector"], labels)
    ]
    # With as few replicas as must stay, no node could ever be drained.
    assert 1 <= budget["minAvailable"] < workloads["coordinator"]["spec"]["replicas"]


def _ports_out_of(component: str, manifests: list[Manifest]) -> set[int]:
    labels = {"app.kubernetes.io/name": "tabia", "app.kubernetes.io/component": component}
    policies = [
        manifest["spec"]
        for manifest in manifests
        if manifest["kind"] == "NetworkPolicy"
        and "Egress" in manifest["spec"]["policyTypes"]
        and _selects(manifest["spec"]["podSelector"], labels)
    ]
    assert policies, f"nothing holds {component} back"
    return {
        port["port"]
        for policy in policies
        for rule in policy.get("egress", [])
        for port in rule["ports"]
    }


def _selects(selector: Manifest, labels: dict[str, str]) -> bool:
    """Whether a label selector chooses a pod with these labels (the operators that we use)."""
    for expression in selector.get("matchExpressions", []):
        assert expression["operator"] == "In"
        if labels.get(expression["key"]) not in expression["values"]:
            return False
    return selector.get("matchLabels", {}).items() <= labels.items()
