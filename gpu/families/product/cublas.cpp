// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/cublas.hpp"

#include "gpu/core/error.hpp"

namespace warplens::gpu::library {

#if !WARPLENS_HAVE_CUDA
struct Cublas::State {};

std::string cublasRefusal(const product::Case&) { return "this program was built without the CUDA device"; }
Cublas::Cublas(Device&, bool) {
    throw Error(Error::Kind::unsupported, "cuBLAS: this program was built without the CUDA device");
}
Cublas::~Cublas() = default;
void Cublas::launch(const product::Multiplication&) {}
#endif

}  // namespace warplens::gpu::library
