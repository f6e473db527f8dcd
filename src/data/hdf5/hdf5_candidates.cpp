#include "data/hdf5/hdf5_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/hdf5/hdf5_dataset.hpp"
#include "data/hdf5/hdf5_handle.hpp"
#include "data/hdf5/hdf5_sparse.hpp"
#include "data/io/text.hpp"

namespace dualkpca {
namespace {

// A hostile file can have groups nested a hundred thousand deep, for which H5Ovisit() takes hours.
constexpr int deepest = 64;
constexpr std::size_t most_objects = 100'000;

struct Links {
  std::vector<std::string> names{};
  std::size_t room = 0;
};

herr_t add_hard_link(hid_t /*group*/, const char* name, const H5L_info_t* info, void* data) noexcept {
  auto& links = *static_cast<Links*>(data);
  if (links.names.size() >= links.room) return 1;  // ends the iteration
  if (info->type == H5L_TYPE_HARD) links.names.emplace_back(name);
  return 0;
}

class Search {
 public:
  void visit(hid_t group, const std::string& path, int depth) {
    if (!is_new(group)) return;
    if (const std::string encoding = depth > 0 ? sparse_encoding(group) : ""; !encoding.empty())
      found_.tables.push_back({path, "sparse"});
    Links links{.room = most_objects - std::min(most_objects, seen_.size())};
    if (depth == deepest || H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_hard_link, &links) != 0)
      found_.is_complete = false;
    for (const std::string& name : links.names) {
      const Hdf5Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose);
      const H5I_type_t kind = object ? H5Iget_type(object.id()) : H5I_BADID;
      const std::string child = fmt::format("{}/{}", path, name);
      if (kind == H5I_GROUP) visit(object.id(), child, depth + 1);
      if (kind == H5I_DATASET && is_new(object.id())) add_dataset(object.id(), child);
    }
  }

  [[nodiscard]] Hdf5Candidates& found() { return found_; }

 private:
  // Returns whether the object was not visited yet: a group can be inside itself, and an object can have several names.
  bool is_new(hid_t object) {
    H5O_info_t info{};
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0) return false;
    if (seen_.size() < most_objects) return seen_.insert(info.addr).second;
    found_.is_complete = false;
    return false;
  }

  void add_dataset(hid_t dataset, const std::string& path) {
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
    if (space && H5Sget_simple_extent_ndims(space.id()) == 2 && holds_numbers(dataset))
      found_.tables.push_back({path, hdf5_shape_text(space.id())});
  }

  Hdf5Candidates found_;
  std::set<haddr_t> seen_;
};

}  // namespace

std::string Hdf5Candidates::list() const {
  constexpr std::size_t most = 10;
  if (tables.empty()) return "no 2-D dataset of numbers";
  std::string out;
  for (std::size_t i = 0; i < std::min(tables.size(), most); ++i)
    out += fmt::format("{}{} {}", i > 0 ? ", " : "", in_quotes(tables[i].path), tables[i].shape);
  if (tables.size() > most) out += fmt::format(" and {} more", tables.size() - most);
  return out;
}

Hdf5Candidates find_hdf5_candidates(hid_t file) {
  const Hdf5Handle root(H5Oopen(file, "/", H5P_DEFAULT), H5Oclose);
  Search search;
  if (root) search.visit(root.id(), "", 0);
  return std::move(search.found());
}

}  // namespace dualkpca
