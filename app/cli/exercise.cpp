// SPDX-License-Identifier: Apache-2.0
#include "app/cli/call_files.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/resources.hpp"
#include "app/worker/client.hpp"
#include "gpu/exercise/hand_in.hpp"
#include "gpu/run/runner.hpp"
#include "io/file.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;
namespace exercise = gpu::exercise;
using exercise::Exercise;
using exercise::HandIn;
using exercise::Judgement;

/// Of all commands of exercises; each uses some.
struct ExerciseOptions {
    std::string folder, name, kernel, output;
    std::vector<std::string> files;
    int hints = 0;
};

exercise::Exercises exercisesIn(const std::string& folder) {
    if (!folder.empty() && !fs::is_directory(folder))
        throw ArgumentError("--folder " + folder + ": is no folder: give an exercise or the folder that holds some");
    auto all = exercise::loadAll(folder.empty() ? resourceFolder() / "exercises" : fs::path(folder));
    for (const std::string& problem : all.problems) printError("warning: " + problem);
    return all;
}

Exercise exerciseOf(const ExerciseOptions& options) {
    const auto all = exercisesIn(options.folder).list;
    const auto found = std::ranges::find(all, options.name, &Exercise::name);
    if (found != all.end()) return *found;
    std::string names;
    for (const Exercise& one : all) names += (names.empty() ? "" : ", ") + one.name;
    throw ArgumentError("no exercise '" + options.name +
                        "': " + (names.empty() ? "there is none here" : "choose one of " + names));
}

std::string wrapped(const std::string& text, std::size_t width) {
    std::string lines;
    std::size_t begin = 0;
    while (text.size() - begin > width) {
        const auto space = text.rfind(' ', begin + width);
        const auto end = space == std::string::npos || space <= begin ? text.find(' ', begin) : space;
        if (end == std::string::npos) break;
        lines += text.substr(begin, end - begin) + "\n";
        begin = end + 1;
    }
    return lines + text.substr(begin) + "\n";
}

int listThem(const ExerciseOptions& options) {
    gpu::TextTable table{.title = {}, .columns = {}, .rows = {}, .notes = {}};
    for (const char* title : {"Name", "Title", "Chapter", "Kind", "Family", "Goals"})
        table.columns.push_back({.title = title, .origin = {}});
    for (const Exercise& one : exercisesIn(options.folder).list)
        table.rows.push_back({one.name, one.title, one.chapter, exercise::nameOf(one.kind), one.family,
                              std::to_string(one.goals.size())});
    printText(gpu::alignedRows(table, terminalWidth()));
    return kFine;
}

int show(const ExerciseOptions& options) {
    const Exercise one = exerciseOf(options);
    const std::size_t width = terminalWidth();
    std::string text = one.title + " (" + one.chapter + ", to " + exercise::nameOf(one.kind) + ")\n\n" +
                       wrapped(one.story, width) + "\n" + wrapped(one.task, width) + "\nGoals:\n";
    for (const exercise::Goal& goal : one.goals) {
        const std::string limit = exercise::limitOf(goal);
        text += "  " + goal.text + (limit.empty() ? "" : " (" + goal.metric + " " + limit + ")") + "\n";
    }
    text += "\nIt has to be right on:\n";
    for (const exercise::Case& each : one.cases) {
        text += "  " + fs::path(each.input).filename().string() + ", " + one.family;
        for (const auto& [id, value] : each.parameters) text += " --" + id + " " + gpu::format(value);
        text += "\n";
    }
    const auto opened = std::min(one.hints.size(), static_cast<std::size_t>(options.hints));
    for (std::size_t i = 0; i < opened; ++i)
        text += "\n" + wrapped(fmt::format("Hint {} of {}: {}", i + 1, one.hints.size(), one.hints[i]), width);
    if (opened < one.hints.size())
        text += fmt::format("\n{} of {} hints opened: --hints N opens more.\n", opened, one.hints.size());
    printText(text);
    return kFine;
}

Judgement judged(const Exercise& one, const std::shared_ptr<const gpu::UserKernel>& kernel,
                 const std::stop_token& stop) {
    Progress progress(kernel->variant().id);
    gpu::Runner runner;
    return exercise::judge(one, kernel, runner, stop,
                           [&](double fraction, const std::string& what) { progress.show(fraction, what); });
}

std::shared_ptr<const gpu::UserKernel> startOf(const Exercise& one) {
    return worker::makeKernel(exercise::fileOf(one), one.start);
}

