// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/rank/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/block_limits.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu::rank {

RankProblem::RankProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to filter"), m_values(values) {
    const Chosen chosen = parameters().read(values);
    const io::Shape& s = m_input->shape();
    const Window window{.radius = chosen.radius,
                        .cross = chosen.shape == Chosen::Shape::cross,
                        .volume = chosen.dimensions == Dimensions::three};
    if (window.volume && window.radius > kMaxVolumeRadius)
        throw Error(Error::Kind::argument,
                    "radius " + std::to_string(window.radius) + ": with 3 dimensions a radius of 1 or 2 is possible");
    m_channels = channelsWithout(chosen.alpha, s.channels);
    m_case = {.type = m_input->type(),
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .depth = static_cast<int>(s.depth),
              .layers = static_cast<int>(s.depth * m_channels),
              .window = window,
              .border = chosen.border};
    const int largest = window.values() - 1;
    using Task = Chosen::Task;
    using Subtracts = Case::Subtracts;
    const bool closes = chosen.task == Task::close || chosen.task == Task::blackHat;
    m_case.index = chosen.task == Task::rank ? indexOf(chosen.percentile, window.values()) : closes ? largest : 0;
    if (chosen.task != Task::rank) m_case.then = largest - m_case.index;
    m_case.subtracts = chosen.task == Task::topHat     ? Subtracts::result
                       : chosen.task == Task::blackHat ? Subtracts::picture
                       : chosen.task == Task::gradient ? Subtracts::first
                                                       : Subtracts::nothing;
    m_verifier = std::make_unique<Verifier>(m_input, m_case, m_channels);
}

Work RankProblem::work() const {
    const std::int64_t bytes =
        m_input->shape().pixels() * m_channels * static_cast<std::int64_t>(io::sizeOf(m_input->type()));
    return {.bytesRead = bytes, .bytesWritten = bytes};
}

PlainTask RankProblem::plainTask() const {
    PlainTask task = RankFrame::plainTask();
    task.planes = m_case.layers;
    task.arguments = {{"index", std::int64_t{m_case.index}}, {"values", std::int64_t{m_case.window.values()}}};
    if (!m_case.window.cross)
        task.plain = valueAtText(m_case.border, "pixel_t") +
                     "// A value is the one looked for when no more than index others are smaller.\n"
                     "__global__ void my_kernel(const pixel_t* in, result_t* out, int width,\n"
                     "                          int height, int radius, int index) {\n" +
                     placeText() +
                     "    for (int j = -radius; j <= radius; ++j)\n"
                     "        for (int i = -radius; i <= radius; ++i) {\n"
                     "            const pixel_t value = valueAt(in, width, height, x + i, y + j);\n"
                     "            int smaller = 0, equal = 0;\n"
                     "            for (int v = -radius; v <= radius; ++v)\n"
                     "                for (int u = -radius; u <= radius; ++u) {\n"
                     "                    const pixel_t other = valueAt(in, width, height, x + u, y + v);\n"
                     "                    smaller += other < value;\n"
                     "                    equal += other == value;\n"
                     "                }\n"
                     "            if (smaller <= index && index < smaller + equal)\n"
                     "                out[y * width + x] = value;\n"
                     "        }\n}\n";
    if (m_case.window.volume) task.refusal = "its windows reach across slices: take 2 dimensions";
    if (m_case.then >= 0) task.refusal = "it takes two passes or more: take the task rank";
    return task;
}

Traits RankProblem::traits() const {
    const Window& window = m_case.window;
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"dimensions", window.volume ? "3" : "2"},
                      {"shape", window.cross ? "cross" : "square"},
                      {"percentile", m_case.median()    ? "median"
                                     : m_case.extreme() ? "extreme"
                                                        : "other"}},
            // Where one variant overtakes another is a matter of the radius first.
            .sizes = {{"window", {static_cast<double>(window.side()), 8}},
                      {"values", {static_cast<double>(m_input->shape().pixels() * m_channels), 0.5}}}};
}

