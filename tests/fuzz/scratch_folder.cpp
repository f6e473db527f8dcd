#include "scratch_folder.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "dualkpca/data/write.hpp"
#include "dualkpca/model/kernel_pca.hpp"

namespace dualkpca::fuzz {
namespace scratch {

namespace fs = std::filesystem;

Matrix some_rows(Index rows, Index cols) {
  Matrix X(rows, cols);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = std::sin(3.7 * static_cast<double>(i * i));
  return X;
}

void write_table(const std::string& path, const Matrix& X) {
  TableLayout layout;
  layout.cols = X.cols();
  layout.rows = X.rows();
  layout.nonzeros = X.size();
  const auto writer = make_table_writer(path, layout);
  writer->write(X);
  writer->commit();
}

// Writes the files. Their names are short, because a fuzzer finds short names sooner.
void write_files(const std::string& root) {
  const Matrix X = some_rows(12, 3);
  for (const char* name : {"a.csv", "b.tsv", "c.npy", "d.npz", "e.svm", "f.mtx", "g.h5", "h.csv.gz"})
    write_table(root + "/" + name, X);
  write_table(root + "/k.npy", X * X.transpose());
  std::ofstream(root + "/l.csv") << "id,x,y,label\nr1,1,2,u\nr2,2,1,v\nr3,0,4,u\nr4,5,5,v\nr5,1,0,w\n";
  KernelPCAParams params{.kernel = {.gamma = 0.5}, .threads = 1};
  params.monitor.limits = LimitKind::training;
  KernelPCA model(params);
  model.fit(X);
  write_table(root + "/s.csv", model.scores());
  model.save(root + "/m");
  model.fit_inverse({}, 1);
  model.save(root + "/p");
}

}  // namespace scratch

ScratchFolder::ScratchFolder() : root_((scratch::fs::temp_directory_path() / "dualkpca-fuzz-XXXXXX").string()) {
  if (::mkdtemp(root_.data()) == nullptr) throw std::runtime_error("cannot create " + root_);
  scratch::write_files(root_);
  for (const auto& entry : scratch::fs::directory_iterator(root_)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files_[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  scratch::fs::remove_all(root_, ignored);
}

void ScratchFolder::restore() const {
  for (const auto& entry : scratch::fs::directory_iterator(root_)) scratch::fs::remove_all(entry.path());
  for (const auto& [name, bytes] : files_) std::ofstream(root_ + "/" + name, std::ios::binary) << bytes;
}

}  // namespace dualkpca::fuzz
