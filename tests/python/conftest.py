"""Set before numpy and the library are loaded, here and in every process that a test starts."""
import os

# Small work on a busy machine: threads that wait for each other would take most of the time. Tests that are about
# threads ask for two of them. A number that the caller has chosen stays, if it is one that a machine can have.
chosen = os.environ.get("OMP_NUM_THREADS", "")
if not (chosen.isdecimal() and 1 <= int(chosen) <= 64):
    os.environ["OMP_NUM_THREADS"] = "1"
# Pictures are drawn in memory: a display may be named in the environment and not be there.
os.environ["MPLBACKEND"] = "Agg"
