// Changes model files so that they remain model files. Most changes keep layout and sizes consistent, and the checksum
// is always right. The library would refuse random changes of bytes because of the checksum.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "model_file.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace dualkpca::fuzz {
namespace {

using Json = nlohmann::ordered_json;
using Random = std::mt19937;

constexpr std::uint64_t most_elements = 1 << 13;

std::size_t below(Random& random, std::size_t count) { return random() % count; }
template <class List>
auto& pick(Random& random, List& list) {
  return list[below(random, std::size(list))];
}

constexpr std::int64_t odd_integers[] = {0,
                                         -1,
                                         1,
                                         2,
                                         3,
                                         7,
                                         40,
                                         1000,
                                         -2,
                                         1LL << 31,
                                         (1LL << 31) - 1,
                                         1LL << 32,
                                         300'000'000,
                                         std::numeric_limits<std::int64_t>::max(),
                                         std::numeric_limits<std::int64_t>::min()};
constexpr double odd_numbers[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  0.5,
                                  2.0,
                                  1e-300,
                                  -1e-300,
                                  1e300,
                                  -1e300,
                                  1e-8,
                                  5e-324,
                                  1.7e308,
                                  1e38,
                                  -1e38,
                                  3.5e38,
                                  0.999,
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN()};
// Values of fields whose values are names, and names of fields.
constexpr const char* words[] = {"rbf",
                                 "laplace",
                                 "poly",
                                 "linear",
                                 "sigmoid",
                                 "cosine",
                                 "matern32",
                                 "matern52",
                                 "precomputed",
                                 "square",
                                 "huber",
                                 "epsilon_insensitive",
                                 "rows",
                                 "entries",
                                 "frobenius",
                                 "none",
                                 "standard",
                                 "robust",
                                 "minmax",
                                 "auto",
                                 "krylov",
                                 "nystrom",
                                 "lbfgs",
                                 "panoc",
                                 "dca",
                                 "dense",
                                 "lanczos",
                                 "rsvd",
                                 "float32",
                                 "float64",
                                 "cv",
                                 "training",
                                 "chi2",
                                 "weighted_chi2",
                                 "ridge",
                                 "fixed_point",
                                 "distance",
                                 "sklearn",
                                 "paper",
                                 "huber_spe",
                                 "dual",
                                 "density",
                                 "estimated",
                                 "certified",
                                 "stationary",
                                 "converged",
                                 "iteration_limit",
                                 "time_limit",
                                 "stopped",
                                 "stored",
                                 "median",
                                 "scale",
                                 "",
                                 "{}\n\x1b[31m"};

void collect_leaves(Json& json, std::vector<Json*>& leaves) {
  leaves.push_back(&json);
  if (json.is_structured())
    for (Json& child : json) collect_leaves(child, leaves);
}

void change_number(Json& json, Random& random) {
  if (json.is_number_integer() && below(random, 3) != 0) {
    const auto old = json.get<std::int64_t>();
    const std::int64_t steps[] = {old > std::numeric_limits<std::int64_t>::min() ? old - 1 : old,
                                  old < std::numeric_limits<std::int64_t>::max() ? old + 1 : old, old / 2};
    json = below(random, 2) == 0 ? pick(random, steps) : pick(random, odd_integers);
    return;
  }
  if (below(random, 3) == 0)
    json = pick(random, odd_integers);
  else
    json = pick(random, odd_numbers);
}

// Replaces one value of a JSON tree, usually by a value of its kind.
void change_json(Json& root, Random& random) {
  std::vector<Json*> leaves;
  collect_leaves(root, leaves);
  Json& leaf = *pick(random, leaves);
  const std::size_t way = below(random, 12);
  if (way == 0) {
    leaf = nullptr;
  } else if (way == 1) {
    leaf = Json(*pick(random, leaves));
  } else if (way == 2) {
    leaf = pick(random, words);
  } else if (leaf.is_object() && !leaf.empty()) {
    auto at = leaf.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(below(random, leaf.size())));
    if (way < 5)
      leaf.erase(at);
    else
      change_number(*at, random);
  } else if (leaf.is_array()) {
    if (leaf.empty() || way < 7)
      leaf.push_back(leaf.empty() ? Json(0) : Json(leaf.back()));
    else
      leaf.erase(below(random, leaf.size()));
  } else if (leaf.is_boolean()) {
    leaf = !leaf.get<bool>();
  } else if (leaf.is_string()) {
    leaf = pick(random, words);
  } else {
    change_number(leaf, random);
  }
}

