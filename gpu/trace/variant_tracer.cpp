// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/variant_tracer.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/padded_rows.hpp"
#include "gpu/trace/film_recorder.hpp"
#include "gpu/trace/warp_finder.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

namespace warplens::gpu::trace {

VariantTracer::VariantTracer(const Family& family, std::shared_ptr<const io::Grid> input,
                             const ParameterValues& parameters)
    : m_family(family), m_input(input), m_problem(family.pose(std::move(input), parameters)) {}

VariantTracer::~VariantTracer() = default;

RunRecord VariantTracer::trace(const Variant& variant, const TunableValues& tunables, const SamplePolicy& policy,
                               std::stop_token stop, std::function<void(double)> progress) {
    RunRecord record;
    record.family = m_family.id();
    record.variant = variant.id;
    record.kind = variant.kind;
    record.runsOn = m_device.info().id;
    record.tunables = tunables;
    m_device.setStop(stop);
    try {
        record.tunables = m_problem->resolved(variant, tunables, m_device.info());
        record.reason = refusal(variant, record.tunables);
        if (record.reason.empty()) run(variant, policy, std::move(progress), record);
    } catch (const Error& error) {
        if (error.kind() == Error::Kind::cancelled) throw;
        record.status = error.kind() == Error::Kind::unsupported || error.kind() == Error::Kind::argument
                            ? Status::unsupported
                            : Status::failed;
        record.reason = error.what();
        return record;
    }
    if (!record.counters) record.status = Status::unsupported;
    return record;
}

std::string VariantTracer::refusal(const Variant& variant, const TunableValues& tunables) const {
    if (variant.kind == Variant::Kind::library) return "a library's kernels cannot be traced";
    if (variant.kind == Variant::Kind::portable) return "a portable variant is not CUDA and cannot be traced";
    if (variant.devices == Variant::Devices::cuda) return "runs on an NVIDIA GPU only: it is not traced";
    if (std::string why = m_problem->traceRefusal(); !why.empty()) return why;
    return m_problem->refusal(variant, tunables, m_device.info());
}

TunableValues VariantTracer::prepare(const Variant& variant, const TunableValues& tunables, std::stop_token stop) {
    m_device.setStop(std::move(stop));
    auto resolved = m_problem->resolved(variant, tunables, m_device.info());
    if (const auto reason = refusal(variant, resolved); !reason.empty())
        throw Error(Error::Kind::unsupported, variant.id + ": " + reason);
    if (!m_session) m_session = m_problem->open(m_device, m_resident);
    m_session->prepare(variant, resolved);
    m_session->poisonOutput();
    return resolved;
}

const Buffer& VariantTracer::input() const {
    return m_session->pitch() > 0 && m_resident.pitch > 0 ? m_resident.padded : m_resident.planes;
}

WarpTrace VariantTracer::warp(const Variant& variant, const TunableValues& tunables, const WarpQuery& query,
                              std::stop_token stop) {
    const auto resolved = prepare(variant, tunables, std::move(stop));
    // A pixel of what comes out, whose extents may be others than the input's.
    const auto picture = m_session->picture();
    const io::Shape& shape = picture ? picture->shape : m_input->shape();
    const auto within = [](std::int64_t at, std::int64_t extent) { return at >= 0 && at < extent; };
    if (!within(query.x, shape.width) || !within(query.y, shape.height) || !within(query.z, shape.depth)) {
        throw Error(Error::Kind::argument, "the pixel whose warp was asked for lies outside the picture");
    }
    WarpFinder finder(query, places(variant, resolved, shape));
    m_device.probe([&] { m_session->pass(m_device); }, finder);
    if (finder.found()) return *finder.found();
    throw Error(Error::Kind::unsupported, variant.id + ": no warp has to do with x " + std::to_string(query.x) + " y " +
                                              std::to_string(query.y) +
                                              ": it lies outside the region, or is not read as the picture has it");
}

PicturePlaces VariantTracer::places(const Variant& variant, const TunableValues& resolved,
                                    const io::Shape& shape) const {
    return {
        shape, m_problem->footprint(variant, resolved), {input().handle(), std::max(shape.width, m_session->pitch())}};
}

Film VariantTracer::film(const Variant& variant, const TunableValues& tunables, const FilmQuery& query,
                         std::stop_token stop) {
    const auto resolved = prepare(variant, tunables, std::move(stop));
    FilmRecorder recorder(query, places(variant, resolved, m_input->shape()));
    try {
        m_device.probe([&] { m_session->pass(m_device); }, recorder);
    } catch (const FilmRecorder::Done&) {
        m_session.reset();  // its work was left half-way
    }
    return recorder.take();
}

LoadMap VariantTracer::loads(const Variant& variant, const TunableValues& tunables, std::stop_token stop,
                             std::function<void(double)> progress) {
    prepare(variant, tunables, std::move(stop));
    // Every block, but of an iteration the first step alone: the later ones read the same.
    const SamplePolicy once{.words = std::numeric_limits<std::int64_t>::max(), .whole = false, .launches = 1};
    m_device.trace([&] { m_session->pass(m_device); }, input(), once, std::move(progress));
    const io::Shape& shape = m_input->shape();
    const std::int64_t pitch = std::max(shape.width, m_session->pitch());
    const auto values = shape.values() / shape.width * pitch;
    const auto bytes = static_cast<std::int64_t>(input().bytes());
    std::vector<std::uint32_t> loads;
    if (bytes % values == 0 && bytes / values <= 4)
        loads = m_device.loads(input(), static_cast<std::size_t>(bytes / values));
    // An iteration that begins with a conversion reads a copy.
    if (loads.empty()) loads = m_device.mostLoads(values);
    for (std::size_t row = 0, i = 0; pitch > shape.width && i < loads.size();
         ++row, i += static_cast<std::size_t>(pitch))
        std::copy_n(&loads[i], shape.width, &loads[row * static_cast<std::size_t>(shape.width)]);
    if (loads.empty())
        throw Error(
            Error::Kind::unsupported,
            variant.id + ": what it reads are not the picture's own values, but a region or the luminance of it");
    auto map = std::make_shared<io::Grid>(io::Shape{shape.width, shape.height, shape.depth, 1}, io::PixelType::f32);
    const auto pixels = static_cast<std::size_t>(shape.pixels());
    auto* means = map->as<float>();
    std::vector<std::size_t> read;  // channels; alpha is not, for one
    for (std::size_t c = 0; c < static_cast<std::size_t>(shape.channels); ++c) {
        const auto plane = std::span(loads).subspan(c * pixels, pixels);
        if (std::any_of(plane.begin(), plane.end(), [](std::uint32_t n) { return n > 0; })) read.push_back(c);
    }
    for (std::size_t i = 0; i < pixels; ++i) {
        std::uint64_t sum = 0;
        for (const std::size_t c : read) sum += loads[c * pixels + i];
        means[i] = static_cast<float>(static_cast<double>(sum) / static_cast<double>(read.size()));
    }
    return {.loads = std::move(map), .launches = once.launches};
}

void VariantTracer::run(const Variant& variant, const SamplePolicy& policy, std::function<void(double)> progress,
                        RunRecord& record) {
    if (!m_session) m_session = m_problem->open(m_device, m_resident);
    m_session->prepare(variant, record.tunables);
    m_session->poisonOutput();
    m_device.takeLaunchFacts();
    SamplePolicy sample = policy;
    sample.whole = policy.whole || m_family.info().dependent;
    record.counters = m_device.trace([&] { m_session->pass(m_device); }, input(), sample, std::move(progress));
    record.launch = m_device.takeLaunchFacts();
    if (const auto pitch = m_session->pitch(); pitch > 0) record.reason = paddedRows(m_input->shape().width, pitch);
    judge(record);
}

}  // namespace warplens::gpu::trace
