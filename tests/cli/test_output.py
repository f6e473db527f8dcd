"""Texts and results go to the right stream, and an output that cannot be written is an error."""
import json
import subprocess

import numpy as np
import pytest
from workplace import COMMAND, HANG_GUARD, assert_one_line

FIT = ["fit", "iris.csv", "--label-col", "species"]


def test_fit_prints_plan_and_summary(place, iris_csv):
    text = place.succeed(*FIT, "-o", "m.dkpca").stdout
    assert "150 rows x 4 features" in text
    assert "memory plan: " in text
    assert "converged" in text
    assert "model written to m.dkpca" in text
    assert set(place.files()) == {"iris.csv", "m.dkpca"}


def test_notes_are_printed_with_the_summary(place, iris_csv):
    result = place.succeed(*FIT, "-o", "m.dkpca", "--kernel", "linear", "--gamma", "3")
    assert "gamma has no effect with kernel linear" in result.stdout


def test_quiet_prints_nothing(place, iris_csv):
    result = place.succeed(*FIT, "-o", "m.dkpca", "--quiet", "--json", "r.json", "--scores", "s.csv")
    assert result.stdout == ""
    assert set(place.files()) == {"iris.csv", "m.dkpca", "r.json", "s.csv"}


def test_json_on_standard_output_stands_alone(place, iris_csv):
    result = place.run(*FIT, "-o", "m.dkpca", "--json", "-")
    assert result.returncode == 0
    assert json.loads(result.stdout)["status"] == "converged"
    assert "memory plan: " in result.stderr and "model written" in result.stderr
    result = place.succeed(*FIT, "-o", "m.dkpca", "--json", "-", "--quiet")
    assert json.loads(result.stdout)["n_samples"] == 150


def test_model_through_a_pipe(place, iris_csv):
    command = f"'{COMMAND}' {' '.join(FIT)} -o - --quiet | cat > m.dkpca"
    subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=place.path, check=True, timeout=HANG_GUARD)
    assert json.loads(place.succeed("info", "m.dkpca", "--json").stdout)["status"] == "converged"


def test_a_model_is_replaced_as_a_whole(place, iris_csv):
    place.write("m.dkpca", "something old")
    place.succeed(*FIT, "-o", "m.dkpca")
    place.succeed("info", "m.dkpca")


@pytest.mark.parametrize("output", [["-o", "no/such/m.dkpca"], ["-o", "m.dkpca", "--json", "no/such/r.json"],
                                    ["-o", "m.dkpca", "--scores", "no/such/s.csv"]])
def test_directory_that_is_not_there(place, iris_csv, output):
    place.fail(3, *FIT, *output, says="no/such")


def test_directory_as_output(place, iris_csv):
    (place.path / "folder").mkdir()
    place.fail(3, *FIT, "-o", "folder", says=["folder", "directory"])
    assert not list((place.path / "folder").iterdir())


def test_output_is_tried_before_the_fit(place):
    """The error comes before the rows are read: without them there is no plan to print."""
    place.save("X.npy", np.random.default_rng(0).normal(size=(40, 20)))
    result = place.fail(3, "fit", "X.npy", "-o", "no/such/m.dkpca", says="no/such")
    assert "after the fit" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("outputs, made", [(["-o", "/dev/full"], set()),
                                           (["-o", "m.dkpca", "--json", "/dev/full"], {"m.dkpca"}),
                                           (["-o", "m.dkpca", "--scores", "/dev/full"], {"m.dkpca"})])
def test_full_disk(place, iris_csv, outputs, made):
    result = place.run(*FIT, *outputs)
    assert result.returncode == 5
    assert_one_line(result.stderr, ["after the fit", "/dev/full", "No space left"])
    assert set(place.files()) == {"iris.csv"} | made


@pytest.mark.parametrize("args", [FIT + ["-o", "m.dkpca"], ["--help"], ["fit", "--help"], ["--version"],
                                  ["info", "iris.dkpca"], ["info", "iris.dkpca", "--json"],
                                  ["transform", "iris.dkpca", "iris.csv", "--label-col", "species"],
                                  ["transform", "iris.dkpca", "iris.csv", "--label-col", "species",
                                   "-o", "/dev/stdout"],
                                  FIT + ["-o", "m.dkpca", "--json", "-", "--quiet"]])
def test_full_disk_behind_standard_output(place, model, args):
    with open("/dev/full", "w") as full:
        result = place.run(*args, stdout=full)
    assert result.returncode == 5
    assert_one_line(result.stderr, ["No space left"])


def test_transform_to_a_full_disk(place, model, iris_csv):
    place.fail(5, "transform", model, iris_csv, "--label-col", "species", "-o", "/dev/full",
               says=["/dev/full", "No space left"])


