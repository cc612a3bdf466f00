// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.hpp"

#include "app/cli/byte_size.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/report_file.hpp"
#include "app/worker/client.hpp"
#include "gpu/core/parameter_effects.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/device_names.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace warplens::cli {

RequestOptions::RequestOptions(CLI::App& command, bool several) : m_choices(command), m_family(command) {
    command
        .add_option(
            "INPUT... FAMILY", m_positionals,
            "One or more files, folders, gen:, raw: or series: inputs (see info --help), then the family (see list "
            "families)")
        ->required()
        ->type_name("");
    takesDevice(command, m_device, several);
    if (several)
        command
            .add_option("--exchange", m_exchange,
                        "How several devices give each other the halos of slabs that they keep: overlapped (behind the "
                        "interior, the default), graph (the same, several rounds as one launch graph), peer (peer "
                        "copies between two sweeps) or host (through the host)")
            ->type_name("WAY")
            ->check(CLI::IsMember(std::vector<std::string>(gpu::kHaloWays.begin(), gpu::kHaloWays.end())));
    command
        .add_option(
            "--set", m_settings,
            "A tunable of all kernels that have it, but for those that are named with another after an @; may be "
            "repeated (see list variants)")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    namesFile(command.add_option("--report", reports,
                                 "Write a report: .json, .csv, .md or .html; in a batch one per input, as "
                                 "R.NAME.json; may be repeated"))
        ->expected(1)
        ->take_all();
    command.add_flag("--uncompressed", uncompressed, "Write .nrrd and .tif without compression");
    command.add_option("--quality", quality, "Quality of .jpg and .webp, 1 to 100; a .webp of 100 loses nothing")
        ->type_name("N")
        ->check(CLI::Range(io::EncodeOptions::kLeastQuality, io::EncodeOptions::kMostQuality));
    std::vector<std::string> ways;
    for (const io::Format& format : io::formats())
        for (const io::StorageWay& one : format.ways) ways.emplace_back(one.id);
    command.add_option("--stored-as", way, "How .exr is stored: " + gpu::anyOf(ways) + "; default: " + ways.front())
        ->type_name("WAY")
        ->check(CLI::IsMember(ways));
    command.add_flag("--convert", convert, "Convert values that the format of -o does not hold, as f32 for .png");
    command.add_flag("--json", json, "Print the JSON report instead of text; in a batch one line per input");
    command
        .add_option("--memory-limit", m_memoryLimit,
                    "Most memory to use on the device, as in 1GB or 512MiB; what needs more is processed in slabs")
        ->type_name("SIZE");
    command
        .add_option("--shuffle", m_shuffle, "CPU device: run threads and blocks in a random order made from this seed")
        ->type_name("SEED");
}

io::WriteOptions RequestOptions::writing(const gpu::Result& result, const io::Grid* input, std::stop_token stop) const {
    io::WriteOptions options{.encode = {!uncompressed, quality, way}, .stop = std::move(stop)};
    if (convert && result.picture != nullptr && input != nullptr)
        options.fit = io::FitOptions{io::usualRange(*result.picture, *input)};
    return options;
}

void takesKernels(CLI::App& command, std::vector<std::string>& kernels) {
    namesFile(command.add_option("--kernel", kernels,
                                 "A kernel of yours, a .cuh with one __global__ function on plain pointers, or a copy "
                                 "of a variant (kernel --from): compiled, run and verified in a process of its own; "
                                 "may be repeated, also with tunables, each after an @: my.cuh@block_width=16"),
              "FILE.cuh")
        ->expected(1)
        ->take_all();
}

