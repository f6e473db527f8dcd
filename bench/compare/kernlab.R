# One fit of kernlab's kpca: Rscript kernlab.R X.bin rows columns gamma components OUT.bin
# X.bin and OUT.bin contain float64 by columns. Prints the seconds of the fit alone, without start and reading, and the
# eigenvalues times the number of rows, by which kernlab divides them.
arguments <- commandArgs(trailingOnly = TRUE)
suppressPackageStartupMessages(library(kernlab))
rows <- as.integer(arguments[2])
columns <- as.integer(arguments[3])
X <- matrix(readBin(arguments[1], "double", rows * columns), rows, columns)
start <- proc.time()[["elapsed"]]
pca <- kpca(X, kernel = "rbfdot", kpar = list(sigma = as.numeric(arguments[4])), features = as.integer(arguments[5]))
seconds <- proc.time()[["elapsed"]] - start
cat(format(c(seconds, eig(pca) * rows), digits = 17), "\n")
writeBin(as.vector(rotated(pca)), arguments[6])
