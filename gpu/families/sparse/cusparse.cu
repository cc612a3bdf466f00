// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/sparse/cusparse.hpp"

#include <dlfcn.h>

namespace warplens::gpu::library {
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

}  // namespace

std::string cusparseRefusal() {
    if (!cusparse().complete())
        return "libcusparse was not found: install the CUDA toolkit's cuSPARSE, or set LD_LIBRARY_PATH";
    return {};
}

struct Cusparse::State {
    explicit State(Device& on) : device(on) {}
    Device& device;
    int algorithm = kRowsAlgorithm;
    void *handle = nullptr, *matrix = nullptr, *x = nullptr, *y = nullptr;
    Buffer buffer{}, vector{};

    ~State() {
        if (x != nullptr) cusparse().destroyVector(x);
        if (y != nullptr) cusparse().destroyVector(y);
        if (matrix != nullptr) cusparse().destroyMatrix(matrix);
        if (handle != nullptr) cusparse().destroy(handle);
    }
};

Cusparse::Cusparse(Device& device, const sparse::Stored& m) : m_state(std::make_unique<State>(device)) {
    const Library& l = cusparse();
    State& s = *m_state;
    LaunchContext& context = device.context();
    const auto at = [&](std::uint64_t handle) { return context.address(handle); };
    check(l.create(&s.handle), "cusparseCreate");
    check(l.setStream(s.handle, static_cast<CudaContext&>(context).stream), "cusparseSetStream");
    if (m.format == sparse::Format::sliced) {
        s.algorithm = kSlicesAlgorithm;
        check(l.createSliced(&s.matrix, m.rows, m.rows, m.nonzeros, m.places, sparse::kSlice, at(m.starts),
                             at(m.columns), at(m.values), kIntegers, kIntegers, kFromZero, kFloats),
              "cusparseCreateSlicedEll");
    } else {
        check(l.createRows(&s.matrix, m.rows, m.rows, m.nonzeros, at(m.starts), at(m.columns), at(m.values), kIntegers,
                           kIntegers, kFromZero, kFloats),
              "cusparseCreateCsr");
    }
    // Vectors that are there while it prepares; a product brings its own.
    s.vector = device.allocate(static_cast<std::size_t>(m.rows) * 2 * sizeof(float));
    device.fill(s.vector, 0);
    auto* const values = static_cast<float*>(at(s.vector.handle()));
    check(l.createVector(&s.x, m.rows, values, kFloats), "cusparseCreateDnVec");
    check(l.createVector(&s.y, m.rows, values + m.rows, kFloats), "cusparseCreateDnVec");
    const float one = 1, zero = 0;
    std::size_t bytes = 0;
    check(l.scratch(s.handle, kAsIs, &one, s.matrix, s.x, &zero, s.y, kFloats, s.algorithm, &bytes),
          "cusparseSpMV_bufferSize");
    s.buffer = device.allocate(bytes > 0 ? bytes : 1);
    if (l.prepare != nullptr && s.algorithm == kRowsAlgorithm)
        check(l.prepare(s.handle, kAsIs, &one, s.matrix, s.x, &zero, s.y, kFloats, s.algorithm, at(s.buffer.handle())),
              "cusparseSpMV_preprocess");
    device.synchronize();
}

Cusparse::~Cusparse() = default;

void Cusparse::multiply(const sparse::Vector& x, const sparse::Vector& y) {
    const Library& l = cusparse();
    State& s = *m_state;
    LaunchContext& context = s.device.context();
    const auto at = [&](const sparse::Vector& v) { return static_cast<float*>(context.address(v.handle)) + v.first; };
    check(l.setValues(s.x, at(x)), "cusparseDnVecSetValues");
    check(l.setValues(s.y, at(y)), "cusparseDnVecSetValues");
    const float one = 1, zero = 0;
    check(l.multiply(s.handle, kAsIs, &one, s.matrix, s.x, &zero, s.y, kFloats, s.algorithm,
                     context.address(s.buffer.handle())),
          "cusparseSpMV");
}

}  // namespace warplens::gpu::library
