"""The filter of sdy-per-instruction-partitioning."""

from __future__ import annotations

from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True)
class InstructionFilter:
    """Filter of ops: `low` and `high` are numbers of candidates, `names` parts of op names (any may match)."""

    func: str | None = None
    low: int | None = None
    high: int | None = None
    names: tuple[str, ...] = ()

    @staticmethod
    def parse(text: str) -> InstructionFilter:
        """Reads ``selectLow=1,selectHigh=4,func=main,dot``, possibly in quotes.

        Raises:
          ValueError: an invalid number.
        """
        func: str | None = None
        bounds: dict[str, int] = {}
        names: list[str] = []
        for token in filter(None, (part.strip() for part in text.strip().strip("\"'").split(","))):
            key, separator, value = token.partition("=")
            if separator and key in ("func", "function"):
                func = value
            elif separator and key in ("selectLow", "selectHigh"):
                bounds[key] = int(value)
            else:
                names.append(token)
        return InstructionFilter(func, bounds.get("selectLow"), bounds.get("selectHigh"), tuple(names))

    def accepts(self, name: str, number: int) -> bool:
        """Return whether the op called `name`, the candidate of that number, is taken."""
        if self.low is not None and number < self.low:
            return False
        if self.high is not None and number > self.high:
            return False
        return not self.names or any(part in name for part in self.names)
