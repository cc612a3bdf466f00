// SPDX-License-Identifier: Apache-2.0
#include "gpu/history/store.hpp"

#include "gpu/core/fastest.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/history/packing.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/report/table.hpp"
#include "io/error.hpp"
#include "io/text.hpp"

#include <cstring>
#include <sys/stat.h>

namespace warplens::gpu::history {

namespace {

namespace fs = std::filesystem;
using sqlite::Database;
using sqlite::Failure;
using sqlite::Statement;
using sqlite::Transaction;

constexpr const char* kTables = R"(
CREATE TABLE comparisons(
  id INTEGER PRIMARY KEY AUTOINCREMENT, date TEXT NOT NULL, input TEXT NOT NULL, input_hash TEXT NOT NULL,
  size TEXT NOT NULL, family TEXT NOT NULL, parameters TEXT NOT NULL, parameters_hash TEXT NOT NULL,
  device TEXT NOT NULL, device_key TEXT NOT NULL, driver TEXT NOT NULL, build TEXT NOT NULL, runs INTEGER NOT NULL,
  failed INTEGER NOT NULL, fastest TEXT NOT NULL, fastest_ms REAL NOT NULL, pinned INTEGER NOT NULL DEFAULT 0,
  report_bytes INTEGER NOT NULL, packed_bytes INTEGER NOT NULL, report BLOB NOT NULL);
CREATE INDEX alike ON comparisons(input_hash, parameters_hash, device_key, driver);
)";

constexpr const char* kColumns =
    "id, date, input, input_hash, size, family, parameters, parameters_hash, device, driver, build, runs, failed, "
    "fastest, fastest_ms, pinned";

/// Pinned ones first, then from the newest on, as many as the bounds allow; the one just added in any case.
constexpr const char* kMakeRoom = R"(
DELETE FROM comparisons WHERE pinned = 0 AND id <> ?1 AND id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER kept AS place, sum(packed_bytes) OVER kept AS total FROM comparisons
    WINDOW kept AS (ORDER BY pinned DESC, id DESC))
  WHERE place > ?2 OR total > ?3))";

Kept keptOf(const Statement& row) {
    return {.id = row.number(0),
            .date = row.text(1),
            .input = row.text(2),
            .inputHash = row.text(3),
            .size = row.text(4),
            .family = row.text(5),
            .parameters = row.text(6),
            .parametersHash = row.text(7),
            .device = row.text(8),
            .driver = row.text(9),
            .build = row.text(10),
            .runs = static_cast<int>(row.number(11)),
            .failed = static_cast<int>(row.number(12)),
            .fastest = row.text(13),
            .fastestMs = row.real(14),
            .pinned = row.number(15) != 0};
}

/// Family and all values; a picture among them by what it holds, whatever it is called.
std::string parametersHash(const Report& report) {
    fields::Json values = fields::toJson(report.parameters);
    for (const auto& [id, value] : report.parameters) {
        const auto* picture = std::get_if<std::shared_ptr<const NamedGrid>>(&value);
        if (picture != nullptr && *picture && (*picture)->grid) values[id] = contentHash(*(*picture)->grid);
    }
    return hashOf(report.family + " " + values.dump(-1, ' ', false, fields::Json::error_handler_t::replace));
}

/// Which device it was, if another of the same name may stand beside it.
std::string deviceKey(const Report& report) {
    return report.device.uuid.empty() ? report.device.name : report.device.uuid;
}

std::string driverOf(const Report& report) {
    return report.device.ranks() ? report.environment.cudaDriver : report.environment.cpu;
}

Kept summaryOf(const Report& report) {
    Kept kept{.date = report.environment.date,
              .input = report.input.name,
              .inputHash = report.input.hash,
              .size = extents(report.input.shape) + ", " + report.input.type,
              .family = report.family,
              .parameters = parameterSummary(report),
              .parametersHash = parametersHash(report),
              .device = report.device.name,
              .driver = driverOf(report),
              .build = report.version + ", " + report.environment.compiler,
              .runs = static_cast<int>(report.runs.size()),
              .fastest = ""};
    for (const ReportRun& run : report.runs) {
        const RunRecord& record = run.record;
        const bool kernel = record.kind == Variant::Kind::kernel;
        if (kernel && !isIntentionallyWrong(record) &&
            (record.status == Status::wrong || record.status == Status::failed))
            ++kept.failed;
        if (!mayBeFastest(record)) continue;
        if (!kept.fastest.empty() && record.time->medianMs >= kept.fastestMs) continue;
        kept.fastest = record.id();
        kept.fastestMs = record.time->medianMs;
    }
    return kept;
}

io::Error noneOf(std::int64_t id) {
    return {io::Error::Kind::argument,
            "the history has no comparison " + std::to_string(id) + "; see warplens-cli history list"};
}

