"""Runs the tests in a random order if DUALKPCA_TEST_SHUFFLE gives a seed (docs/testing.md)."""
import os
import random


def pytest_collection_modifyitems(items):
    seed = os.environ.get("DUALKPCA_TEST_SHUFFLE")
    if seed:
        random.Random(int(seed)).shuffle(items)
