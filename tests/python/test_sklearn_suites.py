"""scikit-learn's own tests of KernelPCA and of Isomap, which is built on it, with dualkpca's class in place of its own.

No file is copied: a plugin replaces the class before the test modules import it, and counts the fits.
"""
import subprocess
import sys
import textwrap

import pytest

PLUGIN = """
import atexit
import sklearn.decomposition
import sklearn.decomposition._kernel_pca
from dualkpca import KernelPCA

fits = 0
original = KernelPCA.fit

def counted(self, X, y=None):
    global fits
    fits += 1
    return original(self, X, y)

KernelPCA.fit = counted
sklearn.decomposition.KernelPCA = KernelPCA
sklearn.decomposition._kernel_pca.KernelPCA = KernelPCA
import sklearn.manifold._isomap
sklearn.manifold._isomap.KernelPCA = KernelPCA
atexit.register(lambda: print(f"fits through dualkpca: {fits}"))
"""


def run_suite(module, folder):
    (folder / "replace_kernel_pca.py").write_text(textwrap.dedent(PLUGIN))
    program = (
        "import sys; sys.path.insert(0, {!r}); import replace_kernel_pca, pytest; "
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '--pyargs', {!r}]))"
    ).format(str(folder), module)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=folder)
    fits = [line for line in run.stdout.splitlines() if line.startswith("fits through dualkpca: ")]
    assert fits, run.stdout + run.stderr
    return run, int(fits[0].split(": ")[1])


@pytest.mark.parametrize(
    "module, least_cases, least_fits",
    [("sklearn.decomposition.tests.test_kernel_pca", 36, 184), ("sklearn.manifold.tests.test_isomap", 61, 61)],
)
def test_suite_of_scikit_learn(module, least_cases, least_fits, tmp_path):
    run, fits = run_suite(module, tmp_path)
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]
    summary = [line for line in run.stdout.splitlines() if " passed" in line][-1]
    assert "failed" not in summary
    assert int(summary.split(" passed")[0].split()[-1]) >= least_cases, summary
    assert fits >= least_fits
    print(f"{module}: {summary}; {fits} fits")
