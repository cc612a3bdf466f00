// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/step_fusion.hpp"
#include "gpu/families/stencil/openacc.hpp"
#include "gpu/families/stencil/opencl.hpp"
#include "gpu/families/stencil/parameters.hpp"
#include "gpu/families/stencil/playback.hpp"
#include "gpu/families/stencil/slab_session.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/host_planes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gpu::stencil {
namespace {

// Residuals cost a wait for the device; with a tolerance there must be some.
constexpr std::int64_t kResidualEvery = 10;

int checkedExtent(std::int64_t n, const char* axis) {
    if (n <= std::numeric_limits<int>::max() / 2) return static_cast<int>(n);
    throw Error(Error::Kind::unsupported, std::string("stencil: ") + axis + " of " + std::to_string(n) +
                                              " cells is too large: take a part of it");
}

}  // namespace

StencilProblem::StencilProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to iterate on") {
    const Chosen chosen = parameters().read(values);
    const auto& s = m_input->shape();
    auto described = makeOperator(values, checkedExtent(s.width, "a width"), checkedExtent(s.height, "a height"),
                                  checkedExtent(s.depth * s.channels, "a depth") / s.channels);
    m_op = std::move(described.op);
    m_facts = std::move(described.facts);
    m_schedule = {chosen.iterations, chosen.residualEvery, chosen.tolerance};
    if (m_schedule.tolerance > 0 && m_schedule.residualEvery == 0) m_schedule.residualEvery = kResidualEvery;
    if (chosen.outputType == Chosen::OutputType::same) m_outputType = m_input->type();
    m_channels = channelsWithout(chosen.alpha, s.channels);
    m_verifier = std::make_unique<Verifier>(m_input, m_op, m_channels);
}

// A step reads every cell once and writes every cell once, and so the bandwidth is that of single sweeps: a variant
// that fuses steps moves less than that and may exceed the limit.
Work StencilProblem::work() const {
    const auto cells = static_cast<double>(extent().cells()) * m_channels * static_cast<double>(m_schedule.iterations);
    const auto bytes = static_cast<std::int64_t>(cells * sizeof(float));
    return {.traffic = Traffic::copy,
            .bytesRead = bytes,
            .bytesWritten = bytes,
            .operations = cells * (2.0 * m_op.taps() - 1),
            .pass = m_schedule.iterations > 0 ? 2 * bytes / m_schedule.iterations : 0};
}

Traits StencilProblem::traits() const {
    static const char* const kPatterns[] = {"line", "cross", "star", "box"};
    // Steps between two looks at the changes are taken one pass, or several, at a time.
    const auto steps = m_schedule.residualEvery > 0 ? std::min(m_schedule.residualEvery, m_schedule.iterations)
                                                    : m_schedule.iterations;
    const auto cells = static_cast<double>(extent().cells()) * m_channels;
    return {.kinds = {{"pattern", kPatterns[static_cast<int>(m_op.pattern)]}},
            .sizes = {{"steps", {static_cast<double>(steps), 2}}, {"cells", {cells, 0.5}}}};
}

std::vector<std::string> StencilProblem::facts() const {
    auto facts = m_facts;
    facts.push_back(std::to_string(m_schedule.iterations) + (m_schedule.iterations == 1 ? " step" : " steps") +
                    ", computed in f32");
    if (m_schedule.residualEvery > 0) {
        facts.push_back("the largest change is found every " + std::to_string(m_schedule.residualEvery) +
                        " steps, within the time");
    }
    facts.push_back(std::string("result ") + io::nameOf(m_outputType));
    if (m_channels < m_input->shape().channels) facts.emplace_back("alpha copied");
    return facts;
}

std::string StencilProblem::refusal(const Variant& variant, const TunableValues& t, const DeviceInfo& device) const {
    if (variant.devices == Variant::Devices::opencl) return openClRefusal(*this, variant, t);
    if (variant.devices == Variant::Devices::openacc) {
        const bool everyDimension = std::ranges::count(variant.dimensions, dimensionsOf(m_op.pattern)) > 0;
        return everyDimension ? openAccRefusal()
                              : "is for stencils of one dimension: choose blur, or give three coefficients";
    }
    return PictureProblem::refusal(variant, t, device);
}

