#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace dualkpca {

/// What a file may hold that can be read: 2-D numbers and sparse matrices.
struct Hdf5Candidates {
  struct Table {
    std::string path{};
    std::string shape{};
  };
  std::vector<Table> tables{};
  bool is_complete = true;  ///< false if the file has more objects, or deeper groups, than are looked at

  /// "'/X' (3, 4), '/Y' sparse and 3 more", for messages.
  [[nodiscard]] std::string list() const;
};

/// Looks through the groups of a file. Links to other places are not followed.
[[nodiscard]] Hdf5Candidates find_hdf5_candidates(hid_t file);

}  // namespace dualkpca
