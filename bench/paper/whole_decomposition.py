#!/usr/bin/python3
"""Computes LAPACK's whole eigendecomposition (dsyevd) of the matrix in a .npy file; prints the seconds."""
import sys
import time

import numpy as np
import scipy.linalg

G = np.load(sys.argv[1])
start = time.perf_counter()
scipy.linalg.eigh(G, driver="evd", overwrite_a=True, check_finite=False)
print(time.perf_counter() - start)
