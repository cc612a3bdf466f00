// SPDX-License-Identifier: Apache-2.0
#include "io/file_turn.hpp"

#include "io/error.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <sys/resource.h>
#include <system_error>

namespace warplens::io {
namespace {

// The file and its folder, and a codec: three descriptors, and both ends of each while it starts.
constexpr std::int64_t kFilesATurn = 8;
// What the rest of the program opens meanwhile: a GPU, reports, a journal.
constexpr std::int64_t kForOthers = 64;

/// Descriptors that were open before the first turn.
std::int64_t openAtFirst() {
    std::error_code unknown;
    std::int64_t count = 0;
    for (std::filesystem::directory_iterator at("/proc/self/fd", unknown), end; !unknown && at != end;
         at.increment(unknown)) {
        ++count;
    }
    return count;
}

std::int64_t turnsAtOnce() {
    static const std::int64_t kOpen = openAtFirst();
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
    const auto files = static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, 1 << 20));
    return std::max<std::int64_t>((files - kOpen - kForOthers) / kFilesATurn, 1);
}

struct Turns {
    std::mutex mutex;
    std::condition_variable_any givenBack;
    std::int64_t taken = 0;
};

Turns& turns() {
    static Turns all;
    return all;
}

}  // namespace

FileTurn::FileTurn(const std::string& where, const std::stop_token& stop) {
    std::unique_lock lock(turns().mutex);
    const bool mine = turns().givenBack.wait(lock, stop, [] { return turns().taken < turnsAtOnce(); });
    if (!mine) throw Error(Error::Kind::cancelled, where + ": cancelled");
    ++turns().taken;
}

FileTurn::~FileTurn() {
    {
        const std::lock_guard lock(turns().mutex);
        --turns().taken;
    }
    turns().givenBack.notify_one();
}

}  // namespace warplens::io
