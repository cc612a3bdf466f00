// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/merge/arguments.hpp"

#include <memory>
#include <string>

namespace warplens::gpu::library {

/// A call of CUB's device-wide algorithms, list after list. Floats are told apart to the last bit, as by our kernels,
/// but for a radix sort's zeros: it leaves those of either sign as they came.
class CubMerge {
public:
    enum class Call { merge, mergeSort, radixSort };

    /// Of a merge the first run of each list and the rest, which are sorted; sorts read the lists as they are.
    CubMerge(Device& device, Call call, const merge::Pass& pass);
    ~CubMerge();

    /// On the device's stream.
    void launch();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warplens::gpu::library