@pytest.mark.parametrize("args", [["info", "iris.dkpca", "--json"], ["--help"],
                                  ["transform", "iris.dkpca", "iris.csv", "--label-col", "species"],
                                  FIT + ["-o", "m.dkpca"], FIT + ["-o", "m.dkpca", "--json", "-", "--quiet"]])
def test_nobody_reads_standard_output(place, model, pipe_without_reader, args):
    result = place.run(*args, stdout=pipe_without_reader)
    assert result.returncode == 0
    assert result.stderr == ""


def test_no_file_is_left_open_to_others(place, iris_csv):
    place.write("m.dkpca", "old")
    (place.path / "m.dkpca").chmod(0o600)
    place.succeed(*FIT, "-o", "m.dkpca")
    assert (place.path / "m.dkpca").stat().st_mode & 0o777 == 0o600


# Two outputs are the same file, however it is named.

@pytest.mark.parametrize("names", [("./m.st", "m.st"), ("m.st", "folder/../m.st"), ("m.st", "{here}/m.st"), ("link/m.st", "m.st"),
                                   ("dangling", "m.st"), ("m.st", "dangling")], ids=" ".join)
@pytest.mark.parametrize("exists", [False, True])
def test_two_outputs_that_are_one_file(place, iris_csv, names, exists):
    (place.path / "folder").mkdir()
    (place.path / "link").symlink_to(".")
    (place.path / "dangling").symlink_to("m.st")
    if exists:
        place.write("m.st", "old")
    output, report = (name.format(here=place.path) for name in names)
    place.fail(2, *FIT, "-o", output, "--json", report, says="is also --output")


def test_an_output_that_is_the_input_inside_of_a_container(place):
    place.save("X.npy", np.eye(5))
    place.succeed("convert", "X.npy", "X.h5")
    place.fail(2, "fit", "X.h5:/X", "-o", "./X.h5", says="DATA")
    place.fail(2, "fit", "X.npy", "-o", "m.h5", "--scores", "m.h5:/X", says="is also --output")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_an_output_that_the_shell_writes_to(place, iris_csv, stream):
    with open(place.path / "m.dkpca", "w") as file:
        result = place.run(*FIT, "-o", "m.dkpca", **{stream: file})
    assert result.returncode == 2
    message = (place.path / "m.dkpca").read_text() if stream == "stderr" else result.stderr
    assert_one_line(message, "m.dkpca is also the standard")


@pytest.mark.parametrize("command", ["transform m.dkpca X.csv >> m.dkpca", "transform m.dkpca X.csv >> X.csv", "info m.dkpca >> m.dkpca",
                                     "fit - -o X.csv --quiet < X.csv", "convert - X.csv --format csv < X.csv"])
def test_an_input_that_would_be_written_to(place, command):
    np.savetxt(place.path / "X.csv", np.eye(5), delimiter=",")
    place.succeed("fit", "X.csv", "-o", "m.dkpca", "--quiet")
    before = place.files()
    result = subprocess.run(["bash", "-c", f"'{COMMAND}' {command}"], cwd=place.path, stderr=subprocess.PIPE, encoding="utf-8",
                            timeout=HANG_GUARD)
    assert result.returncode == 2
    assert_one_line(result.stderr, "which the shell has redirected")
    assert place.files() == before


@pytest.mark.parametrize("stream", ["/dev/fd/1", "/dev/stdout"])
def test_standard_output_by_another_name(place, stream):
    np.savetxt(place.path / "X.csv", np.eye(5), delimiter=",")
    place.succeed("fit", "X.csv", "-o", "m.dkpca", "--quiet")
    expected = place.succeed("transform", "m.dkpca", "X.csv").stdout
    with open(place.path / "log", "w") as log:
        result = place.run("transform", "m.dkpca", "X.csv", "-o", stream, "--quiet", stdout=log)
    assert (result.returncode, result.stderr) == (0, "")
    assert (place.path / "log").read_text() == expected


def test_a_link_that_leads_nowhere_is_written_through(place, iris_csv):
    (place.path / "folder").mkdir()
    (place.path / "link").symlink_to("folder/m.dkpca")
    place.succeed(*FIT, "-o", "link", "--quiet")
    assert (place.path / "link").is_symlink()
    place.succeed("info", "folder/m.dkpca")
    (place.path / "loop").symlink_to("loop")
    place.fail(3, *FIT, "-o", "loop", says="loop")


def test_a_name_that_is_too_long_is_refused_before_the_fit(place, iris_csv):
    result = place.fail(3, *FIT, "-o", "m" * 256, says="File name too long")
    assert result.stdout == "" and "after the fit" not in result.stderr
