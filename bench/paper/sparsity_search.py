"""Searches the lambda1 of a method that gives a target share of zeros; solutions are kept for the next target."""
import math

ALLOWED = 0.01  # distance from the target, as in dualkpca
MOST_SOLUTIONS = 30
SMALLEST = 1e-8  # share of the largest lambda1 that is as good as 0


class SparsitySearch:
    """Search over solve(lambda1) -> {"sparsity": ..., ...}: only zeros from lambda1 = `largest` on, and few near 0."""

    def __init__(self, solve, largest):
        self.solve = solve
        self.shares = {SMALLEST * largest: 0.0, largest: 1.0}
        self.solutions = {}

    def nearest(self, target):
        """A solution within ALLOWED of the target, or the nearest of MOST_SOLUTIONS if the share jumps over it."""
        for _ in range(MOST_SOLUTIONS):
            if self.miss(target) <= ALLOWED:
                break
            lambda1 = self.between(target)
            self.solutions[lambda1] = self.solve(lambda1)
            self.shares[lambda1] = self.solutions[lambda1]["sparsity"]
        return min(self.solutions.values(), key=lambda one: abs(one["sparsity"] - target))

    def miss(self, target):
        return min((abs(one["sparsity"] - target) for one in self.solutions.values()), default=math.inf)

    def between(self, target):
        """The next lambda1: interpolated in the logarithm between the neighbours of the target, not too near to either."""
        high = min(one for one, share in self.shares.items() if share >= target)
        low = max(one for one in self.shares if one < high)
        part = (target - self.shares[low]) / (self.shares[high] - self.shares[low])
        return low * (high / low) ** min(max(part, 0.2), 0.8)
