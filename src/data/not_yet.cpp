// Stands in for the binary formats.

#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {

std::unique_ptr<DataStream> open_npy(const std::string&, const ReadOptions&) { throw Error("not built yet"); }
std::unique_ptr<DataStream> open_npz(const std::string&, const ReadOptions&) { throw Error("not built yet"); }
std::unique_ptr<DataStream> open_hdf5(const std::string&, const ReadOptions&) { throw Error("not built yet"); }

}  // namespace dualkpca
