#pragma once

#include <memory>
#include <string>

#include "dualkpca/data/write.hpp"

namespace dualkpca {

// One function per format, of which make_table_writer() chooses one. The layout is complete: `cols` is set, `columns`
// has as many names, and `rows` and `nonzeros` are known if needs_totals() is true.

[[nodiscard]] std::unique_ptr<TableWriter> make_csv_writer(const std::string& path, char delimiter,
                                                           const TableLayout& layout);
[[nodiscard]] std::unique_ptr<TableWriter> make_libsvm_writer(const std::string& path, const TableLayout& layout);
[[nodiscard]] std::unique_ptr<TableWriter> make_mtx_writer(const std::string& path, const TableLayout& layout);
[[nodiscard]] std::unique_ptr<TableWriter> make_npy_writer(const std::string& path, const TableLayout& layout);
[[nodiscard]] std::unique_ptr<TableWriter> make_npz_writer(const std::string& path, const TableLayout& layout);
[[nodiscard]] std::unique_ptr<TableWriter> make_hdf5_writer(const std::string& path, const TableLayout& layout);

}  // namespace dualkpca
