"""Output of verbose on standard error."""
import sys
import time


class Progress:
    """Observer of a fit. It writes a line at most once a second, or ten times a second on a terminal."""

    def __init__(self):
        self._terminal = sys.stderr.isatty()
        self._every = 0.1 if self._terminal else 1.0
        self._next = time.monotonic() + self._every
        self._is_open = False

    def __call__(self, stage, fraction, iteration, eta, tol):
        if time.monotonic() < self._next:
            return
        if stage == "solve":
            text = f"solve: iteration {iteration}, eta {eta:.2e}" + (f" of {tol:g}" if tol > 0 else "")
        else:
            text = f"{stage}: {100 * fraction:.0f} %"
        if self._terminal:
            sys.stderr.write(f"\r\033[K[dualkpca] {text}")
            self._is_open = True
        else:
            sys.stderr.write(f"[dualkpca] {text}\n")
        sys.stderr.flush()
        self._next = time.monotonic() + self._every

    def close(self):
        if self._is_open:
            sys.stderr.write("\r\033[K")
            self._is_open = False


def say(text):
    """Writes lines of text with the name of the package in front."""
    for line in text.rstrip("\n").split("\n"):
        sys.stderr.write(f"[dualkpca] {line}\n")
