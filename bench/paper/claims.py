"""What the paper claims, and what was found: a verdict that the figures give, not a writer."""
import dataclasses

VERDICTS = ("reproduced", "partly", "not reproduced", "not measured")


@dataclasses.dataclass
class Claim:
    label: str    # of the table or figure in the paper
    words: str    # what is claimed
    verdict: str
    figure: str   # what was measured

    def __post_init__(self):
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict '{self.verdict}'")


def share(held):
    """Of a claim about many cases: all of them, some, none, or no case at all."""
    held = list(held)
    if not held:
        return "not measured"
    return "reproduced" if all(held) else "partly" if any(held) else "not reproduced"


def unmeasured(label, words):
    return Claim(label, words, "not measured", "")
