// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch.hpp"

#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/print.hpp"
#include "io/error.hpp"
#include "io/printable.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <unistd.h>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;

void writeActs(Picture& picture, const std::stop_token& stop) {
    for (; picture.done < picture.acts.size(); ++picture.done) {
        auto& write = picture.acts[picture.done].write;
        if (write) write(stop);
        write = nullptr;  // and what it holds
    }
}

/// A result is of one version of its input, or --resume makes it again.
void writeUnchanged(Picture& picture, const std::stop_token& stop) {
    const auto refuse = [&](const std::string& what) {
        throw io::Error(io::Error::Kind::unreadable,
                        picture.name + ": the file changed while it was being processed" + what + "; run it again");
    };
    if (picture.changed()) refuse(", nothing was written");
    writeActs(picture, stop);
    if (!picture.changed()) return;
    const auto now = io::versionOf(io::pathOf(picture.name)).value_or(*picture.version);
    const auto older = std::min(now.changed, picture.version->changed) - std::chrono::seconds(1);
    std::error_code ignored;
    if (!picture.result.empty()) fs::last_write_time(picture.result, older, ignored);
    refuse(", its result is that of the earlier content");
}

bool sayActs(const Picture& picture) {
    bool error = false;
    for (std::size_t i = 0; i < picture.done; ++i) {
        const Picture::Act& act = picture.acts[i];
        if (!act.json.empty()) printJson(act.json);
        if (!act.said.out.empty()) printText(act.said.out);
        if (!act.said.error.empty()) printError(act.said.error);
        error = error || !act.said.error.empty();
    }
    return error;
}

}  // namespace

BatchOptions::BatchOptions(CLI::App& command) {
    command.add_flag("--resume", resume,
                     "Leave out inputs whose result stands in -o already and is newer than they are: the same call "
                     "again after one that was interrupted");
    command
        .add_option("--codecs", codecs,
                    "How many pictures are decoded at once, and encoded; default: by the processors")
        ->check(CLI::Range(1, 256))
        ->type_name("N");
    namesFile(command.add_option("--timeline", timeline,
                                 "Write when each stage worked on which picture, as trace events for Perfetto (.json), "
                                 "and say which stage limits"));
}

void BatchOptions::check(const std::string& output) const {
    if (resume && output.empty()) throw ArgumentError("--resume: give -o, where the results are looked for");
}

Batch::Batch(const BatchOptions& options, const RequestOptions& request, const Inputs& inputs, bool toFolder,
             CallFiles& files)
    : m_options(options),
      m_request(request),
      m_files(files),
      m_batch(inputs.batch),
      m_toFolder(toFolder),
      m_progress(inputs.names.size() == 1 ? inputs.names.front() : std::to_string(inputs.names.size()) + " pictures") {
    if (!options.timeline.empty()) {
        files.writes("--timeline", options.timeline);
        checkFolderOf(options.timeline);
    }
    UniqueNames stems;
    for (const std::string& name : inputs.names) {
        m_todo.push_back(m_pictures.size());
        Picture& picture = m_pictures.emplace_back();
        picture.name = name;
        picture.stem = stems.next(name);
    }
}

std::vector<fs::path> Batch::resultsOf(const Picture& picture, const gpu::Family& family) const {
    if (!m_toFolder) return {m_request.output};
    std::vector<fs::path> paths;
    for (const std::string& extension : extensionsFor(picture.name, family, m_request.table))
        paths.push_back(fs::path(m_request.output) / (picture.stem + extension));
    return paths;
}

void Batch::leaveOutDone(const gpu::Family& family) {
    if (!m_options.resume) return;
    for (Picture& picture : m_pictures) {
        const auto results = resultsOf(picture, family);
        const auto there = std::ranges::find_if(
            results, [&](const fs::path& path) { return gpu::isUpToDate(path, io::pathOf(picture.name)); });
        if (there == results.end()) continue;
        try {
            if (m_toFolder) m_files.writes("-o", *there);
            picture.there = *there;
        } catch (const ArgumentError&) {
            picture.failure = std::current_exception();  // it is an input
        }
    }
    std::erase_if(m_todo, [this](std::size_t i) { return !m_pictures[i].there.empty(); });
}

void Batch::claim(const std::string& option, const fs::path& path) {
    const std::lock_guard lock(m_claims);
    m_files.writes(option, path);
}

fs::path Batch::resultName(Picture& picture, const gpu::Result& result) {
    picture.result = m_request.output;
    if (m_toFolder) {
        const fs::path path = picture.result / (picture.stem + extensionFor(picture.name, result, m_request.table));
        if (result.picture && m_request.table.empty()) picture.otherFormat = otherFormat(picture.name, *result.picture);
        claim("-o", path);
        picture.result = path;
    }
    return picture.result;
}

