// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/nlmeans/problem.hpp"
#include "gpu/frame/checked_rows.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_session.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/block_limits.hpp"
#include "gpu/kernels/tunables.hpp"

#include <cstddef>
#include <cstdio>
#include <numbers>
#include <utility>

namespace warplens::gpu::nlmeans {

#define WARPLENS_VARIANTS "gpu/families/nlmeans/variants.inc"
#include "gpu/kernels/kernel_table.inc"

namespace {

double fullRangeOf(io::PixelType type) {
    return type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1;
}

std::string squareOf(int radius) {
    const std::string side = std::to_string(2 * radius + 1);
    return side + " x " + side;
}

}  // namespace

NlmeansProblem::NlmeansProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to filter") {
    const Chosen chosen = parameters().read(values);
    const io::Shape& s = m_input->shape();
    m_strength = chosen.strength / 100 * fullRangeOf(m_input->type());
    m_noise = chosen.noise / 100 * fullRangeOf(m_input->type());
    const int channels = channelsWithout(chosen.alpha, s.channels);
    m_case = {.type = m_input->type(),
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .depth = static_cast<int>(s.depth),
              .channels = channels,
              .kept = channels < s.channels,
              .border = chosen.border,
              .patch = chosen.patch,
              .search = chosen.search};
    m_case.falls = static_cast<float>(-std::numbers::log2e / (m_strength * m_strength * terms()));
    m_case.spared = static_cast<float>(2 * m_noise * m_noise * terms());
}

int NlmeansProblem::terms() const { return (2 * m_case.patch + 1) * (2 * m_case.patch + 1) * m_case.channels; }

int NlmeansProblem::taps() const { return (2 * m_case.search + 1) * (2 * m_case.search + 1); }

Work NlmeansProblem::work() const {
    const auto bytes = static_cast<std::int64_t>(m_input->bytes());
    // Of a tap, with sums that neighbours share: one squared difference, added and taken off along both axes, the
    // weight, as many products.
    const double ofTap = 5.0 * m_case.channels + 8;
    return {.traffic = Traffic::copy,
            .bytesRead = bytes,
            .bytesWritten = bytes,
            .operations = ofTap * taps() * static_cast<double>(m_input->shape().pixels())};
}

Traits NlmeansProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_case.type)}, {"colours", m_case.channels == 1 ? "one" : "several"}},
            .sizes = {{"patch", {static_cast<double>(m_case.patch), 4}},
                      {"search", {static_cast<double>(m_case.search), 2}},
                      {"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> NlmeansProblem::facts() const {
    char levels[32];
    std::snprintf(levels, sizeof levels, "h %.4g", m_strength);
    std::vector<std::string> facts{"patches of " + squareOf(m_case.patch) + " in " + squareOf(m_case.search), levels};
    if (m_case.depth > 1) facts.emplace_back("slice by slice");
    if (m_case.kept) facts.emplace_back("alpha copied");
    return facts;
}

std::string NlmeansProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                          const DeviceInfo& device) const {
    const Footprint tile = kernel.footprint(m_case, t);
    const std::size_t bytes = kernel.sharedBytes == nullptr ? 0 : kernel.sharedBytes(m_case, t);
    if (std::string why = refusalOfBlock(tile, bytes, device); !why.empty()) return why;
    if (m_case.depth > kMostBlocksAcross)
        return std::to_string(m_case.depth) + " slices; a grid of blocks has at most 65,535";
    return refusalOfRows(m_case.height, tile.tileHeight);
}

std::unique_ptr<Session> NlmeansProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there once more while they are sorted.
    const int copies = m_input->shape().channels > 1 ? 3 : 2;
    needMemory(device, resident, *m_input, static_cast<std::int64_t>(m_input->bytes()) * copies);
    keepResident(device, m_input, resident);
    return std::make_unique<PictureSession<NlmeansProblem, Arguments>>(*this, device, resident);
}

Verification NlmeansProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    const auto* library = ladder().libraryOf(variant);
    const WeightError own = library == nullptr ? WeightError{} : opencvWeightError(*this);
    Verification made = checkRows(*result.picture, stop, [&](ImageVerifier& judge, std::int64_t y, std::int64_t z) {
        const std::vector<Exact> row = exactRow(*m_input, m_case, m_strength, m_noise, own, y, z);
        for (std::int64_t x = 0; x < m_case.width; ++x) {
            const Exact& exact = row[static_cast<std::size_t>(x)];
            for (int channel = 0; channel < m_case.channels; ++channel) {
                const auto c = static_cast<std::size_t>(channel);
                if (exact.any)
                    judge.computed({x, y, z}, channel, exact.value[c], exact.bound[c]);
                else
                    judge.kept({x, y, z}, channel, exact.value[c]);
            }
            if (m_case.kept) judge.kept({x, y, z}, m_case.channels, m_input->value(x, y, z, m_case.channels));
        }
    });
    if (library != nullptr) made.note = library->note;
    return made;
}

PlainTask NlmeansProblem::plainTask() const {
    PlainTask task = NlmeansFrame::plainTask();
    task.arguments = {{"falls", double{m_case.falls}}, {"spared", double{m_case.spared}}};
    task.plain = valueAtText(m_case.border, "float") +
                 "// A pixel weighs less the more its patch differs; falls and spared hold strength and noise.\n"
                 "__global__ void my_kernel(const pixel_t* in, result_t* out, int width, int height,\n"
                 "                          int patch_radius, int search_radius, float falls, float spared) {\n" +
                 placeText() +
                 "    float sum = 0, total = 0;\n"
                 "    for (int v = -search_radius; v <= search_radius; ++v)\n"
                 "        for (int u = -search_radius; u <= search_radius; ++u) {\n"
                 "            float apart = 0;\n"
                 "            for (int j = -patch_radius; j <= patch_radius; ++j)\n"
                 "                for (int i = -patch_radius; i <= patch_radius; ++i) {\n"
                 "                    const float d = valueAt(in, width, height, x + i, y + j) -\n"
                 "                                    valueAt(in, width, height, x + u + i, y + v + j);\n"
                 "                    apart += d * d;\n"
                 "                }\n"
                 "            const float weight = exp2f(falls * (apart < spared ? 0.0f : apart - spared));\n"
                 "            if (!(weight > 0)) continue;\n"
                 "            total += weight;\n"
                 "            sum += weight * valueAt(in, width, height, x + u, y + v);\n"
                 "        }\n"
                 "    const float mean = total > 0 ? sum / total : in[y * width + x];\n"
                 "    out[y * width + x] = " +
                 storedText(m_case.type, "mean") + ";\n}\n";
    if (m_case.channels > 1) task.refusal = "colours share a weight: take a picture of one channel";
    return task;
}

/// Means of pixels whose surroundings look alike.
const Family& family() {
    static const FamilyOf<NlmeansProblem> instance(
        FamilyInfo{.id = "nlmeans",
                   .title = "Non-local means",
                   .group = "Filter",
                   .task = "Denoise and keep textures",
                   .makesPicture = true,
                   .volumes = true,
                   .swept = "patch-radius",
                   .moved = SliderBenchmark{.from = {{"patch-radius", std::int64_t{1}}},
                                            .words = "patch radius 1 to 5",
                                            .sliders = {{"patch-radius", 8}}}},
        parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::nlmeans
