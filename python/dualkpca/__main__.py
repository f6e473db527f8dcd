"""Runs the command dualkpca, which is part of the package: `python -m dualkpca ARGUMENTS`."""
import os
import sys
from pathlib import Path


def main():
    program = str(Path(__file__).parent / "bin" / "dualkpca")
    try:
        os.execv(program, ["dualkpca", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"dualkpca: {program}: {error.strerror}")


if __name__ == "__main__":
    main()
