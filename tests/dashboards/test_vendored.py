"""What others wrote is in the tree unchanged, and nothing of theirs is there unlisted."""

from __future__ import annotations

import hashlib
import tomllib

from tabia.dashboards.assets import STATIC

VENDOR = STATIC / "vendor"
MANIFEST = tomllib.loads((VENDOR / "manifest.toml").read_text())
FILES = {file["path"]: file for package in MANIFEST["package"] for file in package["files"]}


def test_every_vendored_file_is_the_one_in_the_manifest() -> None:
    for path, file in FILES.items():
        assert hashlib.sha256((VENDOR / path).read_bytes()).hexdigest() == file["sha256"], path


def test_no_vendored_file_is_missing_from_the_manifest() -> None:
    there = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*") if path.is_file()}
    assert there - {"manifest.toml"} == set(FILES)


def test_every_package_comes_with_its_version_and_its_licence_text() -> None:
    for package in MANIFEST["package"]:
        assert package["version"]
        assert package["licence"]
        texts = [VENDOR / f["path"] for f in package["files"] if f["origin"] == "LICENSE"]
        assert len(texts) == 1
        assert "WARRANT" in texts[0].read_text()
