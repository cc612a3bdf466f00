// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/environment.hpp"

#include "gpu/device/cuda/cuda_device.hpp"

#include <ctime>
#include <fstream>
#include <sstream>
#include <sys/utsname.h>
#include <unistd.h>

namespace warplens::gpu {
namespace {

std::string valueIn(const char* path, const std::string& key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.rfind(key, 0) != 0) continue;
        const auto at = line.find_first_of("=:");
        auto value = line.substr(at + 1);
        const auto first = value.find_first_not_of(" \t\"");
        const auto last = value.find_last_not_of(" \t\"");
        return first == std::string::npos ? "" : value.substr(first, last - first + 1);
    }
    return {};
}

std::string nowUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

}  // namespace

Environment describeEnvironment() {
    Environment e;
    e.version = WARPLENS_VERSION;
#if defined(__clang__)
    e.compiler = "clang " __clang_version__;
#else
    e.compiler = "gcc " __VERSION__;
#endif
    static const std::string kOs = valueIn("/etc/os-release", "PRETTY_NAME"),
                             kCpu = valueIn("/proc/cpuinfo", "model name");
    e.os = kOs;
    utsname system{};
    if (uname(&system) == 0) e.os += (e.os.empty() ? "" : ", ") + std::string(system.sysname) + " " + system.release;
    e.cpu = kCpu;
    e.cpuThreads = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    e.date = nowUtc();
    describeCuda(e);
    return e;
}

}  // namespace warplens::gpu