std::vector<std::shared_ptr<const gpu::UserKernel>> loadKernels(const std::vector<std::string>& names,
                                                                const std::string& family) {
    std::vector<std::shared_ptr<const gpu::UserKernel>> kernels;
    std::map<std::string, std::string> files;  // by id
    for (const std::string& name : names) {
        auto kernel = worker::loadKernel(name);
        const std::string &id = kernel->variant().id, file = worker::fileOfKernel(name);
        if (gpu::findVariant(family, id) != nullptr)
            throw ArgumentError("--kernel " + name + ": " + id + " is a variant of " + family + ": rename the file");
        const auto same = [&](const auto& known) { return known->id() == kernel->id(); };
        if (files.try_emplace(id, file).first->second != file || std::ranges::any_of(kernels, same))
            throw ArgumentError("--kernel " + name + ": there are two called " + kernel->id() + ": rename one");
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

void RequestOptions::addKernels(CLI::App& command) { takesKernels(command, m_kernels); }

void RequestOptions::addTable(CLI::App& command) {
    command
        .add_option("--table", table,
                    "With -o: write this table of the result, by its name in a report, as .csv or .npy; default: the "
                    "picture, or the first table where there is none, or beside a picture when the name ends in .csv; "
                    "measures: of labels, what shapes and the input's values say of each region")
        ->type_name("NAME");
    command.add_flag("--unit-heads", unitHeads,
                     "With -o: heads of a table in .csv name the unit as well, as \"area [um^2]\", instead of the name "
                     "alone");
}

const gpu::Family& RequestOptions::family() const {
    if (m_positionals.size() < 2) throw ArgumentError("an INPUT and a FAMILY are needed, as in: photo.png convolution");
    return gpu::familyOf(m_positionals.back());
}

gpu::TunableValues RequestOptions::tunables() const {
    gpu::TunableValues values;
    for (const std::string& setting : m_settings) {
        const auto equals = setting.find('=');
        int value = 0;
        bool good = equals != std::string::npos && equals > 0;
        if (good) {
            const char* end = setting.data() + setting.size();
            const auto [stopped, failure] = std::from_chars(setting.data() + equals + 1, end, value);
            good = failure == std::errc() && stopped == end;
        }
        if (!good) throw ArgumentError("--set " + setting + ": give KEY=INTEGER, as in block_width=32");
        values[setting.substr(0, equals)] = value;
    }
    return values;
}

void RequestOptions::addRecipe(CLI::App& command) {
    namesFile(command.add_option("--recipe", recipe,
                                 "Instead of a FAMILY: the steps of this file (schema/recipe.schema.json), one after "
                                 "the other, or of the text itself where it begins with {"));
}

void RequestOptions::checkTable(const gpu::Family& family) const {
    if (unitHeads && output.empty()) throw ArgumentError("--unit-heads: give -o, a name that ends in .csv");
    if (!table.empty() && output.empty()) throw ArgumentError("--table " + table + ": give -o, where it is to go");
    if (!table.empty() && !family.info().makesTables)
        throw ArgumentError("--table " + table + ": " + family.id() + " makes no tables: leave it out");
}

gpu::Request RequestOptions::request() const {
    checkTable(family());
    if (!m_exchange.empty() && !family().info().iterates)
        throw ArgumentError("--exchange " + m_exchange + ": " + family().id() + " exchanges no halos: leave it out");
    gpu::Request request = common();
    request.family = family().id();
    request.parameters = m_family.valuesFor(family(), m_choices, true);
    request.tunables = tunables();
    request.kernels = loadKernels(m_kernels, request.family);
    return request;
}

std::string RequestOptions::toPixels(gpu::Request& request) const {
    std::string said;
    for (const std::string& line : m_family.toPixels(family(), *request.input, request.parameters)) said += line + "\n";
    return json ? std::string() : said;
}

gpu::Request RequestOptions::base() const {
    const std::string given = m_settings.empty() ? m_family.firstGiven() : "set";
    if (!given.empty())
        throw ArgumentError("--" + given + ": a recipe's steps say it themselves: leave it out, or write it there");
    return common();
}

gpu::Request RequestOptions::common() const {
    for (const std::string& report : reports) checkReportName(report);
    gpu::Request request;
    request.device = devices().front();
    request.scheduling.shuffleSeed = m_shuffle;
    request.keepPictures = !output.empty() || std::ranges::any_of(reports, showsPictures);
    if (!m_exchange.empty()) {
        if (devices().size() < 2)
            throw ArgumentError("--exchange " + m_exchange +
                                ": one device has no halos to exchange: name several, "
                                "as in --device cuda:all, or leave it out");
        request.halos = gpu::haloWayOf(m_exchange).value();
    }
    if (!m_memoryLimit.empty()) request.memoryCap = parseByteSize("--memory-limit", m_memoryLimit);
    return request;
}

const std::vector<std::string>& RequestOptions::devices() const {
    if (m_devices.empty()) m_devices = gpu::deviceIds(m_device);
    return m_devices;
}

std::vector<std::string> RequestOptions::sharing(const Inputs& inputs) const {
    return inputs.batch ? devices() : std::vector<std::string>{devices().front()};
}

std::vector<std::string> RequestOptions::beside(const Inputs& inputs) const {
    if (inputs.batch) return {};
    return {devices().begin() + 1, devices().end()};
}

Inputs RequestOptions::inputs() const {
    return expandInputs({m_positionals.begin(), m_positionals.end() - (recipe.empty() ? 1 : 0)});
}

CallFiles RequestOptions::files(const Inputs& inputs) const {
    CallFiles files;
    for (const std::string& name : inputs.names) files.reads(name);
    for (const std::string& kernel : m_kernels) files.readsFile(worker::fileOfKernel(kernel));
    if (!recipe.empty()) return files;
    m_family.addFiles(family(), files);
    for (const std::string& report : reports) {
        checkFolderOf(report);
        UniqueNames stems;
        for (const std::string& name : inputs.names)
            files.writes("--report", inputs.batch ? reportNameFor(report, stems.next(name)) : report);
    }
    return files;
}

void RequestOptions::writeReports(const std::string& stem, bool batch, const gpu::Report& report,
                                  const gpu::Comparison& comparison, const gpu::RecordedRuns& recorded) const {
    for (const std::string& name : reports)
        writeReport(batch ? reportNameFor(name, stem) : name, report, comparison, recorded);
}

std::shared_ptr<const io::Grid> RequestOptions::readParameter(const std::string& name) const {
    return std::make_shared<const io::Grid>(m_choices.readParameter(name));
}

std::shared_ptr<const io::Grid> RequestOptions::read(const std::string& name, const std::stop_token& stop,
                                                     bool quiet) const {
    return std::make_shared<const io::Grid>(m_choices.read(name, stop, quiet));
}

std::vector<std::string> chosenVariants(const std::string& list, const gpu::Family& family, bool autoAllowed) {
    if (list == "all") return {};
    std::vector<std::string> ids;
    bool takesAuto = false;
    for (const std::string_view item : io::split(list, ',')) {
        if (autoAllowed && item == gpu::kAuto) {
            if (std::exchange(takesAuto, true)) throw ArgumentError("--variants: auto is named twice: leave one out");
        } else if (!item.empty()) {
            ids.emplace_back(item);
        }
    }
    if (!ids.empty()) {
        const auto runs = gpu::askedRuns(family, ids);
        std::ranges::transform(runs, ids.begin(), &gpu::RunSpec::id);
    }
    if (takesAuto) ids.emplace_back(gpu::kAuto);
    if (ids.empty()) throw ArgumentError("--variants: give all, or names with commas between them");
    return ids;
}

}  // namespace warplens::cli
