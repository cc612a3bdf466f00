// SPDX-License-Identifier: Apache-2.0
#include "app/worker/client.hpp"

#include "app/worker/ask.hpp"
#include "app/worker/full_kernel.hpp"
#include "app/worker/protocol.hpp"
#include "app/worker/trial.hpp"
#include "app/worker/worker_process.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/text_kernel.hpp"
#include "gpu/kernels/host_planes.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/user/bind.hpp"
#include "gpu/user/full_form.hpp"
#include "gpu/user/starting_file.hpp"
#include "io/file.hpp"

#include <cstring>

namespace warplens::worker {
namespace {

using gpu::Error;

/// The kernel as it is compiled for a task.
Job jobFor(const gpu::user::KernelSource& source, const gpu::PlainTask& task, const gpu::Family& family,
           const gpu::ParameterValues& parameters, const gpu::TunableValues& tunables) {
    Job job{.file = source.file,
            .kernel = source.kernel,
            .prologue = gpu::user::prologueOf(source, task, tunables),
            .text = source.text,
            .caller = gpu::user::callerOf(source),
            .binding = gpu::user::bind(source, task, family.parameters(), parameters, tunables),
            .planes = task.planes,
            .outputValueBytes = static_cast<int>(io::sizeOf(task.outputType)),
            .zeroed = task.zeroed};
    if (task.repeat) {
        job.repeats = true;
        job.quiet = task.repeat->quiet;
        job.most = task.repeat->most;
        if (job.binding.listed) job.frontier = task.repeat->frontier.value();
    }
    for (const auto& parameter : source.parameters) job.names.push_back(parameter.name);
    return job;
}

class FileKernel final : public gpu::UserKernel {
public:
    explicit FileKernel(gpu::user::KernelSource source) : m_source(std::move(source)) {}
    const gpu::Variant& variant() const override { return m_source.variant; }
    const std::string& source() const override { return m_source.text; }

    void run(const gpu::UserKernelTask& task, gpu::RunRecord& record, const std::stop_token& stop) const override {
        Job job = jobOf(task.problem, task.request, record);
        job.timing = task.request.timing;
        if (!task.device.ranks()) {
            job.device = "cpu";
            return compute(task.problem, job, record, stop);
        }
        job.device = task.device.id;
        job.capability = task.device.capabilityMajor * 10 + task.device.capabilityMinor;
        // It is compiled for the GPU while it is tried on the CPU.
        job.held = true;
        const SpareAfter next(job.device);
        const auto worker = begin(task.problem, job, record, stop);
        // Without g++ it is not tried.
        const bool survives = survivesOnCpu(
            task.request, record, [&](const gpu::Problem& problem, const gpu::Request& tried, gpu::RunRecord& trial) {
                Job trying = jobOf(problem, tried, record);
                trying.device = "cpu";
                trying.timing = tried.timing;
                compute(problem, trying, trial, stop);
            });
        if (!survives) return;
        worker->release();
        end(task.problem, job, *worker, record);
    }

    void count(const gpu::UserKernelTask& task, std::int64_t sampleWords, gpu::RunRecord& record,
               const std::stop_token& stop) const override {
        Job job = jobOf(task.problem, task.request, record);
        job.device = "cpu";
        job.counts = true;
        // A launch that follows another works on what that one found: none of its blocks may be left out.
        job.sampleWords = job.repeats ? 0 : sampleWords;
        compute(task.problem, job, record, stop);
    }

    void film(const gpu::UserKernelTask& task, const gpu::RunRecord& record, const gpu::FilmQuery& query,
              gpu::Film& film, const std::stop_token& stop) const override {
        Job job = jobOf(task.problem, task.request, record);
        job.device = "cpu";
        job.counts = true;
        job.film = query;
        job.shape = task.request.input->shape();
        const SpareAfter next(job.device);
        film = filmOf(begin(task.problem, job, record, stop)->answer());
    }

private:
    static const gpu::PlainKernels& plainOf(const gpu::Problem& problem, const gpu::RunRecord& record) {
        return gpu::user::plainKernelsOf(gpu::familyOf(record.family), problem);
    }

