// SPDX-License-Identifier: Apache-2.0
#include "app/worker/full_kernel.hpp"

#include "app/trace/protocol.hpp"
#include "app/worker/ask.hpp"
#include "app/worker/result_json.hpp"
#include "app/worker/trial.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/user/full_form.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::worker {
namespace {

using gpu::Error;

/// What a result may take beside what the task is said to write.
constexpr std::int64_t kResultBytes = std::int64_t{64} << 20;
/// More is mapped for none: an iteration is said to write its picture many times.
constexpr std::int64_t kMostResultBytes = std::int64_t{64} << 30;

std::int64_t wholePages(std::size_t bytes) {
    return static_cast<std::int64_t>((bytes + kPageBytes - 1) / kPageBytes * kPageBytes);
}

class FullKernel final : public gpu::UserKernel {
public:
    explicit FullKernel(gpu::user::KernelSource source) : m_source(std::move(source)) {}
    const gpu::Variant& variant() const override { return m_source.variant; }
    const std::string& source() const override { return m_source.text; }

    void run(const gpu::UserKernelTask& task, gpu::RunRecord& record, const std::stop_token& stop) const override {
        const trace_protocol::Job asked = taskOf(task.request, record, 0);
        Job job = jobOf(task.problem, asked);
        job.timing = task.request.timing;
        job.shuffleSeed = task.request.scheduling.shuffleSeed;
        if (task.device.ranks()) {
            job.device = task.device.id;
            job.capability = task.device.capabilityMajor * 10 + task.device.capabilityMinor;
            const auto trial = [&](const gpu::Problem& problem, const gpu::Request& tried, gpu::RunRecord& told) {
                const trace_protocol::Job corner = taskOf(tried, record, 0);
                Job trying = jobOf(problem, corner);
                trying.timing = tried.timing;
                compute(trying, corner, told, stop);
            };
            if (!survivesOnCpu(task.request, record, trial)) return;
        }
        compute(job, asked, record, stop);
        if (record.status == gpu::Status::ok) record.footprint = task.problem.footprint(row(), record.tunables);
    }

    void count(const gpu::UserKernelTask& task, std::int64_t sampleWords, gpu::RunRecord& record,
               const std::stop_token& stop) const override {
        const trace_protocol::Job asked = taskOf(task.request, record, sampleWords);
        Job job = jobOf(task.problem, asked);
        job.counts = true;
        job.sampleWords = sampleWords;
        compute(job, asked, record, stop);
    }

    void film(const gpu::UserKernelTask& task, const gpu::RunRecord& record, const gpu::FilmQuery& query,
              gpu::Film& film, const std::stop_token& stop) const override {
        const trace_protocol::Job asked = taskOf(task.request, record, 0);
        Job job = jobOf(task.problem, asked);
        job.counts = true;
        job.film = query;
        const SpareAfter next(job.device);
        film = filmOf(answerTo(job, asked, stop).second);
    }

private:
    const gpu::Variant& row() const { return gpu::variantOf(gpu::familyOf(m_source.family), m_source.row); }

    /// As it was asked for: what was chosen by name, then by --set, then in the file; the rest is the row's to fit.
    trace_protocol::Job taskOf(const gpu::Request& request, const gpu::RunRecord& record,
                               std::int64_t sampleWords) const {
        if (request.family != m_source.family)
            throw Error(Error::Kind::argument, m_source.file + ":" + std::to_string(m_source.line) + ": a copy of " +
                                                   m_source.family + "/" + m_source.row + " does nothing of " +
                                                   request.family + ": begin with a copy of one of its variants");
        gpu::TunableValues chosen = record.chosen;
        chosen.merge(gpu::tunablesFor(m_source.variant, request.tunables));
        for (const std::string& id : m_source.declared)
            chosen.emplace(id, std::ranges::find(m_source.variant.tunables, id, &gpu::Tunable::id)->fallback);
        return {.family = m_source.family,
                .parameters = request.parameters,
                .input = request.input,
                .runs = {{m_source.row, chosen}},
                .sampleWords = sampleWords};
    }

    Job jobOf(const gpu::Problem& problem, const trace_protocol::Job& asked) const {
        Job job{.file = m_source.file,
                .kernel = m_source.kernel,
                .text = m_source.text,
                .caller = gpu::user::callerOfFullForm(m_source),
                .device = "cpu"};
        std::vector<io::PixelType> types;
        for (const io::Grid* picture : trace_protocol::picturesOf(asked)) {
            job.inputBytes += wholePages(picture->bytes());
            if (io::isWideInteger(picture->type())) continue;
            types.push_back(picture->type());
        }
        job.prologue = gpu::user::prologueOfFullForm(types);
        job.outputBytes = std::min(std::max(problem.work().bytesWritten, job.inputBytes) + kResultBytes,
                                   job.inputBytes * 64 + kResultBytes);
        job.outputBytes = std::min(job.outputBytes, kMostResultBytes);
        job.full = {{"task", trace_protocol::toJson(asked)}};
        return job;
    }

    void compute(Job& job, const trace_protocol::Job& asked, gpu::RunRecord& record,
                 const std::stop_token& stop) const {
        const SpareAfter next(job.device);
        try {
            const auto [worker, answer] = answerTo(job, asked, stop);
            refuseFor(answer);
            end(job, answer, worker->shared() + job.outputAt(), record);
        } catch (const Json::exception& error) {
            refuseAnswer(error);
        }
    }

    static std::pair<std::unique_ptr<WorkerProcess>, Json> answerTo(Job& job, const trace_protocol::Job& asked,
                                                                    const std::stop_token& stop) {
        auto worker = begin(job, asked, stop);
        Json answer = worker->answer();
        if (answer.at("kind") == "types") {
            job.prologue = gpu::user::prologueOfFullForm({});
            worker = begin(job, asked, stop);
            answer = worker->answer();
        }
        return {std::move(worker), std::move(answer)};
    }

    static std::unique_ptr<WorkerProcess> begin(const Job& job, const trace_protocol::Job& asked,
                                                const std::stop_token& stop) {
        return ask(job, stop, [&](std::byte* shared) {
            for (const io::Grid* picture : trace_protocol::picturesOf(asked)) {
                std::memcpy(shared, picture->data(), picture->bytes());
                shared += wholePages(picture->bytes());
            }
        });
    }

    static void end(const Job& job, const Json& answer, const std::byte* output, gpu::RunRecord& record) {
        if (answer.at("kind") == "wrong") {
            record.status = gpu::Status::wrong;
            record.reason = answer.at("message").get<std::string>();
            return;
        }
        gpu::RunRecord ran = gpu::fields::runOf(answer.at("run"), record.family).record;
        record.tunables = ran.tunables;
        record.launch = ran.launch;
        record.reason = ran.reason;
        if (job.counts) {
            record.status = ran.status;
            record.counters = ran.counters;
            return;
        }
        record.time = ran.time;
        record.downloadMs = ran.downloadMs;
        record.layoutMs = ran.layoutMs;
        record.result = resultOf(answer.at("result"), output, static_cast<std::size_t>(job.outputBytes));
    }

    gpu::user::KernelSource m_source;
};

}  // namespace

std::shared_ptr<const gpu::UserKernel> makeFullKernel(gpu::user::KernelSource source) {
    return std::make_shared<FullKernel>(std::move(source));
}

}  // namespace warplens::worker
