// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warplens::sandbox {

/// What the process may use at most from now on. It can only be tightened, so a codec that is taken over stays inside.
struct Allowance {
    std::int64_t memoryBytes = 0;
    std::uint64_t cpuSeconds = 0;
    std::vector<std::filesystem::path> files;  ///< plain files that may be read, no links; no others may
};

/// Bounds memory, processor time and open files; forbids new processes and threads, writing files, core dumps, new
/// privileges and those that root has; and, where the kernel has them, by Landlock every file that is not named, every
/// TCP port, signals and abstract sockets, and by seccomp every system call that decoding does not take, among them all
/// that make sockets, processes or executable memory. What a kernel does not offer is left out.
/// Builds with a sanitizer keep the bounds on memory, files and calls off, which the sanitizer could not live with.
void enterSandbox(const Allowance& allowance);

/// Within the allowance, what the request at hand takes: a library that is led to ask for more is refused it. May be
/// called again as more becomes known.
void holdTo(std::int64_t memoryBytes, std::uint64_t cpuSeconds);

/// Folders, and files beside them, that a process may use from now on.
struct Folders {
    std::vector<std::filesystem::path> read;   ///< and execute
    std::vector<std::filesystem::path> write;  ///< anything
    std::vector<std::filesystem::path> files;  ///< read and write
};
/// By Landlock, where the kernel has it: nothing else, no TCP port, no signal to others.
void restrictTo(const Folders& folders);

/// Sets both bounds of a resource, RLIMIT_AS for one, unless they are tighter already.
void bound(int resource, std::uint64_t value);

/// For a process that handles no file itself: no core dumps and no new privileges, for those that it starts as well.
void renouncePrivileges();

/// What enterSandbox() would achieve here, one line a means.
std::string sandboxStatus();

/// Whether a sanitizer is built in, which needs more than the sandbox allows.
bool sanitized();

}  // namespace warplens::sandbox
