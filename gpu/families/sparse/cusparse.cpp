// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/cusparse.hpp"

#include "gpu/core/error.hpp"

namespace warplens::gpu::library {

#if !WARPLENS_HAVE_CUDA
struct Cusparse::State {};

std::string cusparseRefusal() { return "this program was built without the CUDA device"; }
Cusparse::Cusparse(Device&, const sparse::Stored&) {
    throw Error(Error::Kind::unsupported, "cuSPARSE: this program was built without the CUDA device");
}
Cusparse::~Cusparse() = default;
void Cusparse::multiply(const sparse::Vector&, const sparse::Vector&) {}
#endif

}  // namespace warplens::gpu::library
