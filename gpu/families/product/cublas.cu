// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/product/problem.hpp"
#include "gpu/frame/cub_calls.cuh"

#include <dlfcn.h>

namespace warplens::gpu {
namespace library {
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

struct CublasHandle {
    void* handle = nullptr;
    ~CublasHandle() {
        if (handle != nullptr) cublas().destroy(handle);
    }
};

// Rows of ours are columns of cuBLAS's: the transposed product, factors in turn.
void multiply(LaunchContext& context, void* handle, const product::Multiplication& m) {
    const auto at = [&](const product::Matrix& matrix) {
        return static_cast<float*>(context.address(matrix.handle)) + matrix.first;
    };
    const float one = 1, zero = 0;
    check(cublas().multiply(handle, kAsIs, kAsIs, m.columns, m.rows, m.inner, &one, at(m.b), static_cast<int>(m.b.row),
                            m.b.layer, at(m.a), static_cast<int>(m.a.row), m.a.layer, &zero, at(m.c),
                            static_cast<int>(m.c.row), m.c.layer, m.layers),
          "cublasSgemmStridedBatched");
}

template <int math>
LibraryCalls openCublas(Device& device, const product::LibraryCase& of) {
    const auto made = std::make_shared<CublasHandle>();
    check(cublas().create(&made->handle), "cublasCreate");
    check(cublas().setStream(made->handle, streamOf(device)), "cublasSetStream");
    check(cublas().setMathMode(made->handle, math), "cublasSetMathMode");
    LibraryCalls calls;
    calls.launch = [&device, made, steps = of.steps] {
        for (const product::Multiplication& step : steps) multiply(device.context(), made->handle, step);
    };
    return calls;
}

std::string cublasRefusal(const product::ProductProblem& p) {
    using product::Task;
    const product::Case& asked = p.posed();
    if (asked.task == Task::bank || asked.task == Task::colours) return "multiplies matrices only";
    if (asked.task == Task::dct && asked.type != io::PixelType::f32)
        return "cuBLAS writes floats: a result of " + std::string(io::nameOf(asked.type)) + " is not among them";
    if (!cublas().complete())
        return "libcublas was not found: install the CUDA toolkit's cuBLAS, or set LD_LIBRARY_PATH";
    return {};
}

/// TF32 has 11 bits: a factor that is cut lacks up to 2^-10 of itself, a product both and their product. Tensor cores
/// take factors that are no normal numbers for zero there.
product::Bound boundOfTf32(const product::Case&) { return {.factor = 3, .lacks = 0x1.01p14, .flushes = true}; }

}  // namespace
}  // namespace library

namespace product {

ProductFrame::Library cublas_library() {
    return {.refusal = &library::cublasRefusal, .open = &library::openCublas<library::kDefaultMath>};
}
ProductFrame::Library cublas_tf32_library() {
    return {.refusal = &library::cublasRefusal,
            .open = &library::openCublas<library::kTf32Math>,
            .bound = &library::boundOfTf32};
}

}  // namespace product
}  // namespace warplens::gpu
