// SPDX-License-Identifier: Apache-2.0
#include "app/cli/call_files.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/report_file.hpp"
#include "app/cli/resources.hpp"
#include "gpu/history/store.hpp"
#include "gpu/report/diff.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/result_tables.hpp"
#include "gpu/report/table.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;
using gpu::history::Kept;
using gpu::history::Store;
using Json = nlohmann::ordered_json;

/// Of all commands of the history; each uses some.
struct HistoryOptions {
    std::vector<std::int64_t> ids;
    std::vector<std::string> words;
    std::string output, before;
    std::optional<std::int64_t> keep;
    std::int64_t most = 20;
    bool json = false;
};

/// The user's history while a command runs. What was set aside is told, however the command ends.
class Opened {
public:
    Opened() : m_store(file()) {}
    ~Opened() {
        for (const std::string& notice : m_store.notices()) printError("warning: " + notice);
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    Store* operator->() { return &m_store; }

private:
    static fs::path file() {
        fs::path file = gpu::history::defaultFile();
        if (file.empty()) throw ArgumentError("history: neither XDG_DATA_HOME nor HOME names a folder: set one");
        return file;
    }
    Store m_store;
};

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string comparisons(std::int64_t count) {
    return gpu::withCommas(count) + (count == 1 ? " comparison" : " comparisons");
}

/// "2026-11-23 09:15".
std::string minuteOf(const std::string& date) {
    std::string text = date.substr(0, 16);
    if (text.size() > 10) text[10] = ' ';
    return text;
}

Json toJson(const Kept& kept) {
    return {{"id", kept.id},
            {"date", kept.date},
            {"input", kept.input},
            {"input_hash", kept.inputHash},
            {"size", kept.size},
            {"family", kept.family},
            {"parameters", kept.parameters},
            {"parameters_hash", kept.parametersHash},
            {"device", kept.device},
            {"driver", kept.driver},
            {"build", kept.build},
            {"runs", kept.runs},
            {"failed", kept.failed},
            {"fastest", kept.fastest.empty() ? Json(nullptr) : Json(kept.fastest)},
            {"fastest_ms", kept.fastest.empty() ? Json(nullptr) : Json(kept.fastestMs)},
            {"pinned", kept.pinned}};
}

int listThem(const HistoryOptions& options) {
    Opened history;
    const std::vector<Kept> all = history->list(joined(options.words), options.most);
    if (options.json) {
        Json rows = Json::array();
        for (const Kept& kept : all) rows.push_back(toJson(kept));
        printJson(Json{{"file", history->file().string()}, {"comparisons", rows}}.dump(2, ' ', false,
                                                                                       Json::error_handler_t::replace) +
                  "\n");
        return kFine;
    }
    gpu::TextTable table;
    table.title = comparisons(static_cast<std::int64_t>(all.size())) + " in " + history->file().string();
    table.columns = {{"Id", {}, true},       {"UTC", {}, false},
                     {"Picture", {}, false}, {"Size", {}, false},
                     {"Task", {}, false},    {"Device", {}, false},
                     {"Runs", {}, true},     {"Failed", {}, true},
                     {"Fastest", {}, false}, {"ms", gpu::Origin::recorded, true},
                     {"", {}, false}};
    for (const Kept& kept : all) {
        table.rows.push_back({std::to_string(kept.id), minuteOf(kept.date), kept.input, kept.size,
                              kept.family + ": " + kept.parameters, kept.device, std::to_string(kept.runs),
                              std::to_string(kept.failed), kept.fastest.empty() ? "\u2013" : kept.fastest,
                              kept.fastest.empty() ? "\u2013" : gpu::threeDigits(kept.fastestMs),
                              kept.pinned ? "pinned" : ""});
    }
    printText(gpu::toText(table));
    return kFine;
}

/// What was measured then is recorded now.
gpu::TextTable recorded(gpu::TextTable table) {
    for (gpu::TextTable::Column& column : table.columns)
        if (column.origin == gpu::Origin::measured) column.origin = gpu::Origin::recorded;
    return table;
}

int show(const HistoryOptions& options) {
    Opened history;
    const Kept kept = history->entry(options.ids.front());
    const gpu::Report report = history->report(kept.id);
    if (options.json) {
        printJson(gpu::toJson(report));
        return kFine;
    }
    gpu::TextTable table = recorded(gpu::makeTable(report));
    table.title = "Comparison " + std::to_string(kept.id) + (kept.pinned ? " (pinned)" : "") + ", recorded " +
                  minuteOf(kept.date) + " UTC by Warplens " + kept.build +
                  (kept.driver.empty() ? "" : (report.device.ranks() ? ", driver " : ", on ") + kept.driver) + "\n" +
                  table.title;
    std::string text = gpu::toText(table);
    for (const gpu::TextTable& further : gpu::furtherTables(report)) text += "\n" + gpu::toText(recorded(further));
    printText(text);
    return kFine;
}

int diff(const HistoryOptions& options) {
    Opened history;
    const gpu::Report before = history->report(options.ids[0]);
    const gpu::Diff found = gpu::diff(before, history->report(options.ids[1]));
    options.json ? printJson(gpu::toJson(found)) : printText(gpu::toText(found, gpu::Origin::recorded));
    return kFine;
}

/// One into a file by its ending; several, or all, into a folder as JSON.
int exportThem(const HistoryOptions& options) {
    Opened history;
    if (options.ids.size() == 1 && fs::path(options.output).has_extension()) {
        checkReportName(options.output);
        checkFolderOf(options.output);
        CallFiles files;
        files.readsFile(history->file());
        files.writes("-o", options.output);
        writeReport(options.output, history->report(options.ids.front()), loadRecorded());
        return kFine;
    }
    std::vector<std::int64_t> ids = options.ids;
    if (ids.empty()) {
        for (const Kept& kept : history->list()) ids.push_back(kept.id);
    }
    makeFolder(options.output);
    for (const std::int64_t id : ids) {
        const fs::path path = fs::path(options.output) / ("comparison-" + std::to_string(id) + ".json");
        writeReport(path.string(), history->report(id), {});
    }
    return kFine;
}

int pin(const HistoryOptions& options, bool pinned) {
    Opened history;
    for (const std::int64_t id : options.ids) history->pin(id, pinned);
    return kFine;
}

/// A day of the calendar, as in 2026-11-23.
bool isDate(const std::string& text) {
    std::string form = text;
    std::ranges::replace_if(
        form, [](char c) { return c >= '0' && c <= '9'; }, '0');
    if (form != "0000-00-00") return false;
    const auto number = [&](std::size_t at, std::size_t digits) { return std::stoi(text.substr(at, digits)); };
    return (std::chrono::year(number(0, 4)) / number(5, 2) / number(8, 2)).ok();
}

int prune(const HistoryOptions& options) {
    if (options.ids.empty() && !options.keep && options.before.empty())
        throw ArgumentError("history prune: say what is to go: ids, --keep N or --before DATE");
    if (!options.before.empty() && !isDate(options.before))
        throw ArgumentError("--before " + options.before + ": give a date as in 2026-11-23");
    Opened history;
    for (const std::int64_t id : options.ids) history->remove(id);
    const auto removed = static_cast<std::int64_t>(options.ids.size()) + history->prune(options.keep, options.before);
    printText("Removed " + comparisons(removed) + ".\n");
    return kFine;
}

}  // namespace

