// SPDX-License-Identifier: Apache-2.0
#include "app/cli/recipe_run.hpp"

#include "app/cli/exit_status.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/report_file.hpp"
#include "app/cli/resources.hpp"
#include "app/cli/tell.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/recipe/file.hpp"
#include "gpu/report/figures.hpp"
#include "io/error.hpp"
#include "io/printable.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace warplens::cli {

namespace {

namespace fs = std::filesystem;
namespace recipe = gpu::recipe;

bool isText(const std::string& given) { return given.starts_with('{'); }

std::string stepName(std::size_t step) { return "step-" + std::to_string(step + 1); }

/// The steps' kernels together; nothing where they were timed by two clocks, whose times do not add up.
std::string totalOf(const std::vector<gpu::Timing>& times) {
    const auto other = [&](const gpu::Timing& time) { return time.clock != times.front().clock; };
    if (times.size() < 2 || std::ranges::any_of(times, other)) return {};
    double sum = 0;
    for (const gpu::Timing& time : times) sum += time.medianMs;
    return std::to_string(times.size()) + " steps: " + gpu::threeDigits(sum) + " ms together (measured, " +
           gpu::nameOf(times.front().clock) + ")\n";
}

/// Of the last step's picture, as far as the steps say so by their output type.
std::optional<io::PixelType> typeAfter(const recipe::Recipe& steps, io::PixelType type) {
    for (const std::size_t i : recipe::stepsOn(steps)) {
        const recipe::Step& step = steps.steps[i];
        const auto& declared = gpu::familyOf(step.family).parameters();
        const gpu::Parameter* output = gpu::findRole(declared, gpu::Parameter::Role::outputType);
        if (output == nullptr || step.input.kind != recipe::Source::Kind::previous) return std::nullopt;
        const std::string wanted = gpu::format(gpu::valueOf(declared, step.parameters, output->id));
        if (wanted == "f32")
            type = io::PixelType::f32;
        else if (wanted != "same" && type != io::PixelType::f32)
            return std::nullopt;
    }
    return type;
}

}  // namespace

/// What is known of the input at work.
struct RecipeRun::OnePicture {
    Picture& picture;
    gpu::PipelineClock::time_point begin = gpu::PipelineClock::now();  ///< of the step
    std::vector<gpu::Timing> times{};
    std::optional<std::size_t> fusedFrom{};  ///< the first of the steps that are one run with the next one told
};

RecipeRun::RecipeRun(const RequestOptions& options, const BatchOptions& batch, const gpu::Request& base,
                     const std::string& keepSteps, std::stop_token stop)
    : m_options(options),
      m_base(base),
      m_keepSteps(keepSteps),
      m_where(isText(options.recipe) ? "--recipe" : options.recipe),
      m_stop(std::move(stop)),
      m_recipe(isText(options.recipe) ? recipe::parse(options.recipe, m_where, {}) : recipe::load(options.recipe)) {
    m_inputs = options.inputs();
    m_base.beside = options.beside(m_inputs);
    m_team.emplace(options.sharing(m_inputs), 1);
    m_files = options.files(m_inputs);
    if (!isText(options.recipe)) m_files.readsFile(options.recipe);
    for (const std::string& file : recipe::filesOf(m_recipe)) m_files.reads(file);
    m_team->setTuning(loadTuning());
    m_recorded = loadRecorded();
    claimNames();
    m_batch.emplace(batch, options, m_inputs, m_toFolder, m_files);
    m_batch->leaveOutDone(gpu::familyOf(recipe::lastOf(m_recipe).family));
}

/// Makes folders and refuses names before anything is computed.
void RecipeRun::claimNames() {
    const std::string& output = m_options.output;
    std::error_code ignored;
    m_toFolder = m_inputs.batch || output.ends_with('/') || fs::is_directory(output, ignored);
    const gpu::Family& last = gpu::familyOf(recipe::lastOf(m_recipe).family);
    m_options.checkTable(last);
    if (!m_keepSteps.empty()) makeFolder(m_keepSteps);
    if (!output.empty() && m_toFolder) makeFolder(output);
    if (!output.empty() && !m_toFolder) {
        m_files.writes("-o", output);
        checkResultName(output, last, m_options.table);
    }
    for (const std::string& report : m_options.reports) {
        checkFolderOf(report);
        UniqueNames stems;
        for (const std::string& name : m_inputs.names) {
            const std::string stem = stems.next(name);
            for (const std::size_t step : recipe::stepsOn(m_recipe))
                m_files.writes("--report", reportNameFor(report, reportStem(stem, step)));
        }
    }
}

std::string RecipeRun::reportStem(const std::string& stem, std::size_t step) const {
    return (m_inputs.batch ? stem + "." : "") + stepName(step);
}

int RecipeRun::all() {
    // A step's check decides whether the next one runs, so it is part of computing.
    return m_batch->run({.computing = m_team->workers(),
                         .places = m_team->places(),
                         .compute = [this](Picture& picture, const std::stop_token& stop) { compute(picture, stop); },
                         .verify = {}},
                        m_stop);
}