constexpr const char* json_texts[] = {"params", "report", "report", "preimage"};

Json parse_text(const ModelFile& file, const char* name) {
  if (!file.metadata.contains(name) || !file.metadata[name].is_string()) return Json::object();
  Json json = Json::parse(file.metadata[name].get<std::string>(), nullptr, false);
  return json.is_discarded() ? Json::object() : json;
}

void store_text(ModelFile& file, const char* name, const Json& json) {
  file.metadata[name] = json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

void change_text(ModelFile& file, Random& random) {
  const char* name = pick(random, json_texts);
  if (!file.metadata.contains(name)) return;
  Json json = parse_text(file, name);
  change_json(json, random);
  store_text(file, name, json);
}

void change_metadata(ModelFile& file, Random& random) {
  Json metadata = file.metadata;
  change_json(metadata, random);
  if (metadata.is_object()) file.metadata = std::move(metadata);
}

// Changes the shape of an array. Old rows and columns keep their values; new ones repeat the first element.
void reshape(ModelArray& array, std::vector<std::uint64_t> shape) {
  const std::size_t width = element_bytes(array.type);
  const std::uint64_t rows = shape[0], cols = shape.size() == 2 ? shape[1] : 1;
  const std::uint64_t old_rows = array.shape[0], old_cols = array.shape.size() == 2 ? array.shape[1] : 1;
  if (rows > most_elements || cols > most_elements || rows * cols > most_elements) return;
  std::string bytes(rows * cols * width, '\0');
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < cols; ++j) {
      if (array.bytes.empty()) continue;
      const std::uint64_t from = i < old_rows && j < old_cols ? i * old_cols + j : 0;
      std::memcpy(bytes.data() + (i * cols + j) * width, array.bytes.data() + from * width, width);
    }
  array.bytes = std::move(bytes);
  array.shape = std::move(shape);
}

std::uint64_t other_size(std::uint64_t size, Random& random) {
  const std::uint64_t sizes[] = {0,        1,        2,        5,    size + 1, size == 0 ? 0 : size - 1,
                                 2 * size, 3 * size, size / 2, 4097, 64};
  return pick(random, sizes);
}

void resize_array(ModelFile& file, Random& random) {
  if (file.arrays.empty()) return;
  ModelArray& array = pick(random, file.arrays);
  std::vector<std::uint64_t> shape = array.shape;
  std::uint64_t& size = pick(random, shape);
  size = other_size(size, random);
  reshape(array, std::move(shape));
}

// Changes a size everywhere: in the report, in the parameters and in every array that has it.
void resize_everywhere(ModelFile& file, Random& random) {
  constexpr const char* sizes[] = {"n_samples", "n_features", "n_components", "stored_rows", "landmarks"};
  Json report = parse_text(file, "report"), params = parse_text(file, "params");
  const char* name = pick(random, sizes);
  if (!report.contains(name) || !report[name].is_number_unsigned()) return;
  const auto old = report[name].get<std::uint64_t>();
  const std::uint64_t size = other_size(old, random);
  const bool with_others = below(random, 2) == 0;  // whether to change other fields of the same value, too
  for (Json* json : {&report, &params})
    for (auto& [key, value] : json->items())
      if (value.is_number_unsigned() && value.get<std::uint64_t>() == old && (with_others || key == name)) value = size;
  if (std::string_view(name) == "n_components")
    for (const char* list : {"eigenvalues", "explained_variance_ratio"})
      if (report.contains(list) && report[list].is_array() && size < most_elements) {
        std::vector<double> numbers(size, 0.25);
        report[list] = numbers;
      }
  store_text(file, "report", report);
  store_text(file, "params", params);
  for (ModelArray& array : file.arrays) {
    std::vector<std::uint64_t> shape = array.shape;
    for (std::uint64_t& length : shape)
      if (length == old || length == old + 1) length = length - old + size;
    if (shape != array.shape) reshape(array, std::move(shape));
  }
}

template <class T>
void store(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at * sizeof(T), &value, sizeof(T));
}

