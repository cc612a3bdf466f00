// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/run/user_kernel.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace warplens::worker {

/// The warplens-worker to run: WARPLENS_WORKER when set, else beside the running program, in ../libexec/warplens, on
/// PATH. Empty when there is none.
std::filesystem::path findWorker();

/// A kernel that does not compile, with all that is told of it: "my.cuh:12: ..." each.
class CompileError : public gpu::Error {
public:
    explicit CompileError(std::vector<std::string> errors)
        : Error(Kind::argument, errors.front()), m_errors(std::move(errors)) {}
    const std::vector<std::string>& errors() const { return m_errors; }

private:
    std::vector<std::string> m_errors;
};

/// A kernel from its file, in the short form (gpu/user/source.hpp). Each run of it is a process of its own, which
/// compiles it as well: for a GPU after a try on the CPU, on a corner of the picture, where g++ is found. Its run()
/// throws CompileError. Throws io::Error, and gpu::Error(argument) for a file that holds no such kernel.
std::shared_ptr<const gpu::UserKernel> loadKernel(const std::string& path);

}  // namespace warplens::worker