std::shared_ptr<const io::Grid> RecipeRun::read(const std::string& name) {
    const std::lock_guard lock(m_reading);
    auto& known = m_read[name];
    if (known == nullptr) known = m_options.readParameter(name);
    return known;
}

void RecipeRun::compute(Picture& picture, const std::stop_token& stop) {
    OnePicture one{.picture = picture};
    gpu::Request base = m_base;
    base.input = picture.input;
    base.inputName = picture.name;
    base.device = m_team->id(picture.worker);
    if (!m_toFolder && fs::path(m_options.output).extension() == ".png" &&
        typeAfter(m_recipe, base.input->type()) == io::PixelType::f32)
        throw io::Error(io::Error::Kind::unsupported,
                        m_options.output +
                            ": the last step makes f32, and PNG holds 8 or 16 bits: give it the output "
                            "type same, or end the name in .tif or .exr");
    recipe::Hooks hooks{
        .read = [this](const std::string& file) { return read(file); },
        .progress = [&](double fraction, const std::string& what) { m_batch->show(picture, fraction, what); },
        .done = [&](std::size_t step, const gpu::Comparison& comparison) { stepDone(one, step, comparison); }};
    // Steps whose pictures or reports are wanted run by themselves.
    if (m_keepSteps.empty() && m_options.reports.empty() && !m_options.json)
        hooks.fused = [&](std::size_t first, std::size_t) {
            if (!one.fusedFrom) one.fusedFrom = first;
        };
    try {
        picture.interrupted = recipe::run(m_team->runner(picture.worker), m_recipe, base, hooks, stop).interrupted;
    } catch (const gpu::Error& error) {
        picture.failure =
            std::make_exception_ptr(gpu::Error(error.kind(), m_where + ", " + error.what(), error.code()));
    } catch (...) {
        picture.failure = std::current_exception();  // what was done before is written and told
    }
    if (picture.status != kFine || m_options.json || picture.interrupted || picture.failure) return;
    if (const std::string total = totalOf(one.times); !total.empty())
        picture.acts.push_back({.said = {.out = io::printable(picture.name) + ": " + total}});
}

void RecipeRun::stepDone(OnePicture& one, std::size_t step, const gpu::Comparison& comparison) {
    Picture& picture = one.picture;
    const bool last = step == recipe::stepsOn(m_recipe).back();
    const int status = statusOfRun(comparison);
    picture.status = std::max(picture.status, status);
    if (!m_options.reports.empty() || m_options.json) {
        const auto report = std::make_shared<const gpu::Report>(gpu::makeReport(comparison));
        if (!m_options.reports.empty()) {
            const bool pictures = std::ranges::any_of(m_options.reports, showsPictures);
            const auto shown = std::make_shared<const gpu::Comparison>(pictures ? comparison : gpu::Comparison());
            const std::string stem = reportStem(picture.stem, step);
            picture.acts.push_back({.write = [=, this, measured = picture.request.input](const std::stop_token&) {
                m_options.writeReports(stem, true, *report, *shown, m_recorded);
            }});
        }
        if (m_options.json) picture.acts.push_back({.json = gpu::toJson(*report, true) + "\n"});
    }
    fs::path written;
    if (!comparison.interrupted && status == kFine && comparison.runs.front().time) {
        const gpu::RunRecord& run = comparison.runs.front();
        one.times.push_back(*run.time);
        picture.timed.push_back({.run = gpu::timesOf(run),
                                 .begin = one.begin,
                                 .end = gpu::PipelineClock::now(),
                                 .toTheEnd = false,
                                 .worker = m_team->row(picture.worker)});
        if (!m_keepSteps.empty()) {
            const fs::path kept = fs::path(m_keepSteps) /
                                  (picture.stem + "." + stepName(step) + extensionFor(picture.name, run.result, {}));
            m_batch->claim("--keep-steps", kept);
            writeLater(picture, step, run.result, kept, {});
        }
        if (last && !m_options.output.empty()) {
            written = m_batch->resultName(picture, run.result);
            writeLater(picture, step, run.result, written, m_options.table);
        }
    }
    const auto from = std::exchange(one.fusedFrom, std::nullopt);
    const std::string place =
        from ? "steps " + std::to_string(*from + 1) + " to " + std::to_string(step + 1) + " as one run"
             : recipe::placeOf(step);
    picture.acts.push_back(
        {.said = formatRun(picture.name + ", " + m_where + ", " + place, comparison, written, m_options.json)});
    one.begin = gpu::PipelineClock::now();
}

void RecipeRun::writeLater(Picture& picture, std::size_t step, const gpu::Result& result, const fs::path& path,
                           const std::string& table) {
    const io::WriteOptions options = m_options.writing(result, picture.request.input.get());
    picture.acts.push_back({.write = [=, this, measured = picture.request.input](const std::stop_token& stop) {
        try {
            const gpu::Family& family = gpu::familyOf(m_recipe.steps[step].family);
            io::WriteOptions stopped = options;
            stopped.stop = stop;
            writeResult(result, family, path, table, m_options.unitHeads, measured.get(), stopped);
        } catch (const io::Error& error) {
            throw io::Error(error.kind(), recipe::placeOf(step) + ": " + error.what());
        }
    }});
}

}  // namespace warplens::cli
