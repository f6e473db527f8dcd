#pragma once

#include <vector>

namespace dualkpca {

/// Calls a LAPACK routine twice: first to query the size of its workspace, then with that workspace. `routine` takes a
/// workspace of numbers and one of integers, each with its size; a size of -1 is the query.
template <class Routine>
void call_with_workspace(const Routine& routine) {
  const int query = -1;
  double numbers = 0;
  int integers = 0;
  routine(&numbers, &query, &integers, &query);
  std::vector<double> work(static_cast<std::size_t>(numbers));
  std::vector<int> iwork(static_cast<std::size_t>(integers));
  const int lwork = static_cast<int>(work.size()), liwork = static_cast<int>(iwork.size());
  routine(work.data(), &lwork, iwork.data(), &liwork);
}

}  // namespace dualkpca
