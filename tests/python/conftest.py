"""Set before numpy and the library are loaded, here and in every process that a test starts."""
import os

# Small work on a busy machine: threads that wait for each other would take most of the time. Tests that are about
# threads ask for two of them.
os.environ["OMP_NUM_THREADS"] = "1"
