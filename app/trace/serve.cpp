// SPDX-License-Identifier: Apache-2.0
#include "app/trace/serve.hpp"

#include "app/trace/protocol.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/trace/variant_tracer.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace warplens::trace_program {
namespace {

namespace protocol = trace_protocol;
using protocol::Json;

void receive(std::span<std::byte> buffer) {
    while (!buffer.empty()) {
        const auto got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw std::runtime_error("the request ended early");
        buffer = buffer.subspan(static_cast<std::size_t>(got));
    }
}

void send(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const auto sent = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) throw std::runtime_error("the answer cannot be delivered");
        at += static_cast<std::size_t>(sent);
    }
}

void send(const Json& message) { send(std::string_view(protocol::packed(message))); }

protocol::Job receiveJob() {
    std::array<std::byte, protocol::kLengthBytes> length{};
    receive(length);
    std::string text(protocol::lengthOf(length), '\0');
    receive(std::as_writable_bytes(std::span(text)));
    std::vector<std::shared_ptr<io::Grid>> pictures;
    auto job = protocol::jobOf(Json::parse(text), pictures);
    for (const auto& picture : pictures) receive({picture->data(), picture->bytes()});
    return job;
}

/// Tells of progress ten times a second at most.
class Teller {
public:
    void operator()(double fraction, const std::string& what) {
        const auto now = std::chrono::steady_clock::now();
        if (now < m_next) return;
        m_next = now + std::chrono::milliseconds(100);
        send({{"kind", "progress"}, {"fraction", fraction}, {"what", what}});
    }

private:
    std::chrono::steady_clock::time_point m_next{};
};

void answer() {
    const auto job = receiveJob();
    const auto& family = gpu::familyOf(job.family);
    gpu::trace::VariantTracer tracer(family, job.input, job.parameters);
    gpu::trace::SamplePolicy policy;
    policy.whole = job.sampleWords == 0;
    if (!policy.whole) policy.words = job.sampleWords;
    Teller tell;
    if (job.question != protocol::Question::counters) {
        if (job.runs.size() != 1) throw gpu::Error(gpu::Error::Kind::argument, "trace: one variant at a time");
        const auto& [id, tunables] = job.runs.front();
        const auto& variant = *gpu::parseRunSpec(family, id).variant;
        if (job.question == protocol::Question::warp) {
            send({{"kind", "warp"}, {"warp", protocol::toJson(tracer.warp(variant, tunables, job.query, {}))}});
        } else if (job.question == protocol::Question::film) {
            send({{"kind", "film"}, {"film", protocol::toJson(tracer.film(variant, tunables, job.block, {}))}});
        } else {
            const auto map =
                tracer.loads(variant, tunables, {}, [&, &name = id](double fraction) { tell(fraction, name); });
            send({{"kind", "loads"}, {"shape", protocol::shapeOf(*map.loads)}, {"launches", map.launches}});
            send(std::string_view(reinterpret_cast<const char*>(map.loads->data()), map.loads->bytes()));
        }
        return send({{"kind", "done"}});
    }
    const auto runs = static_cast<double>(job.runs.size());
    for (std::size_t i = 0; i < job.runs.size(); ++i) {
        const auto& [id, tunables] = job.runs[i];
        const auto progress = [&, &name = id](double launch) { tell((static_cast<double>(i) + launch) / runs, name); };
        const gpu::RunSpec run = gpu::parseRunSpec(family, id);
        auto record = tracer.trace(*run.variant, tunables, policy, {}, progress);
        record.chosen = run.chosen;
        send({{"kind", "run"}, {"run", gpu::fields::toJson(gpu::ReportRun{.record = record, .result = {}})}});
    }
    send({{"kind", "done"}});
}

void fail(gpu::Error::Kind kind, const std::string& message) {
    send({{"kind", "failure"}, {"error", static_cast<int>(kind)}, {"message", message}});
}

}  // namespace

int serve() {
    try {
        try {
            answer();
        } catch (const gpu::Error& error) {
            fail(error.kind(), error.what());
        } catch (const std::bad_alloc&) {
            fail(gpu::Error::Kind::outOfMemory,
                 "trace: not enough memory: take a smaller picture or close other programs");
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warplens-trace: %s\n", error.what());
        return 4;
    }
}

}  // namespace warplens::trace_program
