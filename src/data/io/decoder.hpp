#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace dualkpca {

/// Turns compressed bytes, piece by piece, into those they stand for.
class Decoder {
 public:
  enum class State { more, ended, damaged };
  struct Step {
    std::size_t taken = 0;  ///< bytes of the input
    std::size_t given = 0;  ///< bytes of the output
    State state = State::more;
  };
  virtual ~Decoder() = default;
  [[nodiscard]] virtual Step decode(std::string_view in, char* out, std::size_t count) = 0;
  /// Gets ready for another piece that was compressed on its own: `cat a.gz b.gz`, bgzip and pbzip2 make such files.
  virtual void restart() = 0;
  /// As messages name it.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// What every piece begins with.
  [[nodiscard]] virtual std::string_view magic() const = 0;
};

/// How many of a file's first bytes make_decoder() has to see, if the file has so many.
inline constexpr std::size_t decoder_magic_bytes = 10;

/// By the first bytes of a file; null if it is not compressed.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder(std::string_view first_bytes);

}  // namespace dualkpca
