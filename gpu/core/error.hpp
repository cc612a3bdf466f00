// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace warplens::gpu {

/// Something a device or a request could not do. what() is one line: what, where, what to do.
class Error : public std::runtime_error {
public:
    enum class Kind {
        argument,          ///< a parameter, variant or tunable that makes no sense
        unsupported,       ///< this variant or device cannot do it; the message says why
        noDevice,          ///< no such device; no driver; no GPU
        driverTooOld,      ///< the driver is older than the runtime needs
        outOfMemory,       ///< the device has too little free memory; the process goes on
        fault,             ///< a sticky CUDA fault: this process's CUDA device is lost
        divergentBarrier,  ///< SIMT device: a barrier that not every thread of the block reaches
        deadlock,          ///< SIMT device: threads that wait for each other
        cancelled,         ///< the caller asked to stop
        internal           ///< a call failed for a reason that is ours
    };

    Error(Kind kind, const std::string& message, std::string code = {})
        : std::runtime_error(message), m_kind(kind), m_code(std::move(code)) {}
    Kind kind() const { return m_kind; }
    /// The runtime's own name of the failure ("cudaErrorMemoryAllocation"), or empty.
    const std::string& code() const { return m_code; }

private:
    Kind m_kind;
    std::string m_code;
};

}  // namespace warplens::gpu
