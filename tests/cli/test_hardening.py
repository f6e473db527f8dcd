"""Tests that the command is built so that many memory errors end it at once. binutils read the traces of this."""
import os
import platform
import shutil
import subprocess

import pytest
from workplace import COMMAND

pytestmark = [pytest.mark.skipif(bool(os.environ.get("DUALKPCA_SANITIZE")), reason="sanitizers have checks of their own"),
              pytest.mark.skipif(shutil.which("readelf") is None, reason="no readelf")]


def readelf(option):
    return subprocess.run(["readelf", "-W", option, COMMAND], check=True, capture_output=True, text=True).stdout


def test_the_program_can_be_loaded_anywhere():
    assert "DYN (Position-Independent Executable file)" in readelf("-h")


def test_tables_of_addresses_are_read_only():
    assert "GNU_RELRO" in readelf("-l")
    flags = [line for line in readelf("-d").splitlines() if "FLAGS" in line]
    assert any("BIND_NOW" in line for line in flags) and any("NOW" in line for line in flags)


def test_the_stack_is_not_executable():
    stack = next(line for line in readelf("-l").splitlines() if "GNU_STACK" in line)
    assert stack.split()[-2] == "RW"


def test_the_stack_is_guarded():
    assert "__stack_chk_fail" in readelf("--dyn-syms")


def test_copies_are_checked():
    assert "_chk@" in readelf("--dyn-syms").replace("__stack_chk_fail@", "")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="exists on x86 only")
def test_indirect_calls_land_where_they_may():
    """Checks only main(), because Debian's own start files lack the note that would switch the check on."""
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--disassemble=main", COMMAND], check=True,
                          capture_output=True, text=True).stdout
    assert "endbr64" in code