/// A file of a newer version is left alone.
void checkSchema(const Database& database, const fs::path& file) {
    const std::int64_t version = database.number("PRAGMA user_version");
    if (version > Store::kSchema)
        throw io::Error(io::Error::Kind::unreadable, file.string() + ": is of a newer Warplens (schema " +
                                                         std::to_string(version) + ", this one knows " +
                                                         std::to_string(Store::kSchema) +
                                                         "); use that one, or set WARPLENS_HISTORY=off");
    if (version < 0) throw Failure::damage("it has an impossible version");
}

void setUp(const Database& database) {
    if (database.number("PRAGMA user_version") != 0) return;
    if (database.number("SELECT count(*) FROM sqlite_schema") != 0) throw Failure::damage("it has other tables");
    database.run("PRAGMA journal_mode = WAL");
    Transaction transaction(database);
    database.run(kTables);
    database.run(("PRAGMA user_version = " + std::to_string(Store::kSchema)).c_str());
    transaction.commit();
}

}  // namespace

/// Runs `work` on the database; once more on a new one when the file turns out to be damaged.
template <class Work>
auto Store::guarded(Work work) {
    for (int attempt = 0;; ++attempt) {
        try {
            if (!m_database) open();
            return work(*m_database);
        } catch (const Failure& failure) {
            m_database.reset();
            if (failure.damaged() && attempt == 0) {
                replaceDamaged(failure.what());
                continue;
            }
            throw io::Error(io::Error::Kind::unwritable,
                            m_file.string() + ": the history cannot be used: " + failure.what() +
                                (failure.busy() ? "; another program uses it, try again"
                                                : "; free space or make it writable, or set WARPLENS_HISTORY=off"));
        }
    }
}

bool Store::exists() const {
    std::error_code unreadable;  // which opening it would tell
    return fs::exists(m_file, unreadable) || unreadable;
}

void Store::open() {
    createPrivately(m_file);
    if (!m_lock) m_lock.emplace(lockOf(m_file.parent_path()));
    const auto waitFor = [this](bool free) {
        if (!free)
            throw io::Error(io::Error::Kind::unwritable,
                            m_file.string() + ": another program sets the history up; try again");
    };
    waitFor(m_lock->share());
    createPrivately(m_file);  // whoever had the lock may have set it aside
    struct stat found {};
    if (stat(m_file.c_str(), &found) == 0) m_node = {found.st_dev, found.st_ino};
    Database database(m_file);
    checkSchema(database, m_file);
    if (database.number("PRAGMA user_version") == 0) {
        // Two programs may both find it empty; the first one fills it.
        database = {};
        waitFor(m_lock->own());
        database = Database(m_file);
        setUp(database);
        waitFor(m_lock->share());
    }
    database.run("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;");
    // No page may be lost without a word: rows that a damaged one hid would only be missing.
    Statement check(database, "PRAGMA quick_check(1)");
    if (check.step() && check.text(0) != "ok") throw Failure::damage(check.text(0));
    // It says that it is ours: has it what ours have?
    Statement(database, std::string("SELECT ") + kColumns + ", report FROM comparisons");
    m_database.emplace(std::move(database));
}

void Store::replaceDamaged(const std::string& why) {
    if (!m_lock) m_lock.emplace(lockOf(m_file.parent_path()));
    if (!m_lock->own())
        throw io::Error(io::Error::Kind::unwritable,
                        m_file.string() + ": is damaged (" + why + "), and another program uses it; close that first");
    struct stat found {};
    // Another program may have done it while this one waited.
    const bool same =
        stat(m_file.c_str(), &found) == 0 && m_node == std::pair<dev_t, ino_t>{found.st_dev, found.st_ino};
    if (!same) return;
    const fs::path aside = setAside(m_file);
    m_notices.push_back("the history was damaged (" + why + "): it was set aside as " + aside.string() +
                        ", and a new one begun");
}

