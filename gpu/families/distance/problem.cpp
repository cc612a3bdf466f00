// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/distance/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/separating_level.hpp"
#include "gpu/families/distance/parameters.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace warplens::gpu::distance {
namespace {

Case caseOf(const io::Grid& input, const Chosen& chosen, double level) {
    const io::Shape& s = input.shape();
    Case c{.type = input.type(),
           .width = static_cast<int>(s.width),
           .height = static_cast<int>(s.height),
           .depth = static_cast<int>(s.depth),
           .channels = s.channels,
           .level = level,
           .squared = chosen.squared,
           .millimetres = chosen.spacing == Chosen::Spacing::millimetres};
    if (c.millimetres) std::copy_n(input.geometry.spacing.begin(), 3, c.spacing);
    return c;
}

std::string text(const io::Shape& s) {
    return std::to_string(s.width) + " x " + std::to_string(s.height) +
           (s.depth > 1 ? " x " + std::to_string(s.depth) : "");
}

/// Throws when distances would not fit what they are kept in.
void check(const io::Shape& s, bool millimetres, const std::array<double, 3>& spacing) {
    const auto refuse = [](const std::string& why) { return Error(Error::Kind::unsupported, why); };
    if (std::max({s.width, s.height, s.depth}) > kMaxExtent)
        throw refuse(text(s) + ": distances are kept in 16 bits an axis: take a part of at most 65,535 to a side");
    double diagonal = 0;
    const std::int64_t extents[] = {s.width, s.height, s.depth};
    for (std::size_t i = 0; i < 3; ++i) {
        const double steps = static_cast<double>(extents[i] - 1);
        if (millimetres && !(std::isfinite(spacing[i]) && spacing[i] > 0))
            throw refuse("the spacing of the file is not a positive number: measure in pixels");
        diagonal += std::pow(steps * (millimetres ? spacing[i] : 1), 2);
    }
    if (!millimetres && diagonal >= kNoSquare)
        throw refuse(text(s) + ": a squared distance may not fit 31 bits: take a part, or spacing mm");
    constexpr double kLeast = 1e-30, kMost = 1e37;
    if (millimetres && (diagonal > kMost || std::pow(*std::min_element(spacing.begin(), spacing.end()), 2) < kLeast))
        throw refuse("squares of this spacing leave the range of f32: measure in pixels");
}

}  // namespace

DistanceProblem::DistanceProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to measure distances in") {
    const Chosen chosen = parameters().read(values);
    check(m_input->shape(), chosen.spacing == Chosen::Spacing::millimetres, m_input->geometry.spacing);
    const Level level = levelOf(chosen.level, *m_input);
    m_levelFact = level.fact;
    m_case = caseOf(*m_input, chosen, level.value);
    m_verifier = std::make_unique<Verifier>(m_input, m_case);
}

Work DistanceProblem::work() const {
    return {.bytesRead = static_cast<std::int64_t>(m_input->bytes()), .bytesWritten = 4 * m_case.values()};
}

Traits DistanceProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"dimensions", m_case.depth > 1 ? "3" : "2"},
                      {"spacing", m_case.millimetres ? "mm" : "pixels"}},
            .sizes = {{"values", {static_cast<double>(m_case.values()), 0.5}}}};
}

std::vector<std::string> DistanceProblem::facts() const {
    std::vector<std::string> facts;
    if (!m_levelFact.empty()) facts.push_back(m_levelFact);
    if (!m_case.millimetres) {
        facts.emplace_back(m_case.squared ? "squared distances in u32" : "distances in pixels, exact");
        return facts;
    }
    char text[96];
    std::snprintf(text, sizeof text, "steps of %.6g x %.6g x %.6g mm", m_case.spacing[0], m_case.spacing[1],
                  m_case.spacing[2]);
    facts.emplace_back(text);
    return facts;
}

TunableValues DistanceProblem::resolved(const Variant& variant, const TunableValues& chosen,
                                        const DeviceInfo& /*device*/) const {
    TunableValues values = resolve(variant, chosen);
    const bool byRows = variant.kind == Variant::Kind::kernel && ladder().anyBuildOf(variant).sharedBytes != nullptr;
    // A short row has few stretches for a warp to take; of long ones few blocks fit a multiprocessor at a time.
    constexpr int kShortRow = 1024, kFewThreads = 128, kLongRow = 12288, kManyThreads = 512;
    if (byRows && !chosen.contains("block_width")) {
        if (m_case.width <= kShortRow) values["block_width"] = kFewThreads;
        if (m_case.width > kLongRow) values["block_width"] = kManyThreads;
    }
    return values;
}

