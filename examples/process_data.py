#!/usr/bin/python3
"""Makes the data of docs/monitoring.md, a heated tank: clean.csv for the fit, and new.csv with two faults.

    examples/process_data.py [FOLDER]

Load and weather determine the values of six sensors, not in proportion. In new.csv the temperature sensor drifts from row
201 to row 260. The cooling valve sticks from row 321 to row 380, so it no longer follows the load. The script needs no packages.
"""
import csv
import math
import pathlib
import random
import sys

NAMES = ["feed", "pressure", "temperature", "level", "power", "valve"]


def rows(count, seed, faults=False):
    chance = random.Random(seed)
    load, weather = 0.0, 0.0
    for t in range(count):
        load = 0.9 * load + math.sqrt(1 - 0.81) * chance.gauss(0, 1)
        weather = 0.9 * weather + math.sqrt(1 - 0.81) * chance.gauss(0, 1)
        noise = [chance.gauss(0, 1) for _ in NAMES]
        feed = 10 + 2 * load
        valve = 1 / (1 + math.exp(-1.5 * load - 0.3 * weather))
        if faults and 320 <= t < 380:
            valve = 0.5
        temperature = 60 + 4 * load * load - 12 * (valve - 0.5) + 1.5 * weather
        if faults and 200 <= t < 260:
            temperature += 0.25 * (t - 199)
        yield [feed + 0.2 * noise[0], 2 + 0.05 * feed * feed / 10 + 0.03 * noise[1], temperature + 0.8 * noise[2],
               1.5 + 0.4 * math.tanh(load) + 0.05 * noise[3], 30 + 3 * feed - 1.2 * weather + noise[4],
               valve + 0.03 * noise[5]]


def write(path, table):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(NAMES)
        writer.writerows([f"{value:.5g}" for value in row] for row in table)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write(folder / "clean.csv", rows(2000, 1))
    write(folder / "new.csv", rows(450, 2, faults=True))