std::int64_t Store::add(const Report& report) {
    const std::string json = toJson(report, true);
    const auto packed = pack(json);
    const auto size = static_cast<std::int64_t>(packed.size());
    if (size > m_bounds.bytes || static_cast<std::int64_t>(json.size()) > io::kMostTextBytes)
        throw io::Error(io::Error::Kind::limit, "this comparison's tables are too large to be kept in the history");
    const Kept kept = summaryOf(report);
    return guarded([&](const Database& database) {
        Transaction transaction(database);
        Statement insert(
            database,
            "INSERT INTO comparisons(date, input, input_hash, size, family, parameters, parameters_hash, device, "
            "device_key, driver, build, runs, failed, fastest, fastest_ms, report_bytes, packed_bytes, report) "
            "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
        const std::string key = deviceKey(report);
        insert.with(kept.date, kept.input, kept.inputHash, kept.size, kept.family, kept.parameters, kept.parametersHash,
                    kept.device, key, kept.driver, kept.build, std::int64_t{kept.runs}, std::int64_t{kept.failed},
                    kept.fastest, kept.fastestMs, static_cast<std::int64_t>(json.size()), size,
                    std::span<const unsigned char>(packed));
        insert.step();
        const std::int64_t id = database.lastId();
        Statement(database, kMakeRoom).with(id, m_bounds.comparisons, m_bounds.bytes).step();
        transaction.commit();
        return id;
    });
}

std::vector<Kept> Store::list(const std::string& match, std::int64_t limit) {
    if (!exists()) return {};
    std::vector<std::string> words;
    for (const std::string_view word : io::split(match, ' ')) {
        if (!word.empty()) words.emplace_back(word);
    }
    return guarded([&](const Database& database) {
        std::string sql = std::string("SELECT ") + kColumns + " FROM comparisons WHERE 1";
        for (std::size_t i = 0; i < words.size(); ++i)
            sql +=
                " AND instr(lower(date || ' ' || input || ' ' || size || ' ' || family || ' ' || parameters || ' ' "
                "|| device || ' ' || driver || ' ' || fastest), lower(?)) > 0";
        Statement rows(database, sql + " ORDER BY id DESC LIMIT ?");
        for (const std::string& word : words) rows.with(word);
        rows.with(limit);
        std::vector<Kept> all;
        while (rows.step()) all.push_back(keptOf(rows));
        return all;
    });
}

Kept Store::entry(std::int64_t id) {
    if (!exists()) throw noneOf(id);
    return guarded([&](const Database& database) {
        Statement row(database, std::string("SELECT ") + kColumns + " FROM comparisons WHERE id = ?");
        if (!row.with(id).step()) throw noneOf(id);
        return keptOf(row);
    });
}

Report Store::report(std::int64_t id) {
    if (!exists()) throw noneOf(id);
    const std::string json = guarded([&](const Database& database) {
        Statement row(database, "SELECT report, report_bytes FROM comparisons WHERE id = ?");
        if (!row.with(id).step()) throw noneOf(id);
        try {
            return unpack(row.bytes(0), row.number(1));
        } catch (const std::runtime_error& error) {
            throw io::Error(io::Error::Kind::unreadable, "comparison " + std::to_string(id) + " of the history " +
                                                             error.what() + "; remove it: warplens-cli history prune " +
                                                             std::to_string(id));
        }
    });
    return parseReport(json, "comparison " + std::to_string(id) + " of the history");
}

std::vector<Report> Store::alike(const Report& report, int limit) {
    if (!exists()) return {};
    const std::string parameters = parametersHash(report), key = deviceKey(report), driver = driverOf(report);
    const auto ids = guarded([&](const Database& database) {
        Statement rows(database,
                       "SELECT id FROM comparisons WHERE input_hash = ? AND parameters_hash = ? AND device_key = ? AND "
                       "driver = ? ORDER BY id DESC LIMIT ?");
        rows.with(report.input.hash, parameters, key, driver, std::int64_t{limit});
        std::vector<std::int64_t> found;
        while (rows.step()) found.push_back(rows.number(0));
        return found;
    });
    std::vector<Report> reports;
    for (const std::int64_t id : ids) {
        try {
            reports.push_back(this->report(id));
        } catch (const io::Error&) {  // one that is damaged, or that was removed since, tells nothing
            continue;
        }
    }
    return reports;
}

void Store::pin(std::int64_t id, bool pinned) {
    (void)entry(id);
    guarded([&](const Database& database) {
        Statement(database, "UPDATE comparisons SET pinned = ? WHERE id = ?").with(std::int64_t{pinned}, id).step();
    });
}

void Store::remove(std::int64_t id) {
    (void)entry(id);
    guarded(
        [&](const Database& database) { Statement(database, "DELETE FROM comparisons WHERE id = ?").with(id).step(); });
}

int Store::prune(std::optional<std::int64_t> keep, const std::string& before) {
    if (!exists()) return 0;
    return guarded([&](const Database& database) {
        Transaction transaction(database);
        int removed = 0;
        if (keep) {
            Statement(database,
                      "DELETE FROM comparisons WHERE pinned = 0 AND id NOT IN "
                      "(SELECT id FROM comparisons WHERE pinned = 0 ORDER BY id DESC LIMIT ?)")
                .with(*keep)
                .step();
            removed += database.changes();
        }
        if (!before.empty()) {
            Statement(database, "DELETE FROM comparisons WHERE pinned = 0 AND date < ?").with(before).step();
            removed += database.changes();
        }
        transaction.commit();
        database.run("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
        return removed;
    });
}

}  // namespace warplens::gpu::history