int check(const ExerciseOptions& options, const std::stop_token& stop) {
    const Exercise one = exerciseOf(options);
    const auto kernel = worker::loadKernel(options.kernel);
    const Judgement before = judged(one, startOf(one), stop), now = judged(one, kernel, stop);
    gpu::TextTable table{.title = {}, .columns = {}, .rows = {}, .notes = {}};
    for (const char* title : {"", "Goal", "Start", "Now"}) table.columns.push_back({.title = title, .origin = {}});
    for (std::size_t i = 0; i < one.goals.size(); ++i)
        table.rows.push_back({!now.goals[i].judged   ? "?"
                              : now.goals[i].reached ? "+"
                                                     : "-",
                              one.goals[i].text, before.goals[i].now, now.goals[i].now});
    std::string text = gpu::alignedRows(table, terminalWidth());
    const auto elsewhere = static_cast<int>(now.goals.size()) - now.judged();
    text += fmt::format("{} of {} goals reached{}.\n", now.reached(), now.goals.size(),
                        elsewhere > 0 ? fmt::format(", {} not judged here", elsewhere) : "");
    if (!now.reason.empty()) text += wrapped(now.reason, terminalWidth());
    printText(text);
    return now.allReached() ? kFine : kWrong;
}

int handIn(const ExerciseOptions& options, const std::stop_token& stop) {
    const Exercise one = exerciseOf(options);
    CallFiles files;
    files.readsFile(options.kernel);
    files.writes("-o", options.output);
    const std::string source = io::readText(options.kernel);
    const Judgement now = judged(one, worker::makeKernel(options.kernel, source), stop);
    io::writeFileAtomically(options.output,
                            exercise::toJson(exercise::makeHandIn(one, now, source, options.hints, false)));
    printText(fmt::format("{}: {} of {} goals reached, written to {}.\n", one.name, now.reached(), now.goals.size(),
                          options.output));
    return kFine;
}

int merge(const ExerciseOptions& options) {
    CallFiles files;
    std::vector<HandIn> all;
    for (const std::string& file : options.files) {
        files.readsFile(file);
        all.push_back(exercise::parseHandIn(io::readText(file), file));
        if (!all.back().intact) printError(file + ": was changed after it was handed in: its hash does not fit");
    }
    std::ranges::stable_sort(all, {}, [](const HandIn& one) { return std::pair(one.exercise, one.file); });
    if (!options.output.empty()) {
        files.writes("-o", options.output);
        io::writeFileAtomically(options.output, exercise::boardCsv(all));
    }
    const gpu::TextTable board = exercise::boardOf(all);
    printText(gpu::alignedRows(board, terminalWidth()));
    for (const std::string& note : board.notes) printText(note + "\n");
    return kFine;
}

}  // namespace

Command addExercise(CLI::App& program) {
    CLI::App* command =
        program.add_subcommand("exercise", "Tasks in writing kernels: list, show, start, check, hand-in, class");
    command->require_subcommand(1);
    command->footer(
        "A kernel is judged on the CPU, by the reference and by what is counted of it: no GPU is needed.\n"
        "An exercise of your own is a folder with exercise.json (resources/schema/exercise.schema.json),\n"
        "start.cuh and solution.cuh; give the folder above it as --folder.");
    const auto options = std::make_shared<ExerciseOptions>();
    const auto add = [&](const char* name, const char* what, bool named, bool kernel) {
        CLI::App* one = command->add_subcommand(name, what);
        if (named) one->add_option("NAME", options->name, "Which one (see exercise list)")->required()->type_name("");
        if (kernel)
            namesFile(one->add_option("KERNEL", options->kernel, "Your kernel, a .cuh")->required(), "FILE.cuh");
        namesFile(one->add_option("--folder", options->folder, "A folder of folders with exercises of your own"),
                  "FOLDER");
        return one;
    };
    CLI::App* lists = add("list", "The exercises", false, false);
    CLI::App* shows = add("show", "What is asked, and the goals", true, false);
    add("start", "Print the kernel to begin with", true, false);
    CLI::App* checks = add("check", "Goal by goal, how far a kernel is; exit status 1 when one is missed", true, true);
    CLI::App* hands = add("hand-in", "Write one file with the kernel, the goals it reached, and a hash", true, true);
    for (CLI::App* one : {shows, hands})
        one->add_option("--hints", options->hints, one == shows ? "Open so many hints" : "So many hints were opened")
            ->type_name("N")
            ->check(CLI::Range(0, 99));
    namesFile(hands->add_option("-o,--output", options->output, "The file, in .json")->required());
    CLI::App* classes = command->add_subcommand("class", "Merge what was handed in: a row a file");
    namesFile(classes->add_option("FILE", options->files, "What hand-in wrote")->required());
    namesFile(classes->add_option("-o,--output", options->output, "Write it as .csv as well, a line a goal"));

    return {command, [=](const std::stop_token& stop) {
                if (lists->parsed()) return listThem(*options);
                if (shows->parsed()) return show(*options);
                if (checks->parsed()) return check(*options, stop);
                if (hands->parsed()) return handIn(*options, stop);
                if (classes->parsed()) return merge(*options);
                printText(exerciseOf(*options).start);
                return static_cast<int>(kFine);
            }};
}

}  // namespace warplens::cli
