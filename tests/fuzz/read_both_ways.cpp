#include "read_both_ways.hpp"

#include <cmath>
#include <optional>

#include "targets.hpp"

namespace dualkpca::fuzz {
namespace reading {

constexpr Index most_compared =
    1 << 12;  // most rows, and columns of a row, that are compared, because a file may declare many empty ones

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Compares the rows of a block with those of the whole file from row `first` on.
void compare(const SamplesView& whole, const SamplesView& block, Index first) {
  if (first + block.rows() > whole.rows()) report_find("in blocks the file has more rows than at once");
  if (block.cols() > whole.cols()) report_find("in blocks the file has more columns than at once");
  for (Index i = 0; i < std::min(block.rows(), most_compared); ++i)
    for (Index j = 0; j < std::min(block.cols(), most_compared); ++j)
      if (!same(block(i, j), whole(first + i, j))) report_find("in blocks the file has other numbers than at once");
}

}  // namespace reading

void read_both_ways(const std::string& path, const ReadOptions& options, Index block) {
  std::optional<Dataset> whole;
  completes([&] {
    whole = read_dataset(path, options);
    whole->samples.view().require_finite("data");
  });
  const bool is_comparable = whole && whole->samples.view().rows() <= reading::most_compared;
  completes([&] {
    const auto stream = open_dataset(path, options);
    static_cast<void>(stream->feature_names());
    for (Index row = 0; row <= reading::most_compared;) {
      const Dataset part = stream->next(block);
      const Index rows = part.samples.view().rows();
      if (rows > block) report_find("a block has more rows than were asked for");
      if (rows == 0 && is_comparable && row != whole->samples.view().rows())
        report_find("in blocks the file has fewer rows than at once");
      if (rows == 0) return;
      if (is_comparable) reading::compare(whole->samples.view(), part.samples.view(), row);
      row += rows;
    }
  });
}

}  // namespace dualkpca::fuzz
