// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/history/store.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens::test {

/// Hundreds of databases are made here: in memory where the system has a folder for that, as a disk would have to sync
/// each.
inline const bool kInMemory = access("/dev/shm", W_OK) == 0 && setenv("TMPDIR", "/dev/shm", 1) == 0;

/// A report of a picture of this name; every other one of the GPU that was never there.
inline gpu::Report reportOf(const std::string& input, bool onGpu = false) {
    gpu::Report report = gpu::makeReport(onGpu ? cudaComparison() : cpuComparison());
    report.input.name = input;
    return report;
}

/// Files of the folder whose name holds this.
inline int filesWith(const std::filesystem::path& folder, const std::string& part) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        count += entry.path().filename().string().find(part) != std::string::npos;
    return count;
}

/// Runs `work` in a process of its own, which ends with what it returns.
template <class Work>
pid_t inChild(Work work) {
    const pid_t child = fork();
    if (child == 0) {
        int status = 99;
        try {
            status = work();
        } catch (...) {
            status = 98;
        }
        _exit(status);
    }
    return child;
}

/// Waits for the process: its exit status, or -1 when a signal ended it.
inline int statusOf(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace warplens::test
