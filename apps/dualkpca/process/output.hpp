#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace dualkpca::app {

[[nodiscard]] bool is_standard_output(const std::string& path);

/// Prints to standard output or standard error. A reader that has gone (`| head`) is no error. Throws ResourceError if
/// the disk is full, else DataError.
void print(std::FILE* stream, std::string_view text);

/// Prints what was written to the file `output`, unless `quiet` or `output` is standard output itself.
void say_written(const std::string& output, bool quiet, std::string_view text);

/// Writes a file that appears whole or not at all. Throws as OutputFile does.
void write_text(const std::string& path, std::string_view text);

/// Runs `write`. If that fails while `to_stdout` and the reader of standard output has gone (`| head`), it is no error.
void ignore_closed_pipe(bool to_stdout, const std::function<void()>& write);

}  // namespace dualkpca::app