    Job jobOf(const gpu::Problem& problem, const gpu::Request& request, const gpu::RunRecord& record) const {
        const gpu::Family& family = gpu::familyOf(request.family);
        const gpu::PlainTask task = plainOf(problem, record).plainTask();
        Job job = jobFor(m_source, task, family, request.parameters, record.tunables);
        job.shuffleSeed = request.scheduling.shuffleSeed;
        job.inputBytes = std::int64_t{task.width} * task.height * task.planes *
                         static_cast<std::int64_t>(io::sizeOf(task.input->type()));
        job.outputBytes = std::int64_t{task.outputWidth} * task.outputHeight * task.planes * job.outputValueBytes;
        return job;
    }

    void compute(const gpu::Problem& problem, const Job& job, gpu::RunRecord& record,
                 const std::stop_token& stop) const {
        const SpareAfter next(job.device);
        end(problem, job, *begin(problem, job, record, stop), record);
    }

    /// A worker that has the job.
    std::unique_ptr<WorkerProcess> begin(const gpu::Problem& problem, const Job& job, const gpu::RunRecord& record,
                                         const std::stop_token& stop) const {
        const gpu::PlainTask task = plainOf(problem, record).plainTask();
        const auto input = gpu::planesOf(*task.input);
        return ask(job, stop, [&](std::byte* planes) {
            std::memcpy(planes, input.data(), static_cast<std::size_t>(job.inputBytes));
            if (task.repeat) std::memcpy(planes + job.outputAt(), task.repeat->start.data(), task.repeat->start.size());
            putWords(job, planes);
        });
    }

    void end(const gpu::Problem& problem, const Job& job, WorkerProcess& worker, gpu::RunRecord& record) const {
        try {
            const Json answer = worker.answer();
            refuseFor(answer);
            if (answer.at("kind") == "wrong") {
                record.status = gpu::Status::wrong;
                record.reason = answer.at("message").get<std::string>();
                return;
            }
            const gpu::RunRecord ran = gpu::fields::runOf(answer.at("run"), record.family).record;
            if (job.counts) {
                record.status = ran.status;
                record.reason = ran.reason;
                record.counters = ran.counters;
                record.launch = ran.launch;
                return;
            }
            record.time = ran.time;
            record.launch = ran.launch;
            record.downloadMs = ran.downloadMs;
            record.layoutMs = 0;
        } catch (const Json::exception& error) {
            refuseAnswer(error);
        }
        const std::byte* output = worker.shared() + job.outputAt();
        record.result = plainOf(problem, record).resultOfPlanes({output, output + job.outputBytes});
    }

