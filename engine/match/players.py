"""Who plays: the built-in engine, or a program of others, and what ends its search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabia.engine.documents import DocumentError
from tabia.engine.match.document import ExperimentDocument, PlayerTable
from tabia.engine.match.kinds import WITH_PLAYERS
from tabia.engine.match.round_robin import pairs
from tabia.engine.outside.inspection import inspect
from tabia.engine.outside.misconduct import ProgramError
from tabia.engine.outside.player import Asked
from tabia.engine.outside.programs import Programs
from tabia.engine.outside.said import Protocol, Value
from tabia.engine.outside.uci import Limit
from tabia.engine.rules.ruleset import RuleSet

BOTH = "both"
"""The key of the player of both sides, in a `rights` that a program plays."""
_SEARCH_KEYS = ("nodes", "movetime_ms", "depth")
_PROGRAM_KEYS = ("depth", "says", "protocol", "options")


@dataclass(frozen=True)
class Player:
    """name: what people call it; nodes: positions looked at before each move, 0 where time or depth
    ends its search; program: "" for the built-in engine, and then nothing below it counts."""

    name: str
    nodes: int
    movetime_ms: int = 0
    depth: int = 0
    program: str = ""
    says: str = ""
    protocol: Protocol = "uci"
    options: Mapping[str, Value] = field(default_factory=dict)

    @property
    def is_outside(self) -> bool:
        """Whether it is a program of others."""
        return self.program != ""

    @property
    def limit(self) -> Limit:
        """What ends its search."""
        return Limit(self.nodes, self.movetime_ms, self.depth)

    @property
    def asked(self) -> Asked:
        """Which program it is."""
        return Asked(self.program, self.says, self.protocol, self.options)

    def table(self) -> dict[str, Any]:
        """As in the frozen form: a player of the built-in engine at fixed nodes has just those two
        keys, so that what others may say changes no id."""
        table: dict[str, Any] = {"name": self.name, "nodes": self.nodes}
        if self.movetime_ms:
            table["movetime_ms"] = self.movetime_ms
        if self.is_outside:
            table |= {
                "depth": self.depth,
                "program": self.program,
                "says": self.says,
                "protocol": self.protocol,
                "options": dict(self.options),
            }
        return table


def limit_in_words(limit: Limit) -> str:
    """ "4000 nodes", "100 ms" or "depth 6"."""
    if limit.movetime_ms:
        return f"{limit.movetime_ms} ms"
    return f"depth {limit.depth}" if limit.depth else f"{limit.nodes} nodes"


def frozen_players(
    model: ExperimentDocument, arms: Mapping[str, RuleSet], programs: Programs, source: str
) -> dict[str, dict[str, Any]]:
    """`[players.KEY]` in full, by key (of `[player]` as "both"): what `Player.table` gives; nothing
    where the built-in engine plays all. programs: those of this machine. Raises DocumentError."""
    if model.kind == "rights" and model.player is not None:
        player = _Reader(model, arms, programs, source, "player").player(model.player)
        return {BOTH: player.table()}
    if model.kind not in WITH_PLAYERS or model.players is None:
        return {}
    if model.kind == "engines" and set(model.players) != {"a", "b"}:
        raise DocumentError(
            source,
            "players",
            f"found {', '.join(sorted(model.players))}; allowed for engines: the keys a and b",
        )
    least = pairs(len(model.players))
    if model.kind == "ratings" and model.test.budget < least:
        raise DocumentError(
            source,
            "test.budget",
            f"found {model.test.budget}; allowed for {len(model.players)} players: {least} or "
            "more, a unit for each pair of them",
        )
    return {
        key: _Reader(model, arms, programs, source, f"players.{key}").player(table).table()
        for key, table in sorted(model.players.items())
    }


def named_programs(document: Mapping[str, Any]) -> list[str]:
    """What the players of a document that was accepted call their programs: names or paths."""
    tables = [document.get("player", {}), *document.get("players", {}).values()]
    return [str(table["program"]) for table in tables if table.get("program")]


def players_of(frozen: Mapping[str, Mapping[str, Any]]) -> dict[str, Player]:
    """The players of a frozen form, by key, in the order of the keys."""
    return {key: Player(**table) for key, table in sorted(frozen.items())}


@dataclass(frozen=True)
class _Reader:
    """One player's table; key: where it stands in the document."""

    model: ExperimentDocument
    arms: Mapping[str, RuleSet]
    programs: Programs
    source: str
    key: str

    def player(self, table: PlayerTable) -> Player:
        limit = self._limit(table)
        if table.program is None:
            for key in _PROGRAM_KEYS:
                if getattr(table, key):
                    raise self._refused(key, "found without program; allowed: only with it")
            return Player(table.name or limit_in_words(limit), limit.nodes, limit.movetime_ms)
        program = self._name(table.program)
        protocol: Protocol = table.protocol or "uci"
        self._require_known_limit(protocol, limit)
        asked = Asked(program, table.says or "", protocol, table.options)
        says = self._says(table.program, asked)
        name = table.name or f"{says}, {limit_in_words(limit)}"[:100]
        return Player(
            name, limit.nodes, limit.movetime_ms, limit.depth, program, says, protocol,
            dict(table.options),
        )  # fmt: skip

    def _limit(self, table: PlayerTable) -> Limit:
        given = [key for key in _SEARCH_KEYS if getattr(table, key) is not None]
        if len(given) > 1:
            raise self._refused(
                given[1], f"found beside {given[0]}; allowed: one of {', '.join(_SEARCH_KEYS)}"
            )
        if not given:
            return Limit(nodes=self.model.nodes)
        return Limit(**{given[0]: getattr(table, given[0])})

    def _require_known_limit(self, protocol: Protocol, limit: Limit) -> None:
        if protocol != "xboard":
            return
        if limit.nodes:
            raise self._refused(
                "nodes", "not known to the protocol xboard; allowed there: depth or movetime_ms"
            )
        if limit.movetime_ms % 1000:
            raise self._refused(
                "movetime_ms",
                f"found {limit.movetime_ms}; allowed for the protocol xboard: whole seconds",
            )

    def _name(self, reference: str) -> str:
        try:
            return self.programs.name_of(reference)
        except ProgramError as problem:
            raise self._refused("program", str(problem)) from None

    def _says(self, reference: str, asked: Asked) -> str:
        """What the program says of itself: as the document has it, or as it says it here, where it
        must also know the rules. A coordinator need not have it, if the document says."""
        try:
            program = self.programs.find(reference)
        except ProgramError as problem:
            if asked.says and not self.programs.are_all_here:
                return asked.says
            more = (
                "" if self.programs.are_all_here else "; says would be needed then, and is missing"
            )
            raise self._refused("program", f"{problem}{more}") from None
        a, b = self.arms["a"], self.arms.get("b", self.arms["a"])
        try:
            inspect(asked, program, b, a)
            return inspect(asked, program, a, b)
        except ProgramError as problem:
            raise self._refused("program", str(problem)) from None

    def _refused(self, key: str, problem: str) -> DocumentError:
        return DocumentError(self.source, f"{self.key}.{key}", problem)
