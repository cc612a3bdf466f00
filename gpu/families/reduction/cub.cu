// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/families/reduction/launching.cuh"
#include "gpu/families/reduction/problem.hpp"
#include "gpu/frame/cub_calls.cuh"

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace warplens::gpu {
namespace library {
namespace {

/// A value's place becomes its cell; CUB merges the same cells as our kernels.
template <class M>
struct CellOf {
    M in;
    __device__ typename M::Cell operator()(reduction::Wide at) const {
        typename M::Cell cell;
        in.add(cell, at);
        return cell;
    }
};

template <class M>
struct Merged {
    __device__ typename M::Cell operator()(const typename M::Cell& a, const typename M::Cell& b) const {
        typename M::Cell cell = a;
        M::merge(cell, b);
        return cell;
    }
};

}  // namespace
}  // namespace library

namespace reduction {
namespace {

std::string cubRefusal(const ReductionProblem& p) {
    return p.input()->empty() ? "CUB is not called for no values" : "";
}

LibraryCalls openCub(Device& device, const Arguments& of) {
    return library::cubCalls(device, 1, [&device, &of](void* temporary, std::size_t& bytes, std::uint64_t) {
        auto& context = device.context();
        dispatch(of, [&]<class I>(I) {
            using M = typename I::M;
            auto* const result =
                reinterpret_cast<typename M::Cell*>(static_cast<char*>(context.address(of.result)) + of.resultOffset);
            WARPLENS_CUDA(cub::DeviceReduce::TransformReduce(
                temporary, bytes, thrust::counting_iterator<Wide>(0), result, static_cast<std::int64_t>(of.count),
                library::Merged<M>{}, library::CellOf<M>{measured<M>(context, of)}, typename M::Cell{},
                library::streamOf(device)));
        });
    });
}

}  // namespace

ReductionFrame::Library cub_library() { return {.refusal = &cubRefusal, .open = &openCub}; }

}  // namespace reduction
}  // namespace warplens::gpu
