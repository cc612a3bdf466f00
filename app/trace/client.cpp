// SPDX-License-Identifier: Apache-2.0
#include "app/trace/client.hpp"

#include "app/trace/protocol.hpp"
#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/simt/simt_device.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/run/user_kernel.hpp"
#include "io/child_process.hpp"
#include "io/program_path.hpp"

#include <algorithm>
#include <stdexcept>
#include <system_error>

namespace warplens {
namespace {

namespace protocol = trace_protocol;
using gpu::Error;
using io::ChildProcess;
using protocol::Json;
using Transfer = ChildProcess::Transfer;

struct Stopped {};

ChildProcess start(std::chrono::seconds silence, const std::stop_token& stop) {
    const auto program = findTrace();
    if (program.empty()) {
        throw Error(
            Error::Kind::unsupported,
            "warplens-trace, which counts, was not found: ask again when scripts/run has built it, for which it "
            "needs g++ and libcapstone-dev, or set WARPLENS_TRACE to its path");
    }
    try {
        return {program.string(), {"serve"}, ChildProcess::Clock::now() + silence, stop};
    } catch (const std::system_error& error) {
        throw Error(Error::Kind::unsupported, program.string() + " did not start (" + error.code().message() +
                                                  "): " + io::startingRemedy(error.code(), "WARPLENS_TRACE"));
    }
}

/// One request to one process.
class Conversation {
public:
    Conversation(std::chrono::seconds silence, const std::stop_token& stop)
        : m_silence(silence), m_process(start(silence, stop)) {}

    void ask(const protocol::Job& job) {
        send(std::as_bytes(std::span<const char>(protocol::packed(protocol::toJson(job)))));
        for (const io::Grid* picture : protocol::picturesOf(job)) send({picture->data(), picture->bytes()});
        m_process.closeInput();
    }

    Json answer() {
        std::array<std::byte, protocol::kLengthBytes> length{};
        receive(length);
        std::string text(protocol::lengthOf(length), '\0');
        receive(std::as_writable_bytes(std::span(text)));
        return Json::parse(text);
    }

