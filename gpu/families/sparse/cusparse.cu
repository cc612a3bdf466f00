// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/sparse/problem.hpp"
#include "gpu/families/sparse/stored_matrix.hpp"
#include "gpu/frame/cub_calls.cuh"

#include <dlfcn.h>

namespace warplens::gpu {
namespace library {
namespace {

/// The few entry points used; types and values as cusparse.h has them.
struct Library {
    void* handle = nullptr;
    int (*create)(void**) = nullptr;
    int (*destroy)(void*) = nullptr;
    int (*setStream)(void*, cudaStream_t) = nullptr;
    int (*createRows)(void**, std::int64_t rows, std::int64_t columns, std::int64_t nonzeros, void* starts,
                      void* columnOf, void* values, int startType, int columnType, int base, int valueType) = nullptr;
    int (*createSliced)(void**, std::int64_t rows, std::int64_t columns, std::int64_t nonzeros, std::int64_t places,
                        std::int64_t slice, void* starts, void* columnOf, void* values, int startType, int columnType,
                        int base, int valueType) = nullptr;
    int (*destroyMatrix)(const void*) = nullptr;
    int (*createVector)(void**, std::int64_t size, void* values, int type) = nullptr;
    int (*setValues)(void*, void* values) = nullptr;
    int (*destroyVector)(const void*) = nullptr;
    int (*scratch)(void*, int, const void* alpha, const void* matrix, const void* x, const void* beta, void* y, int,
                   int, std::size_t* bytes) = nullptr;
    int (*multiply)(void*, int, const void* alpha, const void* matrix, const void* x, const void* beta, void* y, int,
                    int, void* buffer) = nullptr;
    /// Not in versions before 12.4.
    int (*prepare)(void*, int, const void* alpha, const void* matrix, const void* x, const void* beta, void* y, int,
                   int, void* buffer) = nullptr;

    bool complete() const {
        return create && destroy && setStream && createRows && createSliced && destroyMatrix && createVector &&
               setValues && destroyVector && scratch && multiply;
    }
};

constexpr int kAsIs = 0, kFromZero = 0, kIntegers = 2, kFloats = 0, kRowsAlgorithm = 2, kSlicesAlgorithm = 5;

template <class F>
void load(void* handle, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(handle, name));
}

/// Stays loaded: closing it would take its kernels from the running context.
const Library& cusparse() {
    static const Library found = [] {
        Library l;
        for (const char* name : {"libcusparse.so.13", "libcusparse.so.12", "libcusparse.so"}) {
            l.handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
            if (l.handle != nullptr) break;
        }
        if (l.handle == nullptr) return l;
        load(l.handle, "cusparseCreate", l.create);
        load(l.handle, "cusparseDestroy", l.destroy);
        load(l.handle, "cusparseSetStream", l.setStream);
        load(l.handle, "cusparseCreateCsr", l.createRows);
        load(l.handle, "cusparseCreateSlicedEll", l.createSliced);
        load(l.handle, "cusparseDestroySpMat", l.destroyMatrix);
        load(l.handle, "cusparseCreateDnVec", l.createVector);
        load(l.handle, "cusparseDnVecSetValues", l.setValues);
        load(l.handle, "cusparseDestroyDnVec", l.destroyVector);
        load(l.handle, "cusparseSpMV_bufferSize", l.scratch);
        load(l.handle, "cusparseSpMV", l.multiply);
        load(l.handle, "cusparseSpMV_preprocess", l.prepare);
        return l;
    }();
    return found;
}

void check(int status, const char* what) {
    if (status == 0) return;
    throw Error(Error::Kind::unsupported,
                std::string("cuSPARSE: ") + what + " gave status " + std::to_string(status) + ": see cusparseStatus_t");
}

/// cusparseSpMV on one stored matrix, which must outlive it: in rows or in slices. What it prepares for the matrix is
/// not timed with a product.
struct Cusparse {
    explicit Cusparse(Device& on) : device(on) {}
    Cusparse(Device& on, const sparse::Stored& matrix);
    ~Cusparse() {
        if (x != nullptr) cusparse().destroyVector(x);
        if (y != nullptr) cusparse().destroyVector(y);
        if (matrix != nullptr) cusparse().destroyMatrix(matrix);
        if (handle != nullptr) cusparse().destroy(handle);
    }
    /// y = A x, on the device's stream.
    void multiply(const sparse::Vector& from, const sparse::Vector& to);