std::vector<std::string> RankProblem::facts() const {
    const Window& window = m_case.window;
    const std::string side = std::to_string(window.side());
    std::vector<std::string> facts;
    facts.push_back((window.cross ? "cross of " : "") + side + " x " + side + (window.volume ? " x " + side : ""));
    if (m_case.subtracts == Case::Subtracts::first)
        facts.emplace_back("largest values minus smallest");
    else if (m_case.then >= 0)
        facts.emplace_back(m_case.index == 0 ? "smallest values, then their largest"
                                             : "largest values, then their smallest");
    else
        facts.push_back("value " + std::to_string(m_case.index + 1) + " of " + std::to_string(window.values()));
    if (m_case.subtracts == Case::Subtracts::result) facts.emplace_back("the picture minus that");
    if (m_case.subtracts == Case::Subtracts::picture) facts.emplace_back("that minus the picture");
    if (m_channels < m_input->shape().channels) facts.emplace_back("alpha copied");
    return facts;
}

TunableValues RankProblem::resolved(const Variant& variant, const TunableValues& chosen,
                                    const DeviceInfo& /*device*/) const {
    // Enough blocks for every multiprocessor of a large GPU; fewer rows would be mostly the first window of each.
    constexpr int kLeastRows = 16, kFewestBlocks = 1024;
    TunableValues values = resolve(variant, chosen);
    const auto rows = values.find("rows_per_thread");
    if (rows == values.end() || chosen.contains("rows_per_thread")) return values;
    const auto blocks = [&] {
        const auto tile = footprint(variant, values);
        const io::Shape& s = m_input->shape();
        return (s.width + tile.tileWidth - 1) / tile.tileWidth * ((s.height + tile.tileHeight - 1) / tile.tileHeight) *
               m_case.layers;
    };
    while (rows->second / 2 >= std::max(kLeastRows, m_case.window.side()) && blocks() < kFewestBlocks)
        rows->second /= 2;
    return values;
}

std::string RankProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                       const DeviceInfo& device) const {
    if (kernel.refusal != nullptr) {
        if (std::string why = kernel.refusal(m_case); !why.empty()) return why;
    }
    const Footprint tile = kernel.footprint(m_case, t);
    const auto threads = std::int64_t{tile.blockWidth} * tile.blockHeight;
    if (kernel.mostThreads != nullptr && threads > kernel.mostThreads(m_case))
        return std::to_string(threads) + " threads per block exceed the registers with this window: at most " +
               std::to_string(kernel.mostThreads(m_case));
    const std::size_t bytes = kernel.sharedBytes == nullptr ? 0 : kernel.sharedBytes(m_case, t);
    if (std::string why = refusalOfBlock(tile, bytes, device); !why.empty()) return why;
    return kernel.cutsRows ? "" : refusalOfRows(m_input->shape().height, tile.tileHeight);
}

std::int64_t RankProblem::halo() const {
    if (m_case.depth > 1 && !m_case.window.volume) return 0;
    return std::int64_t{m_case.window.radius} *
           (m_case.then >= 0 && m_case.subtracts != Case::Subtracts::first ? 2 : 1);
}

std::unique_ptr<Problem> RankProblem::makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t) const {
    return std::make_unique<RankProblem>(std::move(lines), m_values);
}

std::unique_ptr<PartitionMerger> RankProblem::emptyResults() const { return pictureOfPieces(emptyOutput(), cutAxis()); }

Verification RankProblem::verify(const Result& result, const Variant&, std::stop_token stop) const {
    return m_verifier->verify(*result.picture, stop);
}

/// Puts in each pixel's place the value of a given rank in its window: median, percentiles, erosion, dilation.
const Family& family() {
    static const FamilyOf<RankProblem> instance(
        FamilyInfo{
            .id = "rank",
            .title = "Median and rank",
            .group = "Filter",
            .task = "Remove specks, erode, dilate, subtract a background",
            .makesPicture = true,
            .volumes = true,
            .valuesMatter = true,
            .swept = "radius",
            .moved = SliderBenchmark{.from = {{"radius", std::int64_t{1}}},
                                     .words = "median from radius 1 to 15",
                                     .sliders = {{"radius", 14}}},
        },
        parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::rank
