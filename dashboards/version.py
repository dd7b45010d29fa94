"""The version of Tabia that shows the pages."""

from importlib.metadata import version

VERSION = version("tabia")
