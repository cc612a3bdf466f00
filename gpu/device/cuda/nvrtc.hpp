// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVRTC, the compiler that the CUDA toolkit ships as a library. It is found when it is first asked for and never
// linked.

#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::cuda {

/// One instance of a kernel, for one GPU.
struct CompileRequest {
    std::string file{};                    ///< among kernelSources()
    std::string expression{};              ///< the instance, as C++ names it
    std::vector<std::string> constants{};  ///< __constant__ arrays that it reads, by their qualified names
    int capability = 0;                    ///< the GPU's, 10 x major + minor: the code is for exactly that one
    std::vector<float> weights{};          ///< that become constants of the code, bit by bit; empty: none do

    /// What is compiled: the file, after the weights as WARPLENS_FILTER.
    std::string source() const;

    /// What decides the code: compiler, options, sources and the request itself.
    std::string key() const;
};

/// A cubin, and the names of what was asked for in it.
struct CompiledKernel {
    std::string cubin{};
    std::string function{};
    std::vector<std::string> constants{};  ///< in the order of the request
    double compileMs = 0;

    bool operator==(const CompiledKernel&) const = default;
};

/// "13.0", or empty where there is no NVRTC.
std::string nvrtcVersion();
/// Why it does not serve a GPU of this compute capability (0: any), in one sentence that says what to do; empty where
/// it does.
std::string nvrtcRefusal(int capability);
/// Throws Error(unsupported) with the compiler's first complaint, and Error(cancelled).
CompiledKernel compile(const CompileRequest& request, std::stop_token stop);

}  // namespace warplens::gpu::cuda
