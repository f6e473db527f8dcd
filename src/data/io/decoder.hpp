#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace dualkpca {

/// Decompressor of bytes, piece by piece.
class Decoder {
 public:
  enum class State { more, ended, damaged };
  struct Step {
    std::size_t taken = 0;  ///< bytes taken from the input
    std::size_t given = 0;  ///< bytes written to the output
    State state = State::more;
  };
  virtual ~Decoder() = default;
  [[nodiscard]] virtual Step decode(std::string_view in, char* out, std::size_t count) = 0;
  /// Prepares for another piece that was compressed on its own: `cat a.gz b.gz`, bgzip and pbzip2 make such files.
  virtual void restart() = 0;
  /// Returns the name that messages use.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Returns the bytes with which every piece begins.
  [[nodiscard]] virtual std::string_view magic() const = 0;
};

/// Number of first bytes of a file that make_decoder() needs, if the file has so many.
inline constexpr std::size_t decoder_magic_bytes = 10;

/// Makes the decoder for a file with these first bytes; null if it is not compressed.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder(std::string_view first_bytes);

}  // namespace dualkpca
