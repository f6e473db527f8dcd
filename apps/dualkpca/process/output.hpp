#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace dualkpca::app {

[[nodiscard]] bool is_standard_output(const std::string& path);

/// Prints to standard output or standard error. It is no error if the reader of a pipe has gone (`| head`). Throws
/// ResourceError if the disk is full, otherwise DataError.
void print(std::FILE* stream, std::string_view text);

/// Prints `text`, which says what was written to `output`. Prints nothing if `quiet` or if `output` is standard output.
void say_written(const std::string& output, bool quiet, std::string_view text);

/// Writes a file, which appears as a whole or not at all. Throws as OutputFile does.
void write_text(const std::string& path, std::string_view text);

/// Runs `write`. With `to_stdout`, ignores its error if the reader of standard output has gone (`| head`).
void ignore_closed_pipe(bool to_stdout, const std::function<void()>& write);

}  // namespace dualkpca::app
