#pragma once

/// All headers that a program needs: data files, the estimator KernelPCA and its report.
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "dualkpca/data/write.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "dualkpca/model/path.hpp"
#include "dualkpca/report/report.hpp"