Command addHistory(CLI::App& program) {
    CLI::App* command =
        program.add_subcommand("history", "What compare and the window kept: list, show, diff, export, pin, prune");
    command->require_subcommand(1);
    command->footer(
        "Every comparison that was finished is kept in warplens/history.sqlite below XDG_DATA_HOME or\n"
        "~/.local/share, which its user alone can read: the newest 2,000, 64 MiB at most, and what is pinned.\n"
        "WARPLENS_HISTORY=off, or compare --no-history, keeps nothing.");
    const auto options = std::make_shared<HistoryOptions>();
    const auto addIds = [&](CLI::App* to, const char* what) {
        return to->add_option("ID", options->ids, what)->type_name("")->check(CLI::PositiveNumber);
    };
    const auto addJson = [&](CLI::App* to, const char* what) { to->add_flag("--json", options->json, what); };

    CLI::App* lists = command->add_subcommand("list", "The kept comparisons, the newest first");
    lists->add_option("WORD", options->words, "Only those that hold all of these words: of picture, task, device, date")
        ->type_name("");
    lists->add_option("-n,--most", options->most, "How many at most; default 20")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
    addJson(lists, "Print JSON (resources/schema/history.schema.json)");
    CLI::App* shows = command->add_subcommand("show", "One comparison as compare printed it");
    addIds(shows, "Which one (see history list)")->required()->expected(1);
    addJson(shows, "Print the JSON report");
    CLI::App* diffs = command->add_subcommand("diff", "Two comparisons: what became faster, slower, stayed the same");
    addIds(diffs, "The one before and the one after")->required()->expected(2);
    addJson(diffs, "Print JSON (resources/schema/diff.schema.json)");
    CLI::App* exports = command->add_subcommand("export", "Write comparisons as reports");
    addIds(exports, "Which ones; default: all");
    namesFile(exports
                  ->add_option("-o,--output", options->output,
                               "For one a file in .json, .csv, .md or .html; else a folder, for JSON")
                  ->required());
    CLI::App* pins = command->add_subcommand("pin", "Never remove these to make room");
    addIds(pins, "Which ones")->required();
    CLI::App* unpins = command->add_subcommand("unpin", "Let these be removed to make room");
    addIds(unpins, "Which ones")->required();
    CLI::App* prunes = command->add_subcommand("prune", "Remove comparisons, but for pinned ones that are not named");
    addIds(prunes, "These");
    prunes->add_option("--keep", options->keep, "All but the newest N")->type_name("N")->check(CLI::NonNegativeNumber);
    prunes->add_option("--before", options->before, "What is older")->type_name("DATE");

    return {command, [=](const std::stop_token&) {
                if (lists->parsed()) return listThem(*options);
                if (shows->parsed()) return show(*options);
                if (diffs->parsed()) return diff(*options);
                if (exports->parsed()) return exportThem(*options);
                if (prunes->parsed()) return prune(*options);
                return pin(*options, pins->parsed());
            }};
}

}  // namespace warplens::cli
