#include "core/quantiles.hpp"

// The only file that includes Boost, which takes long to compile.
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace dualkpca {

double chi2_quantile(double level, double degrees) {
  constexpr double many = 1e6;
  if (degrees > many) {  // Wilson and Hilferty: the cube root is normal, here to full accuracy
    const double share = 2 / (9 * degrees), z = boost::math::quantile(boost::math::normal(), level);
    return degrees * std::pow(1 - share + z * std::sqrt(share), 3);
  }
  return boost::math::quantile(boost::math::chi_squared(degrees), level);
}

double f_quantile(double level, double numerator, double denominator) {
  return boost::math::quantile(boost::math::fisher_f(numerator, denominator), level);
}

double weighted_chi2_quantile(double level, const Vector& weights) {
  const double unit = weights.size() > 0 ? weights.maxCoeff() : 0;  // dividing by it keeps cubes of weights in range
  if (!(unit > 0)) return 0;
  const Vector shares = weights / unit;
  const double mean = shares.sum(), variance = 2 * shares.squaredNorm(), third = 8 * shares.array().cube().sum();
  const double degrees = 8 * variance * variance * variance / (third * third);
  return unit * (mean + std::sqrt(variance / (2 * degrees)) * (chi2_quantile(level, degrees) - degrees));
}

}  // namespace dualkpca
