"""Other solvers on a ready Gram matrix, each with the loosest setting whose result has a true eta of at most delta."""
import dataclasses

import eigensolvers
import released_lbfgs
from eigensolvers import OutOfTime

TOLERANCES = [1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-8, 0]
POWERS = list(range(0, 31))


@dataclasses.dataclass
class Found:
    setting: str
    seconds: float
    eta: float
    products: int
    columns: int


def loosest(settings, attempt, delta, repeats):
    """Returns the fastest of several runs with the first setting that meets delta; None if none does in time."""
    try:
        for setting in settings:
            found = attempt(setting)
            if found.eta <= delta:
                return min([found] + [attempt(setting) for _ in range(repeats - 1)], key=lambda one: one.seconds)
    except OutOfTime:
        pass
    return None


def described(setting, reference, solved):
    return Found(setting, solved.seconds, reference.eta_of_vectors(solved.vectors), solved.products, solved.columns)


def lanczos(G, reference, delta, repeats, timeout):
    """Runs scipy's eigsh."""
    def attempt(tolerance):
        return described(f"tol={tolerance:g}", reference, eigensolvers.arpack(G, reference.s, tolerance, timeout))

    return loosest(TOLERANCES, attempt, delta, repeats)


def randomized(G, reference, delta, repeats, timeout, n_iter=None):
    """Runs scikit-learn's randomized eigensolver; n_iter="auto" is its default, None the smallest that meets delta."""
    def attempt(power):
        return described(f"n_iter={power}", reference,
                         eigensolvers.randomized(G, reference.s, timeout, n_iter=power))

    if n_iter is not None:
        return loosest([n_iter], attempt, 1, repeats)
    return loosest(POWERS, attempt, delta, repeats)


def paper(G, reference, delta, repeats, timeout):
    """Runs the paper's solver as released; an oracle stops it when eta is at most delta."""
    def attempt(seed):
        met = released_lbfgs.run(G, reference.s, reference.largest, [delta], seed, timeout).get(delta)
        if met is None:  # delta was not met within the time or the 10000 iterations
            raise OutOfTime
        return Found("oracle", met.seconds, met.eta, met.products, met.columns)

    return loosest([0], attempt, delta, repeats)
