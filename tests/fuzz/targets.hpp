#pragma once

#include <string_view>

#include "dualkpca/core/errors.hpp"

/// Each target takes arbitrary bytes and returns if the library works with them or throws one of its own errors.
/// Anything else is a find, and ends the process.
namespace dualkpca::fuzz {

/// Loads a model file with these bytes and calls every method of the model.
void try_model(std::string_view bytes);
/// Reads a data file. Two bytes choose format and options, the others are the file (reader_fuzz.cpp explains them).
void try_reader(std::string_view bytes);
/// Reads an HDF5 file. It is a separate target, because faults of libhdf5 would hide those of the other readers.
void try_hdf5(std::string_view bytes);
/// Runs a command line, with one argument per line.
void try_arguments(std::string_view bytes);

/// Runs `work` and returns whether it threw no error of the library. Any other exception passes and ends the process.
template <class Work>
bool completes(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Reports that the input is a find: ends the process with a message.
[[noreturn]] void report_find(std::string_view what);

}  // namespace dualkpca::fuzz
