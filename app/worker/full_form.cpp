// SPDX-License-Identifier: Apache-2.0
#include "app/worker/full_form.hpp"

#include "app/sandbox/call_filter.hpp"
#include "app/sandbox/sandbox.hpp"
#include "app/trace/protocol.hpp"
#include "app/worker/check.hpp"
#include "app/worker/count.hpp"
#include "app/worker/kernel_process.hpp"
#include "app/worker/launches.hpp"
#include "app/worker/result_json.hpp"
#include "app/worker/run.hpp"
#include "app/worker/watched_device.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/padded_rows.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/simt/engine.hpp"
#include "gpu/device/text_kernel.hpp"
#include "gpu/kernels/entry_override.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/run/timing.hpp"
#include "gpu/user/full_form.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <optional>
#include <string>
#include <tbb/global_control.h>
#include <vector>

namespace warplens::worker {
namespace {

trace_protocol::Job taskOf(const Job& job, const std::byte* pictures) {
    std::vector<std::shared_ptr<io::Grid>> grids;
    auto task = trace_protocol::jobOf(job.full.at("task"), grids);
    for (const auto& grid : grids) {
        std::memcpy(grid->data(), pictures, grid->bytes());
        pictures += (grid->bytes() + kPageBytes - 1) / kPageBytes * kPageBytes;
    }
    return task;
}

/// The row's problem on a device, the file in its place.
class FullForm {
public:
    FullForm(const trace_protocol::Job& task, gpu::Device& device)
        : m_family(gpu::familyOf(task.family)),
          m_row(gpu::variantOf(m_family, gpu::variantIn(task.runs.at(0).first))),
          m_device(device) {
        // The file's entry is in its place by now.
        m_problem = m_family.pose(task.input, task.parameters);
        m_record = gpu::makeRunRecord(task.family, *m_problem, m_row, task.runs[0].second, device.info());
    }

    bool refused() const { return !m_record.reason.empty(); }
    const gpu::RunRecord& record() const { return m_record; }

    /// Once, every access looked at, or on a GPU every launch waited for; then as often as `timing` says.
    void run(const gpu::TimingPolicy& timing, Launches& launches) {
        prepare();
        if (!m_device.info().ranks()) watchPictures();
        launches.setCareful(true);
        m_session->pass(m_device);
        launches.setCareful(false);
        setThorough(false);
        m_device.takeLaunchFacts();
        gpu::runKernelRow(m_device, *m_session, m_row, timing, {}, m_record);
        tellPitch();
    }
    void count(gpu::Device& counter, std::int64_t sampleWords) {
        prepare();
        const std::int64_t sampled = m_family.info().dependent ? 0 : sampleWords;
        worker::count(
            counter, [&] { m_session->pass(m_device); }, input(), sampled, m_record);
    }

    gpu::Film film(gpu::Device& counter, const gpu::FilmQuery& query) {
        prepare();
        const io::Shape& shape = m_resident.grid->shape();
        return worker::film(
            counter, [&] { m_session->pass(m_device); }, query, shape, m_problem->footprint(m_row, m_record.tunables),
            input(), std::max(shape.width, m_session->pitch()));
    }

private:
    const gpu::Buffer& input() const {
        return m_session->pitch() > 0 && m_resident.pitch > 0 ? m_resident.padded : m_resident.planes;
    }
    void prepare() {
        m_session = m_problem->open(m_device, m_resident);
        m_session->prepare(m_row, m_record.tunables);
        m_session->poisonOutput();
    }
    void watchPictures() {
        watchInput(m_resident.planes.handle(), "the input");
        if (m_resident.padded) watchInput(m_resident.padded.handle(), "the input in padded rows");
        if (const auto picture = m_session->picture())
            watchOutput(picture->planes->handle(), io::sizeOf(picture->type));
    }
    void tellPitch() {
        if (const auto pitch = m_session->pitch(); pitch > 0)
            m_record.reason = gpu::paddedRows(m_resident.grid->shape().width, pitch);
    }

