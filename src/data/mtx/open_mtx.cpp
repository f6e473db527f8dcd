#include "data/mtx/mtx_streams.hpp"

namespace dualkpca {

std::unique_ptr<DataStream> open_mtx(const std::string& path, const ReadOptions& options) {
  Lines lines(path, options.observe);
  const MtxHeader header = read_mtx_header(lines, options.memory);
  return header.is_sparse ? open_mtx_coordinate(lines, header, path, options) : open_mtx_array(lines, header);
}

}  // namespace dualkpca
