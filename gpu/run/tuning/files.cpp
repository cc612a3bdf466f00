// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/tuning/files.hpp"

#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/run/tuning/fields.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/folder_lock.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace warplens::gpu::tuning {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string slug(const std::string& text) {
    std::string made;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '.')
            made += static_cast<char>(std::tolower(byte));
        else if (!made.empty() && made.back() != '-')
            made += '-';
    }
    while (made.ends_with('-')) made.pop_back();
    return made.empty() ? "unknown" : made;
}

/// The key's second part: what else decides speed on a device of this name.
std::string driverOf(DeviceKind kind, const Environment& environment) {
    return kind == DeviceKind::cuda ? environment.cudaDriver : environment.cpu;
}

TuningEntry entryOf(const Json& json) {
    TuningEntry entry{.family = json.at("family"), .traits = traitsOf(json.at("traits")), .rows = {}};
    if (json.contains("task")) {
        entry.task = json.at("task").get<std::string>();
        entry.date = json.at("date").get<std::string>();
        entry.bestMs = json.at("best_ms").get<double>();
    }
    for (const Json& row : json.at("rows")) {
        RankedRow ranked{.variant = row.at("variant"), .tunables = {}, .relative = row.at("relative")};
        for (const auto& [id, value] : row.at("tunables").items()) ranked.tunables[id] = value.get<int>();
        entry.rows.push_back(std::move(ranked));
    }
    return entry;
}

std::vector<fs::path> jsonFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed)) {
        if (at->path().extension() == ".json") files.push_back(at->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Adds the tables of a folder; what is wrong with a file becomes a clause of `problems`.
void read(const fs::path& folder, const std::string& fallback, std::vector<TuningTable>& tables,
          std::string& problems) {
    for (const fs::path& file : jsonFiles(folder)) {
        try {
            tables.push_back(loadTable(file));
        } catch (const std::runtime_error& error) {  // of io, or of gpu
            problems += (problems.empty() ? "" : "; ") + std::string(error.what()) + fallback;
        }
    }
}

}  // namespace

Json toJson(const Traits& traits) {
    Json kinds = Json::object(), sizes = Json::object();
    for (const auto& [id, kind] : traits.kinds) kinds[id] = kind;
    for (const auto& [id, size] : traits.sizes) sizes[id] = size.value;
    return {{"kinds", kinds}, {"sizes", sizes}};
}

Traits traitsOf(const Json& json) {
    Traits traits;
    for (const auto& [id, kind] : json.at("kinds").items()) traits.kinds[id] = kind.get<std::string>();
    for (const auto& [id, size] : json.at("sizes").items()) traits.sizes[id].value = size.get<double>();
    return traits;
}

std::string toJson(const TuningTable& table) {
    Json entries = Json::array();
    for (const TuningEntry& entry : table.entries) {
        Json rows = Json::array();
        for (const RankedRow& row : entry.rows) {
            Json tunables = Json::object();
            for (const auto& [id, value] : row.tunables) tunables[id] = value;
            rows.push_back({{"variant", row.variant}, {"tunables", tunables}, {"relative", row.relative}});
        }
        Json one{{"family", entry.family}, {"traits", toJson(entry.traits)}, {"rows", rows}};
        if (!entry.task.empty()) {
            one["task"] = entry.task;
            one["date"] = entry.date;
            one["best_ms"] = entry.bestMs;
        }
        entries.push_back(std::move(one));
    }
    const Json json{{"warplens", table.version}, {"device", table.device}, {"driver", table.driver},
                    {"date", table.date},        {"source", table.source}, {"entries", entries}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

TuningTable parseTable(const std::string& text, const std::string& where) {
    const auto refuse = [&](const std::string& why) {
        return Error(Error::Kind::argument, where + ": not a tuning table: " + why);
    };
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) throw refuse("it is not JSON");
    try {
        TuningTable table{.device = json.at("device"),
                          .driver = json.at("driver"),
                          .version = json.at("warplens"),
                          .date = json.at("date"),
                          .source = json.at("source"),
                          .entries = {}};
        for (const Json& entry : json.at("entries")) table.entries.push_back(entryOf(entry));
        return table;
    } catch (const Json::exception& error) {
        throw refuse(reasonOf(error));
    }
}

TuningTable loadTable(const fs::path& file) { return parseTable(io::readText(file.string()), file.string()); }

fs::path cacheFolder() {
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
        return fs::path(folder) / "warplens" / "tuning";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "warplens" / "tuning";
    return {};
}

TuningTable emptyCache(const DeviceInfo& device, const Environment& environment) {
    return {.device = device.name,
            .driver = driverOf(device.kind, environment),
            .version = environment.version,
            .date = environment.date,
            .source = "warplens-cli tune",
            .entries = {}};
}

fs::path cacheFile(const fs::path& folder, const TuningTable& table) {
    return folder / (slug(table.device) + "_" + slug(table.driver) + "_" + slug(table.version) + ".json");
}

fs::path update(const fs::path& folder, const TuningTable& fresh, const std::function<void(TuningTable&)>& change,
                const std::function<void(const std::string&)>& warn) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw io::Error(io::Error::Kind::unwritable, folder.string() + ": cannot be made: " + failed.message());
    const fs::path file = cacheFile(folder, fresh);
    const io::FolderLock lock(folder);
    // Where there are no locks a change may be lost, but never a file: it is replaced as a whole.
    (void)lock.own();
    TuningTable table = fresh;
    if (fs::exists(file, failed)) {
        std::string why = file.string() + ": belongs to another device, driver or version";
        try {
            TuningTable there = loadTable(file);
            const bool same =
                there.device == fresh.device && there.driver == fresh.driver && there.version == fresh.version;
            if (same) {
                table = std::move(there);
                why.clear();
            }
        } catch (const std::runtime_error& error) {  // of io, or of gpu
            why = error.what();
        }
        if (!why.empty() && warn) warn(why + "; a new one is begun");
    }
    change(table);
    io::writeFileAtomically(file, toJson(table));
    return file;
}

std::shared_ptr<const Tuning> load(const fs::path& shippedFolder, const fs::path& cache) {
    std::string problems;
    std::vector<TuningTable> shipped, cached;
    read(shippedFolder, "; install Warplens again", shipped, problems);
    if (!cache.empty()) read(cache, "; the cache is not used: delete the file and run tune again", cached, problems);
    const Environment environment = describeEnvironment();
    std::erase_if(cached, [&](const TuningTable& table) {
        const bool driver = table.driver == driverOf(DeviceKind::cuda, environment) ||
                            table.driver == driverOf(DeviceKind::simt, environment);
        return table.version != environment.version || !driver;
    });
    auto tuning = std::make_shared<Tuning>(std::move(shipped), std::move(cached), std::move(problems));
    if (cache.empty()) return tuning;
    tuning->keep = [cache, environment](const DeviceInfo& device, const TuningEntry& entry) -> std::string {
        try {
            update(cache, emptyCache(device, environment), [&](TuningTable& table) { put(table, entry); });
            return {};
        } catch (const io::Error& error) {
            return error.what();
        }
    };
    return tuning;
}

}  // namespace warplens::gpu::tuning
