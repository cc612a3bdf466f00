// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/product/cublas.hpp"

#include <dlfcn.h>

namespace warplens::gpu::library {
namespace {

/// The few entry points used; types and values as cublas_api.h has them.
struct Library {
    void* handle = nullptr;
    int (*create)(void**) = nullptr;
    int (*destroy)(void*) = nullptr;
    int (*setStream)(void*, cudaStream_t) = nullptr;
    int (*setMathMode)(void*, int) = nullptr;
    int (*multiply)(void*, int, int, int m, int n, int k, const float* alpha, const float* a, int lda,
                    long long strideA, const float* b, int ldb, long long strideB, const float* beta, float* c, int ldc,
                    long long strideC, int count) = nullptr;

    bool complete() const { return create && destroy && setStream && setMathMode && multiply; }
};

constexpr int kAsIs = 0, kDefaultMath = 0, kTf32Math = 3;

template <class F>
void load(void* handle, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(handle, name));
}

/// Stays loaded: closing it would take its kernels from the running context.
const Library& cublas() {
    static const Library found = [] {
        Library l;
        for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}) {
            l.handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
            if (l.handle != nullptr) break;
        }
        if (l.handle == nullptr) return l;
        load(l.handle, "cublasCreate_v2", l.create);
        load(l.handle, "cublasDestroy_v2", l.destroy);
        load(l.handle, "cublasSetStream_v2", l.setStream);
        load(l.handle, "cublasSetMathMode", l.setMathMode);
        load(l.handle, "cublasSgemmStridedBatched", l.multiply);
        return l;
    }();
    return found;
}

void check(int status, const char* what) {
    if (status == 0) return;
    throw Error(Error::Kind::unsupported,
                std::string("cuBLAS: ") + what + " gave status " + std::to_string(status) + ": see cublasStatus_t");
}

}  // namespace

std::string cublasRefusal(const product::Case& asked) {
    if (asked.task == product::Task::bank || asked.task == product::Task::colours) return "multiplies matrices only";
    if (asked.task == product::Task::dct && asked.type != io::PixelType::f32)
        return "cuBLAS writes floats: a result of " + std::string(io::nameOf(asked.type)) + " is not among them";
    if (!cublas().complete())
        return "libcublas was not found: install the CUDA toolkit's cuBLAS, or set LD_LIBRARY_PATH";
    return {};
}

struct Cublas::State {
    Device& device;
    void* handle = nullptr;
};

Cublas::Cublas(Device& device, bool tf32) : m_state(std::make_unique<State>(State{device})) {
    check(cublas().create(&m_state->handle), "cublasCreate");
    check(cublas().setStream(m_state->handle, static_cast<CudaContext&>(device.context()).stream), "cublasSetStream");
    check(cublas().setMathMode(m_state->handle, tf32 ? kTf32Math : kDefaultMath), "cublasSetMathMode");
}

Cublas::~Cublas() {
    if (m_state->handle != nullptr) cublas().destroy(m_state->handle);
}

// Rows of ours are columns of cuBLAS's: the transposed product, factors in turn.
void Cublas::launch(const product::Multiplication& m) {
    LaunchContext& context = m_state->device.context();
    const auto at = [&](const product::Matrix& matrix) {
        return static_cast<float*>(context.address(matrix.handle)) + matrix.first;
    };
    const float one = 1, zero = 0;
    check(cublas().multiply(m_state->handle, kAsIs, kAsIs, m.columns, m.rows, m.inner, &one, at(m.b),
                            static_cast<int>(m.b.row), m.b.layer, at(m.a), static_cast<int>(m.a.row), m.a.layer, &zero,
                            at(m.c), static_cast<int>(m.c.row), m.c.layer, m.layers),
          "cublasSgemmStridedBatched");
}

}  // namespace warplens::gpu::library
