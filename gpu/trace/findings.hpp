// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/simt/builtins.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace warplens::gpu::trace {

/// A defect as the recorder sees it: places in the code as addresses, to be put into words later.
struct Finding {
    enum class Check { sharedRace, uninitialisedShared, outOfBounds, divergentBarrier, deadlock, globalRace };
    Check check{};
    const void* kernel = nullptr;
    uint3 block, thread;
    std::uint32_t pc = 0;
    std::string what;  ///< "reads", "writes" ... and of which memory
    uint3 otherBlock, otherThread;
    std::uint32_t otherPc = 0;
    std::string otherWhat;  ///< "wrote" or "read"; empty when there is no other
    std::string message;    ///< complete already, as a barrier's is
};

const char* nameOf(Finding::Check check);

/// What was found in a run, each pair of places once. Thread-safe.
class Findings {
public:
    void add(Finding finding);
    std::vector<Finding> take();

private:
    std::mutex m_mutex;
    std::vector<Finding> m_list;
};

}  // namespace warplens::gpu::trace