    gpu::user::KernelSource m_source;
};

}  // namespace

std::shared_ptr<const gpu::UserKernel> makeKernel(const std::string& path, const std::string& text) {
    gpu::user::KernelSource source = gpu::user::parseSource(path, text);
    if (source.full()) return makeFullKernel(std::move(source));
    return std::make_shared<FileKernel>(std::move(source));
}

std::string copyOfVariant(const gpu::Family& family, const gpu::Variant& variant) {
    // What is no kernel has no file, which copyOf() says.
    std::string text;
    if (variant.kind == gpu::Variant::Kind::kernel) {
        const Job job{.inputBytes = 1, .outputBytes = 1, .header = variant.source};
        const Json answer = ask(job, {}, [](std::byte*) {})->answer();
        refuseFor(answer);
        text = answer.at("text").get<std::string>();
    }
    return gpu::user::copyOf(family, variant, text);
}

std::string fileOfKernel(const std::string& name) {
    std::error_code ignored;
    const auto at = name.find('@', name.rfind('/') == std::string::npos ? 0 : name.rfind('/'));
    return std::filesystem::exists(name, ignored) ? name : name.substr(0, at);
}

std::shared_ptr<const gpu::UserKernel> loadKernel(const std::string& path) {
    constexpr std::int64_t kMostBytes = 1 << 20;
    const std::string file = fileOfKernel(path);
    auto kernel = makeKernel(file, io::readText(file, kMostBytes));
    if (file == path) return kernel;
    return gpu::withTunables(std::move(kernel), gpu::parseRunKey("kernel" + path.substr(file.size())).chosen);
}

namespace {

/// What a launch may cost that is counted for its name.
constexpr std::int64_t kListedWords = 1 << 16;

gpu::user::Listings list(Job job, int capability, const std::stop_token& stop) {
    job.device = "cuda";
    job.capability = capability;
    job.listing = true;
    job.inputBytes = job.outputBytes = 1;
    job.binding = {};
    try {
        const Json answer = ask(job, stop, [](std::byte*) {})->answer();
        refuseFor(answer);
        const auto function = answer.at("function").get<std::string>();
        return {.ptx = gpu::user::parsePtx(answer.at("ptx").get<std::string>(), job.file, function),
                .sass = gpu::user::parseSass(answer.at("sass").get<std::string>(),
                                             answer.at("registers").get<std::string>(), job.file, function),
                .compiler = answer.at("compiler").get<std::string>(),
                .disassembler = answer.at("disassembler").get<std::string>(),
                .whyNoSass = answer.at("why").get<std::string>()};
    } catch (const Json::exception& error) {
        refuseAnswer(error);
    }
}

/// The first of these instances that a file of a family has, as in "naive<float, 2>".
gpu::user::Listings listFirst(const std::string& file, const std::string& text, const std::string& family,
                              const std::vector<std::string>& kernels, int capability, const std::stop_token& stop) {
    if (const std::string why = gpu::textRefusal(capability); !why.empty()) throw Error(Error::Kind::unsupported, why);
    const std::string scope = "warplens::gpu::" + family;
    for (const std::string& kernel : kernels) {
        try {
            gpu::user::Listings all = list(
                {.file = file, .kernel = scope + "::" + kernel, .text = text + "\nusing namespace " + scope + ";\n"},
                capability, stop);
            all.kernel = kernel;
            return all;
        } catch (const gpu::CompileError&) {
            if (kernel == kernels.back()) throw;
        }
    }
    throw Error(Error::Kind::unsupported, file + " launches no kernel for this task");
}

/// Which kernels a copy launches is known when it was counted.
gpu::user::Listings listCopy(const gpu::user::KernelSource& source, const gpu::user::ListingTask& task,
                             const std::stop_token& stop) {
    gpu::Request request;
    request.input = task.input;
    request.family = task.family;
    request.parameters = task.parameters;
    request.tunables = task.tunables;
    request = cornerOf(request);
    const gpu::Family& family = gpu::familyOf(task.family);
    const auto problem = family.pose(request.input, request.parameters);
    gpu::RunRecord counted;
    counted.family = task.family;
    makeFullKernel(source)->count({*problem, request, gpu::openDevice(request.device)->info()}, kListedWords, counted,
                                  stop);
    if (!counted.counters) throw Error(Error::Kind::unsupported, source.file + ": " + counted.reason);
    return listFirst(source.file, source.text, source.family,
                     gpu::user::launchedKernels(gpu::variantOf(family, source.row), *counted.counters), task.capability,
                     stop);
}

}  // namespace

gpu::user::Listings listingsOf(const std::string& path, const std::string& text, const gpu::user::ListingTask& task,
                               const std::stop_token& stop) {
    const auto source = gpu::user::parseSource(path, text);
    if (source.full()) return listCopy(source, task, stop);
    const gpu::Family& family = gpu::familyOf(task.family);
    const auto problem = family.pose(task.input, task.parameters);
    const gpu::PlainTask plain = gpu::user::plainKernelsOf(family, *problem).plainTask();
    return list(jobFor(source, plain, family, task.parameters, gpu::resolve(source.variant, task.tunables)),
                task.capability, stop);
}

gpu::user::Listings listingsOf(const gpu::Variant& variant, const std::vector<std::string>& kernels, int capability,
                               const std::stop_token& stop) {
    if (variant.kind != gpu::Variant::Kind::kernel)
        throw Error(Error::Kind::unsupported, variant.id + " is a library's: its kernels have no source here");
    // gpu/families/FAMILY/kernels/FILE.cuh
    const std::filesystem::path source = variant.source;
    return listFirst(source.filename().string(), "#include \"" + variant.source + "\"",
                     source.parent_path().parent_path().filename().string(), kernels, capability, stop);
}

}  // namespace warplens::worker
