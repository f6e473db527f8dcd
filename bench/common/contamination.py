"""The paper's contamination: a few training rows are multiplied by large random numbers."""
import numpy as np

TESTED, CONTAMINATED = 0.2, 0.08


def contaminated(X, tau, seed):
    """Returns training rows, some of them multiplied, and test rows."""
    random = np.random.default_rng(seed)
    X = X[random.permutation(X.shape[0])]
    tested = round(TESTED * X.shape[0])
    train = X[tested:].copy()
    which = random.permutation(train.shape[0])[:int(CONTAMINATED * train.shape[0])]
    train[which] *= tau * random.normal(size=(which.size, 1))
    return train, X[:tested]