std::string StencilProblem::kernelRefusal(const KernelEntry& entry, const TunableValues& t,
                                          const DeviceInfo& device) const {
    const Pattern pattern = m_op.pattern;
    if (entry.refusal != nullptr) {
        if (const char* why = entry.refusal(t, pattern)) return why;
    }
    const auto [w, h, d] = entry.block(t, pattern);
    const auto threads = std::int64_t{w} * h * d;
    if (threads > device.maxThreadsPerBlock) {
        return std::to_string(w) + " x " + std::to_string(h) + " x " + std::to_string(d) + " = " +
               std::to_string(threads) + " threads per block; the device allows " +
               std::to_string(device.maxThreadsPerBlock);
    }
    if (entry.sharedBytes != nullptr) {
        const auto bytes = static_cast<std::int64_t>(entry.sharedBytes(t, pattern));
        if (bytes > device.sharedBytesPerBlock) {
            return "the tile needs " + std::to_string(bytes) + " bytes of shared memory per block; the device allows " +
                   std::to_string(device.sharedBytesPerBlock);
        }
    }
    constexpr std::int64_t kMostLayers = 65535;
    const auto tile = entry.footprint(t, pattern);
    const auto& s = m_input->shape();
    if ((s.height + tile.tileHeight - 1) / tile.tileHeight > kMostLayers) {
        return "a picture " + std::to_string(s.height) + " rows high needs more than 65,535 blocks of " +
               std::to_string(tile.tileHeight) + " rows: choose a higher block";
    }
    if (s.depth * m_channels > kMostLayers)
        return std::to_string(s.depth * m_channels) + " slices in all; a grid of blocks has at most 65,535";
    return {};
}

std::unique_ptr<Session> StencilProblem::openOver(const std::vector<Device*>& devices, Resident& resident,
                                                  HaloExchangeMode way) const {
    return openSlabSession(*this, devices, resident, way);
}

TunableValues StencilProblem::whenShared(const Variant& variant) const {
    if (variant.kind != Variant::Kind::kernel || reachZ(m_op.pattern) == 0) return {};
    const int planes = ladder().anyBuildOf(variant).planesWhenShared;
    return planes > 0 ? TunableValues{{"planes_per_block", planes}} : TunableValues{};
}

Verification StencilProblem::verify(const Result& computed, const Variant& variant, std::stop_token stop) const {
    const auto steps = evolutionOf(computed.tables)->iterations;
    const Library* const library = rows().libraryOf(variant);
    auto result =
        m_verifier->verify(*computed.picture, steps, std::move(stop), library != nullptr ? library->bound : 1);
    if (library != nullptr && result.note.empty()) result.note = library->note;
    return result;
}

std::unique_ptr<PortableSession> StencilProblem::openPortable(const Variant& variant, const TunableValues& t) const {
    return variant.devices == Variant::Devices::opencl ? openClSession(*this, variant, t)
                                                       : openAccSession(*this, variant);
}

PlainTask StencilProblem::plainTask() const {
    PlainTask task = plainTaskOf(m_input, m_input->shape(), io::PixelType::f32);
    task.planes = static_cast<int>(m_input->shape().depth) * m_channels;
    task.arguments = {{"weights", std::vector<float>(m_op.weights.begin(), m_op.weights.begin() + m_op.taps())}};
    task.plain =
        std::string(
            "// One step of the stencil. The outermost values stay as they are; weights belong to\n"
            "// the value itself, then to those at its left, at its right") +
        (reachY(m_op.pattern) > 0 ? ", above and below.\n" : ".\n") +
        "__global__ void my_kernel(const pixel_t* in, result_t* out, int width, int height,\n"
        "                          const float* weights) {\n" +
        placeText() + "    const int i = y * width + x;\n" +
        (reachY(m_op.pattern) > 0 ? "    if (x == 0 || x == width - 1 || y == 0 || y == height - 1) {\n"
                                  : "    if (x == 0 || x == width - 1) {\n") +
        "        out[i] = in[i];\n"
        "        return;\n"
        "    }\n"
        "    out[i] = weights[0] * in[i] + weights[1] * in[i - 1] + weights[2] * in[i + 1]" +
        (reachY(m_op.pattern) > 0 ? " +\n             weights[3] * in[i - width] + weights[4] * in[i + width];\n}\n"
                                  : ";\n}\n");
    if (m_schedule.iterations != 1) task.refusal = "a launch is one step: set Iterations to 1";
    if (!m_op.regions.empty()) task.refusal = "cells are held at a value: leave the regions out";
    if (reachZ(m_op.pattern) > 0) task.refusal = "a step reaches across slices: take 2 dimensions";
    return task;
}

