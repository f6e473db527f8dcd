#pragma once

#include "data/mtx/mtx_header.hpp"
#include "data/streams.hpp"

namespace dualkpca {

// Streams for the two kinds of Matrix Market file. `lines` are at the end of the header; both functions read them to
// the end of the file.

/// `path` and `options` are those of `lines`.
[[nodiscard]] std::unique_ptr<DataStream> open_mtx_coordinate(Lines& lines, const MtxHeader& header,
                                                              const std::string& path, const ReadOptions& options);
[[nodiscard]] std::unique_ptr<DataStream> open_mtx_array(Lines& lines, const MtxHeader& header);

}  // namespace dualkpca
