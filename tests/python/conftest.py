"""Variables that are set before numpy and the library are loaded, here and in every process that a test starts."""
import os

# The work is small and the machine busy: with several threads, most of the time would go into waiting for each other. Tests
# about threads ask for two of them. A number that the caller has chosen stays, if a machine can have as many threads.
chosen = os.environ.get("OMP_NUM_THREADS", "")
if not (chosen.isdecimal() and 1 <= int(chosen) <= 64):
    os.environ["OMP_NUM_THREADS"] = "1"
# Pictures are drawn in memory: the environment may name a display that does not exist.
os.environ["MPLBACKEND"] = "Agg"