std::string DistanceProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                           const DeviceInfo& device) const {
    if (kernel.refusal != nullptr) {
        if (std::string why = kernel.refusal(m_case, device); !why.empty()) return why;
    }
    const Footprint tile = kernel.footprint(m_case, t);
    const auto threads = std::int64_t{tile.blockWidth} * tile.blockHeight;
    if (threads > device.maxThreadsPerBlock)
        return std::to_string(tile.blockWidth) + " x " + std::to_string(tile.blockHeight) + " = " +
               std::to_string(threads) + " threads per block; the device allows " +
               std::to_string(device.maxThreadsPerBlock);
    const auto bytes = static_cast<std::int64_t>(kernel.sharedBytes == nullptr ? 0 : kernel.sharedBytes(m_case));
    if (bytes > device.sharedBytesPerBlock)
        return "a block needs " + std::to_string(bytes) + " bytes of shared memory; the device allows " +
               std::to_string(device.sharedBytesPerBlock) + ": separable takes lines of any length";
    return {};
}

double DistanceProblem::boundFactor(const Variant& variant) const {
    const bool kernel = variant.kind == Variant::Kind::kernel;
    return kernel && ladder().anyBuildOf(variant).approximate ? (floodingFactor(m_case.depth) - 1) * 0x1p24 : 1;
}

Verification DistanceProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    if (const Library* library = rows().libraryOf(variant)) {
        Verification made = m_verifier->verify(*result.picture, library->bound, stop);
        made.note = library->note;
        return made;
    }
    if (ladder().anyBuildOf(variant).approximate) return m_verifier->verifyApproximate(*result.picture, stop);
    return m_verifier->verify(*result.picture, 0, stop);
}

PlainTask DistanceProblem::plainTask() const {
    PlainTask task = DistanceFrame::plainTask();
    const bool squared = m_case.squared;
    task.arguments = {{"level", m_case.level},
                      {"none", squared ? double{kNoneSquared} : std::numeric_limits<double>::infinity()}};
    task.plain =
        "// Squares about the pixel, from the smallest on, until none can hold a nearer site; none is\n"
        "// what stands where there is no site.\n"
        "__global__ void my_kernel(const pixel_t* in, result_t* out, int width, int height, double level,\n"
        "                          result_t none) {\n" +
        placeText() +
        "    long long nearest = 1LL << 40;\n"
        "    for (long long r = 0; r < max(width, height) && r * r < nearest; ++r)\n"
        "        for (int j = -r; j <= r; ++j) {\n"
        "            // Of the rows between the first and the last both ends alone.\n"
        "            const int apart = j == -r || j == r ? 1 : 2 * r;\n"
        "            for (int i = -r; i <= r; i += apart) {\n"
        "                const int u = x + i, v = y + j;\n"
        "                if (u < 0 || u >= width || v < 0 || v >= height) continue;\n"
        "                const long long square = i * i + j * j;\n"
        "                if (in[v * width + u] <= level && square < nearest) nearest = square;\n"
        "            }\n"
        "        }\n"
        "    const bool found = nearest < 1LL << 40;\n"
        "    out[y * width + x] = found ? " +
        std::string(squared ? "nearest" : "sqrtf(nearest)") + " : none;\n}\n";
    if (m_case.millimetres) task.refusal = "distances are in mm: take spacing pixels";
    if (m_case.depth > 1) task.refusal = "the nearest site may lie in another slice: take a picture of one";
    return task;
}

std::shared_ptr<io::Grid> DistanceProblem::emptyOutput() const {
    auto output = PictureProblem::emptyOutput();
    output->metadata.sourceType.clear();
    return output;
}

/// How far each pixel is from the nearest one at or below a level.
const Family& family() {
    static const FamilyOf<DistanceProblem> instance(
        FamilyInfo{
            .id = "distance",
            .title = "Distance",
            .group = "Regions",
            .task = "Measure how far everything is from a region",
            .makesPicture = true,
            .volumes = true,
            .valuesMatter = true,
            .regions = Regions::distances,
        },
        distance::parameters().list(), ladder().variants(),
        [](const ParameterValues& values) -> std::optional<ResultValues> {
            const Chosen chosen = distance::parameters().read(values);
            const std::string unit = chosen.spacing == Chosen::Spacing::millimetres ? "mm" : "px";
            return ResultValues{chosen.squared ? "squared distance, " + unit + "²" : "distance, " + unit,
                                ResultValues::Kind::fromZero};
        });
    return instance;
}

}  // namespace warplens::gpu::distance