Result StencilProblem::resultOfPlanes(const std::vector<std::byte>& planes) const {
    io::Grid field(m_input->shape(), io::PixelType::f32);
    fillFromPlanes(planes, m_channels, field);
    if (m_channels < m_input->shape().channels) copyChannels(*m_input, m_channels, field);
    return {.picture = finish(std::move(field)),
            .tables = tablesOf({.iterations = 1, .stopped = "iterations", .residuals = {}})};
}

Extent StencilProblem::extent() const {
    const auto& s = m_input->shape();
    return {static_cast<int>(s.width), static_cast<int>(s.height), static_cast<int>(s.depth), s.channels, m_channels};
}

std::shared_ptr<const io::Grid> StencilProblem::finish(io::Grid field) const {
    io::Grid output;
    if (m_outputType == io::PixelType::f32) {
        output = std::move(field);
    } else {
        output = io::Grid(field.shape(), m_outputType);
        const auto values = static_cast<std::size_t>(field.shape().values());
        const float* from = field.as<float>();
        const auto store = [&]<class T>(T* to, float top) {
            // NaN becomes 0: the comparison is false.
            for (std::size_t i = 0; i < values; ++i)
                to[i] = static_cast<T>(from[i] > 0 ? std::nearbyint(std::min(from[i], top)) : 0.0F);
        };
        if (m_outputType == io::PixelType::u8)
            store(output.as<std::uint8_t>(), 255.0F);
        else
            store(output.as<std::uint16_t>(), 65535.0F);
    }
    output.geometry = m_input->geometry;
    output.metadata = m_input->metadata;
    output.metadata.notes.clear();
    // i16 data stays i16 only while it is computed as f32 and means the same.
    if (m_outputType != m_input->type()) output.metadata.sourceType.clear();
    return std::make_shared<io::Grid>(std::move(output));
}

namespace {

std::vector<std::vector<NameList::Value>> namedStencils() {
    std::vector<std::vector<NameList::Value>> rows;
    for (const Parameter& parameter : parameters().list()) {
        if (parameter.id != "stencil") continue;
        for (const std::string& name : parameter.choices) rows.push_back({name});
    }
    return rows;
}

class StencilFamily final : public FamilyOf<StencilProblem>, public StepFusion {
public:
    using FamilyOf::FamilyOf;
    /// As many steps as both take, where nothing looks at the field, and nothing rounds it, between them.
    std::optional<FusedStep> fused(const io::Grid& input, const ParameterValues& first,
                                   const ParameterValues& second) const override {
        const auto& list = parameters();
        const Chosen one = stencil::parameters().read(first);
        const auto steps = one.iterations + stencil::parameters().read(second).iterations;
        const auto most = std::ranges::find(list, std::string("iterations"), &Parameter::id)->maximum;
        for (const Parameter& p : list)
            if (p.id != "iterations" && valueOf(list, first, p.id) != valueOf(list, second, p.id)) return std::nullopt;
        const bool looks = one.residualEvery > 0 || one.tolerance > 0;
        const bool rounds = input.type() != io::PixelType::f32 && one.outputType != Chosen::OutputType::f32;
        if (looks || rounds || static_cast<double>(steps) > most) return std::nullopt;
        FusedStep both{.parameters = second, .words = std::to_string(steps) + " steps", .sameVariant = true};
        both.parameters["iterations"] = steps;
        return both;
    }
    const StepFusion* fuses() const override { return this; }
    std::vector<NameList> lists() const override {
        return {{.id = "stencils", .columns = {{"Stencil", {"id"}}}, .rows = &namedStencils}};
    }
    std::unique_ptr<gpu::Playback> makePlayback(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
                                                const std::vector<std::string>& variants, const std::string& device,
                                                std::int64_t memoryCap) const override {
        return std::make_unique<Playback>(std::move(input), values, variants, TunableValues{}, device, memoryCap);
    }
};

}  // namespace

const Family& family() {
    static const StencilFamily instance(
        FamilyInfo{
            .id = "stencil",
            .title = "Stencil",
            .group = "Iterate",
            .task = "Spread heat, smooth step by step",
            .makesPicture = true,
            .volumes = true,
            .iterates = true,
        },
        stencil::parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::stencil