void change_element(ModelFile& file, Random& random) {
  if (file.arrays.empty()) return;
  ModelArray& array = pick(random, file.arrays);
  const std::size_t count = array.bytes.size() / element_bytes(array.type);
  if (count == 0) return;
  const bool all = below(random, 8) == 0;
  const std::size_t first = all ? 0 : below(random, count), last = all ? count : first + 1;
  const double number = pick(random, odd_numbers);
  const std::int64_t integer = pick(random, odd_integers);
  for (std::size_t at = first; at < last; ++at) {
    if (array.type == "F64") store(array.bytes, at, number);
    if (array.type == "F32") store(array.bytes, at, static_cast<float>(std::clamp(number, -3e38, 3e38)));
    if (array.type == "I64") store(array.bytes, at, integer);
    if (array.type == "I32") store(array.bytes, at, static_cast<std::int32_t>(integer));
  }
}

void drop_array(ModelFile& file, Random& random) {
  if (file.arrays.empty()) return;
  file.arrays.erase(file.arrays.begin() + static_cast<std::ptrdiff_t>(below(random, file.arrays.size())));
}

// Copies an array to a name that only other kinds of models have.
void copy_array(ModelFile& file, Random& random) {
  constexpr const char* names[] = {
      "shift",         "row_weights",   "row_spe",     "score_mean",   "score_covariance", "center_weights",
      "landmarks",     "kept_rows",     "row_offsets", "row_columns",  "row_values",       "dual_offsets",
      "preimage_turn", "preimage_mean", "rows",        "scaler_scale", "scaler_center"};
  if (file.arrays.empty()) return;
  ModelArray copy = pick(random, file.arrays);
  copy.name = pick(random, names);
  std::erase_if(file.arrays, [&](const ModelArray& array) { return array.name == copy.name; });
  file.arrays.push_back(std::move(copy));
}

void change_type(ModelFile& file, Random& random) {
  constexpr const char* types[] = {"F32", "F64", "I32", "I64", "BF16"};
  if (file.arrays.empty()) return;
  ModelArray& array = pick(random, file.arrays);
  const std::size_t count = array.bytes.size() / element_bytes(array.type);
  array.type = pick(random, types);
  array.bytes.resize(count * element_bytes(array.type), '\0');
}

std::string mutate_bytes(std::string bytes, std::size_t max_size) {
  const std::size_t size = bytes.size();
  bytes.resize(max_size);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, max_size));
  renew_checksum(bytes);
  return bytes;
}

std::string mutate_file(ModelFile file, Random& random) {
  using Change = void (*)(ModelFile&, Random&);
  constexpr Change changes[] = {change_text,    change_text,    change_text,  change_text,       change_element,
                                change_element, change_element, resize_array, resize_everywhere, resize_everywhere,
                                drop_array,     copy_array,     change_type,  change_metadata};
  for (std::size_t left = 1 + below(random, 3); left > 0; --left) pick(random, changes)(file, random);
  return assemble(file);
}

std::size_t give(const std::string& bytes, std::uint8_t* out, std::size_t max_size) {
  if (bytes.size() > max_size) return 0;
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace
}  // namespace dualkpca::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  using namespace dualkpca::fuzz;
  Random random(seed);
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (below(random, 16) != 0)
    if (auto file = parse_model(bytes)) {
      const std::size_t given = give(mutate_file(std::move(*file), random), data, max_size);
      if (given > 0) return given;
    }
  return give(mutate_bytes(bytes, max_size), data, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b,
                                                 std::size_t b_size, std::uint8_t* out, std::size_t max_size,
                                                 unsigned int seed);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b,
                                                 std::size_t b_size, std::uint8_t* out, std::size_t max_size,
                                                 unsigned int seed) {
  using namespace dualkpca::fuzz;
  Random random(seed);
  auto first = parse_model({reinterpret_cast<const char*>(a), a_size});
  const auto second = parse_model({reinterpret_cast<const char*>(b), b_size});
  if (!first || !second) return 0;
  for (const ModelArray& array : second->arrays) {
    if (below(random, 3) != 0) continue;
    std::erase_if(first->arrays, [&](const ModelArray& mine) { return mine.name == array.name; });
    first->arrays.push_back(array);
  }
  for (const auto& [key, value] : second->metadata.items())
    if (below(random, 3) == 0) first->metadata[key] = value;
  return give(assemble(*first), out, max_size);
}
