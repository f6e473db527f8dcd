#include "data/pending_rows.hpp"

#include <algorithm>
#include <iterator>

namespace dualkpca {

Dataset PendingRows::take(Index most) {
  const Index rows = block_.samples.view().rows();
  const Index first = given_, count = std::min(most, rows - given_);
  given_ += count;
  if (count == rows) {
    given_ = 0;
    return std::exchange(block_, {});
  }
  const auto part = [&](std::vector<std::string>& texts) {
    if (texts.empty()) return std::vector<std::string>();
    const auto begin = std::make_move_iterator(texts.begin() + first);
    return std::vector<std::string>(begin, begin + count);
  };
  return {.samples = block_.samples.slice(first, count), .ids = part(block_.ids), .labels = part(block_.labels)};
}

}  // namespace dualkpca