gpu::PictureBatch::Work Batch::workOf(const Work& work) {
    const auto at = [this](std::size_t place) -> Picture& { return m_pictures[m_todo[place]]; };
    using Step = gpu::PictureBatch::Step;
    return {.picture = at,
            .codecs = m_options.codecs,
            .computing = work.computing,
            .places = work.places,
            .read =
                [this, at](std::size_t place, const std::stop_token& stop) {
                    return m_request.read(at(place).name, stop, m_todo.size() > 1);
                },
            .compute = [at, &work](std::size_t place, const std::stop_token& stop) { work.compute(at(place), stop); },
            .verify = work.verify ? Step([at, &work](std::size_t place, const std::stop_token& stop) {
                if (!at(place).interrupted) work.verify(at(place), stop);
            })
                                  : Step(),
            .encode =
                [at](std::size_t place, const std::stop_token& stop) {
                    writeUnchanged(at(place), stop);
                    at(place).written = !at(place).interrupted;
                }};
}

int Batch::run(const Work& work, const std::stop_token& stop) {
    gpu::PictureBatch batch(m_todo.size(), workOf(work));
    const gpu::PipelineRun run = batch.run(
        [&](std::size_t place, const std::exception_ptr& failure) {
            const std::lock_guard lock(m_terminal);
            m_progress.clear();
            tellSkipped(m_todo[place]);
            deliver(m_pictures[m_todo[place]], failure);
        },
        stop);
    m_progress.clear();
    if (run.delivered < m_todo.size()) {
        tellOutOfTurn(run.delivered);
        endInterrupted(run.delivered);
    } else {
        tellSkipped(m_pictures.size());
    }
    summarise(run, batch.stages());
    return run.delivered < m_todo.size() ? static_cast<int>(kInterrupted) : m_status;
}

void Batch::show(const Picture& picture, double fraction, const std::string& what) {
    const std::lock_guard lock(m_terminal);
    if (m_todo.size() <= 1) return m_progress.show(fraction, what);
    const auto all = static_cast<double>(m_pictures.size());
    m_progress.show((static_cast<double>(m_told) + fraction) / all, io::printable(picture.name) + ": " + what);
}

void Batch::tellSkipped(std::size_t before) {
    for (; m_told < before; ++m_told) {
        const Picture& picture = m_pictures[m_told];
        if (!picture.there.empty() && !m_request.json)
            printText(io::printable(picture.name) +
                      ": left out: its result is there: " + io::printable(picture.there.string()) + "\n");
    }
}

void Batch::deliver(Picture& picture, const std::exception_ptr& failure) {
    ++m_told;
    sayActs(picture);
    int status = picture.status;
    if (const auto why = failure ? failure : picture.failure)
        status = std::max(status, report(why, m_batch ? picture.name : ""));
    picture.fine = status == kFine;
    if (picture.fine) ++m_fine;
    if (picture.fine && !picture.otherFormat.empty()) ++m_otherFormats[picture.otherFormat];
    m_status = std::max(m_status, status);
    picture.acts.clear();
    picture.computed = {};
    picture.request = {};
    picture.input.reset();
}

/// What was done when a stop came while one before it was not: its file stands there.
void Batch::tellOutOfTurn(std::size_t delivered) {
    for (std::size_t i = delivered; i < m_todo.size(); ++i)
        if (m_pictures[m_todo[i]].written) deliver(m_pictures[m_todo[i]], nullptr);
}

/// One line, of the picture that was at work; its report says how far it came.
void Batch::endInterrupted(std::size_t delivered) {
    for (std::size_t i = delivered; i < m_todo.size(); ++i) {
        Picture& picture = m_pictures[m_todo[i]];
        if (!picture.interrupted) continue;
        try {
            writeActs(picture, {});  // how far it came
        } catch (...) {
            report(std::current_exception(), m_batch ? picture.name : "");
            return;
        }
        if (sayActs(picture)) return;
        break;
    }
    printError("interrupted");
}

void Batch::summarise(const gpu::PipelineRun& run, const std::vector<gpu::PipelineStage>& stages) {
    if (!m_request.json)
        for (const auto& [why, count] : m_otherFormats)
            printText(fmt::format("{} result{}: {}\n", count, count == 1 ? "" : "s", why));
    const bool wanted = !m_options.timeline.empty();
    const bool shown = m_fine > 0 && !m_request.json && (wanted || (m_batch && isatty(STDOUT_FILENO) != 0));
    if (!wanted && !shown) return;
    std::vector<gpu::TimelineItem> items;
    for (const std::size_t i : m_todo) {
        Picture& picture = m_pictures[i];
        items.push_back({picture.name, picture.fine, picture.bytes, std::move(picture.timed)});
    }
    const gpu::Timeline timeline = gpu::makeTimeline(run, stages, items);
    if (wanted) io::writeFileAtomically(m_options.timeline, gpu::toChromeTrace(timeline));
    if (shown && !timeline.spans.empty()) printText(gpu::summaryOf(timeline) + "\n");
}

}  // namespace warplens::cli
