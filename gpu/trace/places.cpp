// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/places.hpp"

#include "gpu/trace/image.hpp"
#include "gpu/trace/record_access.hpp"

#include <algorithm>
#include <backtrace.h>
#include <map>
#include <mutex>

namespace warplens::gpu::trace {
namespace {

/// The trace has vectors of its own.
constexpr const char* kSupport[] = {"gpu/kernels/", "gpu/device/", "gpu/trace/", "gpu/user/"};

int append(void* places, std::uintptr_t, const char* file, int line, const char*) {
    if (file != nullptr) static_cast<std::vector<SourceLine>*>(places)->push_back({belowRoot(file), line});
    return 0;
}

void ignore(void*, const char*, int) {}

}  // namespace

std::string belowRoot(std::string file) {
    const std::string root = WARPLENS_SOURCE_ROOT "/", &loaded = ProgramImage::traced().loadedFile();
    if (file.rfind(root, 0) == 0) return file.substr(root.size());
    // What was compiled lies beside what was made of it, our headers elsewhere.
    if (!loaded.empty()) {
        const auto folder = loaded.rfind('/') + 1, headers = file.rfind("/gpu/");
        if (file.compare(0, folder, loaded, 0, folder) == 0) return file.substr(folder);
        return headers == std::string::npos ? file : file.substr(headers + 1);
    }
    // A compiler cache may have made names relative to the build folder, which lies below the root.
    while (file.rfind("../", 0) == 0) file.erase(0, 3);
    return file;
}

bool isSupport(const std::string& file) {
    return std::ranges::any_of(kSupport, [&](const char* folder) { return file.starts_with(folder); });
}

std::vector<SourceLine> symbolise(std::uint32_t pc) {
    static std::mutex mutex;
    const std::string& loaded = ProgramImage::traced().loadedFile();
    static backtrace_state* const state =
        backtrace_create_state(loaded.empty() ? nullptr : loaded.c_str(), 0, &ignore, nullptr);
    static std::map<std::uint32_t, std::vector<SourceLine>> known;
    const std::lock_guard lock(mutex);
    const auto [found, added] = known.try_emplace(pc);
    // The call itself lies before the address it returns to.
    if (added && state != nullptr) backtrace_pcinfo(state, codeBase + pc - 1, &append, &ignore, &found->second);
    return found->second;
}

const SourceLine* tellingPlace(const std::vector<SourceLine>& places) {
    for (const SourceLine& place : places) {
        if (!isSupport(place.file)) return &place;
    }
    return places.empty() ? nullptr : &places.front();
}

}  // namespace warplens::gpu::trace
