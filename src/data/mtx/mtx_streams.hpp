#pragma once

#include "data/mtx/mtx_header.hpp"
#include "data/streams.hpp"

namespace dualkpca {

// The two kinds of Matrix Market file. `lines` stand behind the header; both read them to the end.

/// `path` and `options` are those of `lines`.
[[nodiscard]] std::unique_ptr<DataStream> open_mtx_coordinate(Lines& lines, const MtxHeader& header,
                                                              const std::string& path, const ReadOptions& options);
[[nodiscard]] std::unique_ptr<DataStream> open_mtx_array(Lines& lines, const MtxHeader& header);

}  // namespace dualkpca
