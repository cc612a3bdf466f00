// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/history/places.hpp"
#include "gpu/history/sqlite.hpp"
#include "gpu/report/report.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace warplens::gpu::history {

/// What is known of a kept comparison without reading its report.
struct Kept {
    std::int64_t id = 0;
    std::string date;  ///< ISO 8601, UTC
    std::string input, inputHash;
    std::string size;                        ///< "512 × 512, u8"
    std::string family;                      ///< its id
    std::string parameters, parametersHash;  ///< as gpu::parameterSummary(); of all values, defaults included
    std::string device, driver;              ///< by name; the CUDA driver, or of the CPU device the processor
    std::string build;                       ///< version and compiler
    int runs = 0;
    int failed = 0;        ///< kernels that failed, or failed their check
    std::string fastest;   ///< id of the run that a GPU's clock found to be the fastest; empty: none
    double fastestMs = 0;  ///< its median
    bool pinned = false;   ///< never removed to make room
};

/// What the history holds at most; the oldest go first, pinned ones never.
struct Bounds {
    std::int64_t comparisons = 2000;
    std::int64_t bytes = std::int64_t{64} << 20;  ///< of reports, compressed
};

/// A user's comparisons in a file of SQLite: each report as JSON, compressed, beside what it is looked up by. Several
/// programs may use it at once, and one that is killed costs at most what it was just writing. A damaged file is set
/// aside under another name and a new one begun; notices() tells. One that a newer version wrote is left alone. Every
/// function may throw io::Error. A Store is for one thread.
class Store {
public:
    static constexpr int kSchema = 1;

    explicit Store(std::filesystem::path file, Bounds bounds = {}) : m_file(std::move(file)), m_bounds(bounds) {}

    /// Keeps a comparison and makes room for it; returns its id.
    std::int64_t add(const Report& report);
    /// Newest first; at most `limit`, those that hold each of the words of `match` somewhere, the case ignored.
    std::vector<Kept> list(const std::string& match = "", std::int64_t limit = -1);
    /// Throws io::Error(argument) when there is none of this id.
    Kept entry(std::int64_t id);
    /// As it was added. Throws likewise, and io::Error(unreadable) when it is damaged.
    Report report(std::int64_t id);
    /// Kept comparisons of the same picture, parameters, device and driver, newest first, by whatever build.
    std::vector<Report> alike(const Report& report, int limit = 8);
    /// Both throw io::Error(argument) when there is none of this id.
    void pin(std::int64_t id, bool pinned);
    void remove(std::int64_t id);
    /// Removes what is not pinned: all but the newest `keep`, and what is older than `before` (the beginning of an ISO
    /// date); gives the room back to the disk. Returns how many went.
    int prune(std::optional<std::int64_t> keep, const std::string& before);

    const std::filesystem::path& file() const { return m_file; }
    /// A sentence for each file that was set aside.
    const std::vector<std::string>& notices() const { return m_notices; }

private:
    template <class Work>
    auto guarded(Work work);
    bool exists() const;
    void open();
    void replaceDamaged(const std::string& why);

    std::filesystem::path m_file;
    Bounds m_bounds;
    std::vector<std::string> m_notices;
    std::pair<dev_t, ino_t> m_node{};  ///< which file it is, whatever it is called by now
    std::optional<io::FolderLock> m_lock;
    std::optional<sqlite::Database> m_database;  ///< after the lock: closed before it is given up
};

}  // namespace warplens::gpu::history
