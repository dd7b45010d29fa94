"""A UCI program as a process: what a chess program does to its engines."""

import subprocess
from collections.abc import Sequence
from types import TracebackType


class Program:
    """Lines in, lines out; killed at the end if it has not ended by itself."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")

    def line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the program ended"
        return line.rstrip("\n")

    def until(self, head: str) -> list[str]:
        """The lines up to one that starts so, that one last."""
        lines = [self.line()]
        while not lines[-1].startswith(head):
            lines.append(self.line())
        return lines

    def best(self, *commands: str) -> str:
        """The move that it answers these commands with."""
        for command in commands:
            self.say(command)
        return self.until("bestmove")[-1].split()[1]

    def __enter__(self) -> "Program":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
