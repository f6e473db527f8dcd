"""Claims of the paper and what was found: the figures give the verdict, not a writer."""
import dataclasses

VERDICTS = ("reproduced", "partly", "not reproduced", "not measured")


@dataclasses.dataclass
class Claim:
    label: str    # label of the table or figure in the paper
    words: str    # the claim
    verdict: str
    figure: str   # the measured figures

    def __post_init__(self):
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict '{self.verdict}'")


def share(held):
    """Verdict on a claim about many cases: it held in all of them, some, none, or there is no case at all."""
    held = list(held)
    if not held:
        return "not measured"
    return "reproduced" if all(held) else "partly" if any(held) else "not reproduced"


def unmeasured(label, words):
    return Claim(label, words, "not measured", "")
