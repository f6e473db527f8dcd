#pragma once

#include <string_view>

#include "dualkpca/core/errors.hpp"

/// Each target takes arbitrary bytes and returns. It ends the process if the library does anything else with them than
/// to work or to throw one of its own errors: that is a find.
namespace dualkpca::fuzz {

/// The bytes of a model file: loads it and calls every method of the model.
void try_model(std::string_view bytes);
/// Two bytes that choose format and options, then the bytes of a data file (reader_fuzz.cpp has the layout).
void try_reader(std::string_view bytes);
/// The same for HDF5, a target of its own: libhdf5 has faults that would hide those of the other readers.
void try_hdf5(std::string_view bytes);
/// A command line, one argument per line.
void try_arguments(std::string_view bytes);

/// Whether `work` returned. An error of the library is a fair answer; any other exception passes, and ends the process.
template <class Work>
bool completes(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Ends the process with a message: the input is a find.
[[noreturn]] void report_find(std::string_view what);

}  // namespace dualkpca::fuzz
