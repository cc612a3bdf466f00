// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"
#include "io/file.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <sys/types.h>

namespace warplens::worker {

/// Maps what is shared with who asked. Throws Error(outOfMemory), and Error(internal) where it is not there.
std::byte* mapShared(const Job& job);

/// The process that a kernel is loaded and run in, so that nothing else ends with it. For a GPU it may be there before
/// the kernel: making a context takes longer than compiling and running most kernels.
class Apart {
public:
    /// Starts it; it makes a GPU's context while it waits. Throws Error(internal).
    explicit Apart(const std::string& device);
    ~Apart();
    Apart(const Apart&) = delete;
    Apart& operator=(const Apart&) = delete;

    struct Run {
        std::string answer{};  ///< as runKernel() wrote it
        int status = 0;        ///< as waitpid() has it
        bool late = false;     ///< it was ended by us
        bool launched = false;
    };
    /// Runs the kernel that was compiled into `scratch`, once.
    Run run(const Job& job, const std::filesystem::path& scratch);

    /// A process that has not gone on by then is ended: on a GPU before its first launch, while
    /// NVRTC compiles beside launches, and after any of them. On the
    /// CPU a kernel that does not end tells by itself (run.cpp), and this is for one that sleeps.
    static constexpr std::chrono::seconds kStartPatience{20}, kPreparePatience{60}, kLaunchPatience{2},
        kCpuPatience{600};

private:
    pid_t m_child = -1;
    io::UniqueFd m_orders, m_answers;
};

}  // namespace warplens::worker
