#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace dualkpca {

/// Objects of a file that can be read: 2-D datasets of numbers and sparse matrices.
struct Hdf5Candidates {
  struct Table {
    std::string path{};
    std::string shape{};
  };
  std::vector<Table> tables{};
  bool is_complete = true;  ///< false if the file has more objects, or deeper groups, than were visited

  /// Returns a list for messages such as "'/X' (3, 4), '/Y' sparse and 3 more".
  [[nodiscard]] std::string list() const;
};

/// Searches the groups of a file. Links to other places are not followed.
[[nodiscard]] Hdf5Candidates find_hdf5_candidates(hid_t file);

}  // namespace dualkpca