    const gpu::Family& m_family;
    const gpu::Variant& m_row;
    gpu::Device& m_device;
    std::unique_ptr<gpu::Problem> m_problem;
    gpu::Resident m_resident;
    std::unique_ptr<gpu::Session> m_session;
    gpu::RunRecord m_record;
};

const gpu::Variant& rowOf(const trace_protocol::Job& task) {
    return gpu::variantOf(gpu::familyOf(task.family), gpu::variantIn(task.runs.at(0).first));
}

/// The file's entry in its row's place.
void override(void* library, const gpu::Variant& row) {
    const auto entry = reinterpret_cast<const void* (*)()>(::dlsym(library, gpu::user::kEntry));
    // gpu/families/FAMILY/kernels/FILE.cuh
    const std::filesystem::path source = row.source;
    gpu::overrideEntry(source.parent_path().parent_path().string() + "/", row.id, entry());
}

/// What may be shared by all kernels of a file.
constexpr std::size_t kMostSharedOfFile = gpu::simt::kMaxSharedBytes * 64;

void tell(const FullForm& form, const Json& result) {
    Json said{{"run", gpu::fields::toJson(gpu::ReportRun{.record = form.record(), .result = {}})}, {"result", result}};
    said["run"]["tables"] = Json::array();  // the result has them
    answer(said.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void runAndTell(FullForm& form, const Job& job, Launches& launches, std::byte* output) {
    if (form.refused()) throw gpu::Error(gpu::Error::Kind::unsupported, form.record().reason);
    form.run(job.timing, launches);
    tell(form, toJson(form.record().result, output, static_cast<std::size_t>(job.outputBytes)));
}

void tellOtherType() { answer(Json{{"types", true}}.dump()); }

}  // namespace

void runFullForm(const Job& job, const std::byte* pictures, std::byte* output, const std::filesystem::path& scratch) {
    // The kernel has this thread alone, and none may be started once the calls are filtered.
    const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
    const auto cpu = gpu::openDevice("cpu");
    cpu->setScheduling({.workers = 1, .shuffleSeed = job.shuffleSeed});
    const auto task = taskOf(job, pictures);
    confine(scratch, kHeadroom + (job.counts ? kShadowBytes : 16) * static_cast<std::uint64_t>(job.inputBytes) +
                         4 * static_cast<std::uint64_t>(job.sharedBytes()));
    watch({}, 0, 1, report);
    catchSignals();
    if (!sandbox::sanitized()) sandbox::filterKernelCalls(true);
    void* const library = load(scratch / kObject, job.counts, kMostSharedOfFile);
    const auto counter = job.counts ? openCountingDevice() : nullptr;
    const auto launches = counter ? makeCountedLaunches(*counter) : makeCheckedLaunches();
    launchBy(*launches);
    override(library, rowOf(task));
    if (!sandbox::sanitized()) sandbox::filterKernelCalls(false);
    running();
    try {
        WatchedDevice device(counter ? *counter : *cpu, *cpu);
        FullForm form(task, device);
        if (!job.counts) return runAndTell(form, job, *launches, output);
        if (form.refused()) throw gpu::Error(gpu::Error::Kind::unsupported, form.record().reason);
        if (job.film) return answerFilm(form.film(*counter, *job.film));
        form.count(*counter, job.sampleWords);
        tell(form, nullptr);
    } catch (const OtherType&) {
        tellOtherType();
    }
}

void runFullFormOnGpu(const Job& job, const std::byte* pictures, std::byte* output,
                      const std::filesystem::path& scratch, gpu::Device& device) {
    gpu::loadTextCompiler();
    const auto task = taskOf(job, pictures);
    const gpu::Variant& row = rowOf(task);
    const auto launches = makeGpuLaunches(device, job, row.source);
    launchBy(*launches);
    // The driver has threads and files of its own: the launchers run in this thread, whose rights these are.
    confineBesideDriver(scratch);
    watch({}, 0, 1, report);
    catchSignals(false);
    override(load(scratch / kObject, false, kMostSharedOfFile), row);
    running();
    try {
        FullForm form(task, device);
        runAndTell(form, job, *launches, output);
    } catch (const OtherType&) {
        tellOtherType();
    }
}

}  // namespace warplens::worker
