// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/cub.hpp"

#include "gpu/families/merge/problem.hpp"

namespace warplens::gpu::merge {
namespace {

#if WARPLENS_HAVE_CUDA
template <library::CubMerge::Call call>
std::function<void()> openCub(Device& device, const Pass& pass) {
    return [kept = std::make_shared<library::CubMerge>(device, call, pass)] { kept->launch(); };
}
#else
template <library::CubMerge::Call>
constexpr std::function<void()> (*openCub)(Device&, const Pass&) = nullptr;
#endif

std::string sortsOnly(const MergeProblem& p) {
    return p.task() == Task::merge ? "sorts a list: it is for sort and quantiles" : "";
}

}  // namespace

using Call = library::CubMerge::Call;

MergeFrame::Library cub_merge_library() {
    return {.refusal = [](const MergeProblem& p) -> std::string {
                return p.task() != Task::merge ? "DeviceMerge merges two lists: it is for merge" : "";
            },
            .open = openCub<Call::merge>};
}
MergeFrame::Library cub_merge_sort_library() { return {.refusal = &sortsOnly, .open = openCub<Call::mergeSort>}; }
MergeFrame::Library cub_radix_sort_library() {
    return {.refusal = [](const MergeProblem& p) -> std::string {
                if (std::string why = sortsOnly(p); !why.empty()) return why;
                return p.hasNaN() ? "DeviceRadixSort puts NaN first where their sign is set" : "";
            },
            .open = openCub<Call::radixSort>};
}

}  // namespace warplens::gpu::merge
