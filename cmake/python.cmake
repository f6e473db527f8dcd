# Python and pybind11, for the package and for the module of the benchmarks.
# The default is Debian's python3, which has numpy, scipy and scikit-learn. The build of a wheel names its own.
if(NOT Python_EXECUTABLE)
  find_program(Python_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
endif()
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 2.10 REQUIRED)
