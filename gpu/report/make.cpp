// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/report.hpp"
#include "gpu/run/user_kernel.hpp"
#include "io/printable.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace warplens::gpu {

namespace {

/// FNV-1a taking a word at a time: eight times as fast as by bytes, which a picture of 256 MiB needs. The fold brings
/// high bits down again; without it two changes of a word's top bit would cancel.
class Hash {
public:
    void word(std::uint64_t value) {
        m_state = (m_state ^ value) * 0x100000001b3ULL;
        m_state ^= m_state >> 32;
    }
    void bytes(const std::byte* data, std::size_t count) {
        std::uint64_t value = 0;
        for (; count >= sizeof value; count -= sizeof value, data += sizeof value) {
            std::memcpy(&value, data, sizeof value);
            word(value);
        }
        if (count > 0) {
            value = 0;
            std::memcpy(&value, data, count);
            word(value);
        }
    }
    std::uint64_t state() const { return m_state; }

private:
    std::uint64_t m_state = 0xcbf29ce484222325ULL;
};

template <class T>
std::vector<ChannelFacts> summariseAs(const io::Grid& grid) {
    const int channels = grid.shape().channels;
    std::vector<ChannelFacts> facts(static_cast<std::size_t>(channels));
    const T* values = grid.as<T>();
    const auto total = static_cast<std::size_t>(grid.shape().values());
    for (std::size_t c = 0; c < facts.size(); ++c) {
        double low = 0, high = 0, sum = 0;
        std::int64_t finite = 0, other = 0;
        for (std::size_t i = c; i < total; i += facts.size()) {
            const auto value = static_cast<double>(values[i]);
            if (!std::isfinite(value)) {
                ++other;
                continue;
            }
            low = finite == 0 ? value : std::min(low, value);
            high = finite == 0 ? value : std::max(high, value);
            sum += value;
            ++finite;
        }
        facts[c].nonfinite = other;
        if (finite == 0) continue;
        facts[c].minimum = low;
        facts[c].maximum = high;
        facts[c].mean = sum / static_cast<double>(finite);
    }
    return facts;
}

InputFacts describe(const Comparison& comparison) {
    InputFacts facts;
    facts.name = io::printable(comparison.inputName);
    if (!comparison.input) return facts;
    const io::Grid& grid = *comparison.input;
    facts.shape = grid.shape();
    facts.type = io::nameOf(grid.type());
    facts.sourceType = grid.sourceType();
    facts.format = grid.metadata.format;
    facts.bytes = static_cast<std::int64_t>(grid.bytes());
    facts.hash = contentHash(grid);
    for (const std::string& note : grid.metadata.notes) facts.notes.push_back(io::printable(note));
    return facts;
}

/// A text as a document can hold it: what names a file need not be UTF-8.
std::string written(const std::string& text) { return io::isUtf8(text) ? text : io::printable(text); }

ParameterValues written(ParameterValues values) {
    for (auto& [id, value] : values) {
        if (auto* text = std::get_if<std::string>(&value)) {
            *text = written(*text);
        } else if (auto* picture = std::get_if<std::shared_ptr<const NamedGrid>>(&value);
                   picture != nullptr && *picture != nullptr) {
            *picture = std::make_shared<const NamedGrid>(NamedGrid{io::printable((*picture)->name), (*picture)->grid});
        }
    }
    return values;
}

}  // namespace

std::string contentHash(const io::Grid& grid) {
    Hash hash;
    const io::Shape& shape = grid.shape();
    hash.word(static_cast<std::uint64_t>(grid.type()));
    for (const std::int64_t extent : {shape.width, shape.height, shape.depth, std::int64_t{shape.channels}}) {
        hash.word(static_cast<std::uint64_t>(extent));
    }
    hash.bytes(grid.data(), grid.bytes());
    return fmt::format("fnv1a64w:{:016x}", hash.state());
}

std::vector<ChannelFacts> summarise(const io::Grid& grid) {
    if (grid.empty()) return {};
    return io::withType(grid.type(), [&]<class T>(T) { return summariseAs<T>(grid); });
}

ReportRun reduce(const RunRecord& record) {
    ReportRun run{record, {}};
    if (record.result.picture) run.result = summarise(*record.result.picture);
    run.record.result.picture.reset();
    run.record.footprint.reset();
    run.record.reason = written(record.reason);
    // A result that is not right has no speed, whoever made the record.
    if (record.status != Status::ok) {
        run.record.time.reset();
        run.record.bandwidthGbs.reset();
        run.record.percentOfLimit.reset();
    }
    return run;
}

void keepSources(Report& report, const Request& request) {
    for (ReportRun& run : report.runs) {
        const auto same = [&](const auto& kernel) { return kernel->variant().id == run.record.variant; };
        const auto kernel = std::ranges::find_if(request.kernels, same);
        if (run.record.yours && kernel != request.kernels.end()) run.source = (*kernel)->source();
    }
}

Report makeReport(const Comparison& comparison) {
    std::vector<ReportRun> runs;
    for (const RunRecord& record : comparison.runs) runs.push_back(reduce(record));
    return makeReport(comparison, std::move(runs));
}

Report makeReport(const Comparison& comparison, std::vector<ReportRun> runs) {
    Report report;
    report.version = comparison.environment.version.empty() ? WARPLENS_VERSION : comparison.environment.version;
    report.environment = comparison.environment;
    report.input = describe(comparison);
    report.family = comparison.family;
    report.parameters = written(comparison.parameters);
    for (const std::string& fact : comparison.facts) report.facts.push_back(written(fact));
    report.device = comparison.device;
    report.limits = comparison.limits;
    report.work = comparison.work;
    report.plan = comparison.plan;
    report.interrupted = comparison.interrupted;
    report.runs = std::move(runs);
    return report;
}

}  // namespace warplens::gpu