    void receive(std::span<std::byte> buffer) {
        m_process.setDeadline(ChildProcess::Clock::now() + m_silence);
        if (const auto state = m_process.receive(buffer); state != Transfer::complete) fail(state);
    }

private:
    void send(std::span<const std::byte> bytes) {
        // One that has seen enough to refuse stops listening: its answer tells.
        if (const auto state = m_process.send(bytes); state != Transfer::complete && state != Transfer::closed)
            fail(state);
    }
    [[noreturn]] void fail(Transfer state) {
        if (state == Transfer::stopped) throw Stopped{};
        if (state == Transfer::timedOut) {
            throw Error(Error::Kind::internal, "warplens-trace said nothing for " + std::to_string(m_silence.count()) +
                                                   " s and was ended: take a smaller picture, or report this");
        }
        const auto end = m_process.wait();
        const std::string complaint = m_process.complaint();
        throw Error(Error::Kind::internal, "warplens-trace ended early" +
                                               (end.signal != 0 ? " by signal " + std::to_string(end.signal)
                                                                : " with status " + std::to_string(end.status)) +
                                               (complaint.empty() ? "" : " (" + complaint + ")") +
                                               ": take a smaller picture, or report this");
    }
    std::chrono::seconds m_silence;
    ChildProcess m_process;
};

/// Asks, passes progress on and every other answer to `take`, until the trace is done. False: it was stopped before.
template <class Take>
bool converse(const protocol::Job& job, std::chrono::seconds silence, const std::stop_token& stop,
              const gpu::Observer& observer, Take take) {
    try {
        Conversation trace(silence, stop);
        trace.ask(job);
        for (;;) {
            const Json message = trace.answer();
            const auto kind = message.at("kind").get<std::string>();
            if (kind == "done") return true;
            if (kind == "failure") {
                throw Error(static_cast<Error::Kind>(message.at("error").get<int>()),
                            message.at("message").get<std::string>());
            }
            if (kind == "progress" && observer.progress) {
                observer.progress(message.at("fraction").get<double>(), message.at("what").get<std::string>());
            }
            take(trace, kind, message);
        }
    } catch (const Stopped&) {
        return false;
    } catch (const Error&) {
        throw;
    } catch (const Json::exception& error) {
        throw Error(Error::Kind::internal, std::string("warplens-trace gave no answer that can be read (") +
                                               gpu::reasonOf(error) + "): reinstall it");
    } catch (const std::runtime_error& error) {
        throw Error(Error::Kind::internal, std::string("warplens-trace gave no answer that means anything (") +
                                               error.what() + "): reinstall it");
    }
}

/// The chosen runs in ladder order, each with the tunables that are set for it.
protocol::Job jobOf(const gpu::Request& request, const gpu::Family& family, std::int64_t sampleWords) {
    protocol::Job job{
        .family = family.id(), .parameters = request.parameters, .input = request.input, .sampleWords = sampleWords};
    if (request.kernelsAlone) return job;
    for (const gpu::RunSpec& run : gpu::askedRuns(family, request.variants))
        job.runs.emplace_back(run.id(), run.over(request.tunables));
    return job;
}

/// The record of a kernel of the user's before it was counted or filmed.
gpu::RunRecord recordOf(const gpu::UserKernel& kernel, const gpu::Request& request, const gpu::DeviceInfo& device) {
    gpu::RunRecord record;
    record.family = request.family;
    record.variant = kernel.variant().id;
    record.runsOn = device.id;
    record.yours = true;
    return record;
}

void chooseTunables(const gpu::UserKernel& kernel, const gpu::Request& request, gpu::RunRecord& record) {
    record.chosen = kernel.chosen();
    gpu::TunableValues all = record.chosen;
    all.merge(gpu::tunablesFor(kernel.variant(), request.tunables));
    record.tunables = gpu::resolve(kernel.variant(), all);
}

/// Counts the kernels of the user's, before the ladder: one that does not compile says so at once. False: stopped.
bool countKernels(const gpu::Request& request, const gpu::Problem& problem, std::int64_t sampleWords,
                  const gpu::DeviceInfo& device, const std::stop_token& stop, const gpu::Observer& observer,
                  std::vector<gpu::RunRecord>& records) {
    for (const auto& kernel : request.kernels) {
        if (observer.progress) observer.progress(0, kernel->variant().id);
        gpu::RunRecord record = recordOf(*kernel, request, device);
        try {
            chooseTunables(*kernel, request, record);
            kernel->count({problem, request, device}, sampleWords, record, stop);
        } catch (const Error& error) {
            if (error.kind() == Error::Kind::cancelled) return false;
            if (error.kind() == Error::Kind::argument) throw;
            gpu::applyError(record, error);
        }
        records.push_back(std::move(record));
    }
    return true;
}

gpu::Comparison describe(const gpu::Request& request, const gpu::Family& family, const gpu::Problem& problem) {
    gpu::Comparison comparison;
    comparison.inputName = request.inputName;
    comparison.input = request.input;
    comparison.family = family.id();
    for (const gpu::Parameter& p : family.parameters()) {
        comparison.parameters[p.id] = gpu::valueOf(family.parameters(), request.parameters, p.id);
    }
    comparison.facts = problem.facts();
    comparison.work = problem.work();
    comparison.environment = gpu::describeEnvironment();
    comparison.device = gpu::simtDeviceInfo();
    comparison.device.name = "CPU (trace)";
    return comparison;
}

}  // namespace

std::filesystem::path findTrace() { return io::findProgram("warplens-trace", "WARPLENS_TRACE"); }

gpu::Comparison TraceProgram::explain(const gpu::Request& request, std::stop_token stop,
                                      const gpu::Observer& observer) {
    const gpu::Family& family = gpu::familyOf(request.family);
    const auto job = jobOf(request, family, m_sampleWords);
    for (const auto& [id, value] : request.tunables) {
        const bool used = std::ranges::any_of(job.runs, [&id = id](const auto& v) { return v.second.contains(id); }) ||
                          std::ranges::any_of(request.kernels, [&id = id](const auto& kernel) {
                              return std::ranges::find(kernel->variant().tunables, id, &gpu::Tunable::id) !=
                                     kernel->variant().tunables.end();
                          });
        if (!used) throw Error(Error::Kind::argument, "none of the chosen variants has a tunable '" + id + "'");
    }
    const auto problem = family.pose(request.input, request.parameters);
    gpu::Comparison comparison = describe(request, family, *problem);
    std::vector<gpu::RunRecord> yours;
    bool whole = countKernels(request, *problem, m_sampleWords, comparison.device, stop, observer, yours);
    if (whole && !job.runs.empty())
        whole =
            converse(job, m_silence, stop, observer, [&](Conversation&, const std::string& kind, const Json& message) {
                if (kind != "run") return;
                comparison.runs.push_back(gpu::fields::runOf(message.at("run"), family.id()).record);
                if (observer.record) observer.record(comparison.runs.back());
            });
    for (gpu::RunRecord& record : yours) {
        if (observer.record) observer.record(record);
        comparison.runs.push_back(std::move(record));
    }
    comparison.interrupted = !whole;
    return comparison;
}

gpu::WarpTrace TraceProgram::warp(const gpu::Request& request, const gpu::WarpQuery& query, std::stop_token stop) {
    auto job = jobOf(request, gpu::familyOf(request.family), m_sampleWords);
    job.question = protocol::Question::warp;
    job.query = query;
    gpu::WarpTrace warp;
    const bool whole =
        converse(job, m_silence, stop, {}, [&](Conversation&, const std::string& kind, const Json& message) {
            if (kind == "warp") warp = protocol::warpOf(message.at("warp"));
        });
    if (!whole) throw Error(Error::Kind::cancelled, "trace: stopped");
    return warp;
}

gpu::Film TraceProgram::film(const gpu::Request& request, const gpu::FilmQuery& query, std::stop_token stop) const {
    const gpu::Family& family = gpu::familyOf(request.family);
    gpu::Film film;
    if (!request.kernels.empty()) {
        const auto problem = family.pose(request.input, request.parameters);
        const gpu::DeviceInfo device = gpu::simtDeviceInfo();
        const gpu::UserKernel& kernel = *request.kernels.front();
        gpu::RunRecord record = recordOf(kernel, request, device);
        chooseTunables(kernel, request, record);
        kernel.film({*problem, request, device}, record, query, film, stop);
        return film;
    }
    auto job = jobOf(request, family, m_sampleWords);
    job.question = protocol::Question::film;
    job.block = query;
    const bool whole =
        converse(job, m_silence, stop, {}, [&](Conversation&, const std::string& kind, const Json& message) {
            if (kind == "film") film = protocol::filmOf(message.at("film"));
        });
    if (!whole) throw Error(Error::Kind::cancelled, "trace: stopped");
    return film;
}

gpu::LoadMap TraceProgram::loads(const gpu::Request& request, std::stop_token stop, const gpu::Observer& observer) {
    auto job = jobOf(request, gpu::familyOf(request.family), m_sampleWords);
    job.question = protocol::Question::loads;
    gpu::LoadMap map;
    const bool whole = converse(job, m_silence, stop, observer,
                                [&](Conversation& trace, const std::string& kind, const Json& message) {
                                    if (kind != "loads") return;
                                    const auto grid = protocol::emptyGrid(message.at("shape"));
                                    trace.receive({grid->data(), grid->bytes()});
                                    map = {.loads = grid, .launches = message.at("launches").get<std::int64_t>()};
                                });
    if (!whole) throw Error(Error::Kind::cancelled, "trace: stopped");
    return map;
}

}  // namespace warplens