    Device& device;
    int algorithm = kRowsAlgorithm;
    void *handle = nullptr, *matrix = nullptr, *x = nullptr, *y = nullptr;
    Buffer buffer{}, vector{};
};

// Delegating, so that what there is goes when the rest is refused.
Cusparse::Cusparse(Device& on, const sparse::Stored& m) : Cusparse(on) {
    const Library& l = cusparse();
    LaunchContext& context = device.context();
    const auto at = [&](std::uint64_t handle) { return context.address(handle); };
    check(l.create(&handle), "cusparseCreate");
    check(l.setStream(handle, streamOf(device)), "cusparseSetStream");
    if (m.format == sparse::Format::sliced) {
        algorithm = kSlicesAlgorithm;
        check(l.createSliced(&matrix, m.rows, m.rows, m.nonzeros, m.places, sparse::kSlice, at(m.starts), at(m.columns),
                             at(m.values), kIntegers, kIntegers, kFromZero, kFloats),
              "cusparseCreateSlicedEll");
    } else {
        check(l.createRows(&matrix, m.rows, m.rows, m.nonzeros, at(m.starts), at(m.columns), at(m.values), kIntegers,
                           kIntegers, kFromZero, kFloats),
              "cusparseCreateCsr");
    }
    // Vectors that are there while it prepares; a product brings its own.
    vector = device.allocate(static_cast<std::size_t>(m.rows) * 2 * sizeof(float));
    device.fill(vector, 0);
    auto* const values = static_cast<float*>(at(vector.handle()));
    check(l.createVector(&x, m.rows, values, kFloats), "cusparseCreateDnVec");
    check(l.createVector(&y, m.rows, values + m.rows, kFloats), "cusparseCreateDnVec");
    const float one = 1, zero = 0;
    std::size_t bytes = 0;
    check(l.scratch(handle, kAsIs, &one, matrix, x, &zero, y, kFloats, algorithm, &bytes), "cusparseSpMV_bufferSize");
    buffer = device.allocate(bytes > 0 ? bytes : 1);
    if (l.prepare != nullptr && algorithm == kRowsAlgorithm)
        check(l.prepare(handle, kAsIs, &one, matrix, x, &zero, y, kFloats, algorithm, at(buffer.handle())),
              "cusparseSpMV_preprocess");
    device.synchronize();
}

void Cusparse::multiply(const sparse::Vector& from, const sparse::Vector& to) {
    const Library& l = cusparse();
    LaunchContext& context = device.context();
    const auto at = [&](const sparse::Vector& v) { return static_cast<float*>(context.address(v.handle)) + v.first; };
    check(l.setValues(x, at(from)), "cusparseDnVecSetValues");
    check(l.setValues(y, at(to)), "cusparseDnVecSetValues");
    const float one = 1, zero = 0;
    check(l.multiply(handle, kAsIs, &one, matrix, x, &zero, y, kFloats, algorithm, context.address(buffer.handle())),
          "cusparseSpMV");
}

template <sparse::Format format>
LibraryCalls openCusparse(Device& device, const sparse::LibraryProduct& of) {
    const auto made = std::make_shared<std::vector<std::unique_ptr<Cusparse>>>();
    of.build(format, [&](const sparse::StoredMatrix& matrix) {
        made->push_back(std::make_unique<Cusparse>(device, matrix.stored()));
    });
    LibraryCalls calls;
    calls.launch = [made, &of] { (*made)[of.which]->multiply(of.x, of.y); };
    return calls;
}

std::string cusparseRefusal(const sparse::SparseProblem&) {
    if (!cusparse().complete())
        return "libcusparse was not found: install the CUDA toolkit's cuSPARSE, or set LD_LIBRARY_PATH";
    return {};
}

std::string slicedRefusal(const sparse::SparseProblem& p) {
    if (!p.finite()) return "fills its slices up with products by 0, which infinity and NaN do not leave alone";
    return cusparseRefusal(p);
}

}  // namespace
}  // namespace library

namespace sparse {

SparseFrame::Library cusparse_library() {
    return {.refusal = &library::cusparseRefusal, .open = &library::openCusparse<Format::rows>};
}
SparseFrame::Library cusparse_sliced_library() {
    return {.refusal = &library::slicedRefusal, .open = &library::openCusparse<Format::sliced>};
}

}  // namespace sparse
}  // namespace warplens::gpu
