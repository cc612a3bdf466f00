// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/components/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/float_bound.hpp"
#include "gpu/core/table_judge.hpp"
#include "gpu/families/components/measured.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace warplens::gpu::components {
namespace {

// Numbers of pixels have 31 bits, of a word's runs 27 + 4, and a grid of blocks 65,535 along y and z.
constexpr std::int64_t kMostPixels = 0x7fffffff, kMostWords = 1 << 27, kMostBlocks = 65535, kLeastTileRows = 4;

/// How many components there may be: pixels that do not touch.
std::int64_t mostOf(const io::Shape& s, bool corners) {
    if (!corners) return (s.pixels() + 1) / 2;
    return ((s.width + 1) / 2) * ((s.height + 1) / 2) * ((s.depth + 1) / 2);
}

}  // namespace

ComponentsProblem::ComponentsProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to label") {
    m_asked = parseOptions(values, *m_input);
    const io::Shape& s = m_input->shape();
    if (s.pixels() > kMostPixels)
        throw Error(Error::Kind::unsupported,
                    "places of " + std::to_string(s.pixels()) + " pixels do not fit 31 bits: label a part");
    if (s.depth > kMostBlocks || s.height > kMostBlocks * kLeastTileRows)
        throw Error(Error::Kind::unsupported, "more rows or slices than a grid of blocks has: label a part");
}

Work ComponentsProblem::work() const {
    const auto pixels = m_input->shape().pixels();
    return {.traffic = Traffic::copy,
            .bytesRead = pixels * posed().channels * static_cast<std::int64_t>(io::sizeOf(m_input->type())),
            .bytesWritten = pixels * static_cast<std::int64_t>(sizeof(std::uint32_t))};
}

Traits ComponentsProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"shape", volume() ? "volume" : "picture"},
                      {"neighbours", m_asked.corners ? "all" : "faces"}},
            .sizes = {{"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> ComponentsProblem::facts() const {
    const char* neighbours = volume() ? m_asked.corners ? "26" : "6" : m_asked.corners ? "8" : "4";
    std::vector<std::string> facts{std::string(neighbours) + " neighbours"};
    if (!m_asked.levelFact.empty()) facts.push_back(m_asked.levelFact);
    return facts;
}

std::string ComponentsProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                             const DeviceInfo& device) const {
    if (!kernel.volumes && volume()) return "takes pictures: the pixels of a block of a volume are eight";
    if (!kernel.faces && !m_asked.corners) return "takes 8 neighbours: with 4 a block may hold two components";
    const io::Shape& s = m_input->shape();
    if (kernel.forest != Forest::pixels && (s.width + 31) / 32 * s.height * s.depth >= kMostWords)
        return "needs words for " + std::to_string(s.height * s.depth) + " rows, and has numbers for 134,217,728";
    const auto width = t.find("block_width"), height = t.find("block_height");
    const int threads = (width == t.end() ? 1 : width->second) * (height == t.end() ? 1 : height->second);
    if (threads > device.maxThreadsPerBlock)
        return std::to_string(threads) + " threads per block; the device allows " +
               std::to_string(device.maxThreadsPerBlock);
    return {};
}

Task ComponentsProblem::posed() const {
    const io::Shape& s = m_input->shape();
    return {.type = m_input->type(),
            .width = static_cast<int>(s.width),
            .height = static_cast<int>(s.height),
            .depth = static_cast<int>(s.depth),
            .channels = std::min(s.channels, 3),
            .corners = m_asked.corners,
            .level = floatAtMost(m_asked.level),
            .most = static_cast<unsigned>(mostOf(s, m_asked.corners))};
}

io::Shape ComponentsProblem::outputShape() const {
    io::Shape shape = m_input->shape();
    shape.channels = 1;
    return shape;
}

std::shared_ptr<io::Grid> ComponentsProblem::emptyOutput() const {
    auto output = PictureProblem::emptyOutput();
    output->metadata.sourceType.clear();
    output->metadata.iccProfile.clear();
    return output;
}

Verification ComponentsProblem::verify(const Result& result, const Variant&, std::stop_token stop) const {
    std::shared_ptr<const Labelled> exact;
    {
        const std::lock_guard lock(m_mutex);
        if (m_exact == nullptr) m_exact = std::make_shared<const Labelled>(labelled(*m_input, m_asked, stop));
        exact = m_exact;
    }
    Verification found = compareLabels(*result.picture, exact->labels, stop);
    TableJudge judge;
    judge.compare(*result.tables.front(), *componentsTable(exact->components));
    const Verification table = judge.result();
    if (found.mismatches == 0) found.firstMismatch = table.firstMismatch;
    found.mismatches += table.mismatches;
    return found;
}

PlainTask ComponentsProblem::plainTask() const {
    PlainTask task = plainTaskOf(m_input, outputShape(), outputType());
    const auto pixels = static_cast<std::size_t>(m_input->shape().pixels());
    std::vector<std::uint32_t> start(pixels);
    for (std::size_t i = 0; i < pixels; ++i)
        start[i] = insideAt(*m_input, m_asked.level, i) ? static_cast<std::uint32_t>(i) + 1 : 0;
    const auto* const bytes = reinterpret_cast<const std::byte*>(start.data());
    task.repeat = {.start = {bytes, bytes + sizeof(std::uint32_t) * pixels},
                   .quiet = 1,
                   .most = static_cast<std::int64_t>(pixels) + 1,
                   .frontier = {}};
    task.arguments = {{"level", m_asked.level}, {"corners", std::int64_t{m_asked.corners}}};
    task.plain =
        "// At first every pixel inside has a label of its own, 1 + its place; outside it is 0. A\n"
        "// pixel takes the least label that it sees. Which label a component ends with is not\n"
        "// looked at: they are numbered afterwards.\n"
        "__global__ void my_kernel(const result_t* from, result_t* out, int* changed, int width, int height,\n"
        "                          bool corners) {\n" +
        placeText() +
        "    const result_t label = from[y * width + x];\n"
        "    result_t least = label;\n"
        "    for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); ++v)\n"
        "        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); ++u) {\n"
        "            if (!corners && u != x && v != y) continue;\n"
        "            const result_t other = from[v * width + u];\n"
        "            if (other != 0 && other < least) least = other;\n"
        "        }\n"
        "    if (least != label) *changed = 1;\n"
        "    out[y * width + x] = least;\n}\n";
    if (m_input->shape().channels > 1) task.refusal = "a pixel has several values: take a picture of one channel";
    if (volume()) task.refusal = "components reach across slices: take a picture of one";
    return task;
}

Result ComponentsProblem::resultOfPlanes(const std::vector<std::byte>& planes) const {
    const auto width = static_cast<std::size_t>(m_input->shape().width);
    auto output = emptyOutput();
    auto* const labels = output->as<std::uint32_t>();
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    std::vector<Row> rows;
    for (std::size_t i = 0; i < planes.size() / sizeof(std::uint32_t); ++i) {
        std::uint32_t label = 0;
        std::memcpy(&label, planes.data() + i * sizeof label, sizeof label);
        labels[i] = 0;
        if (label == 0) continue;
        const auto number = numbers.try_emplace(label, static_cast<std::uint32_t>(rows.size()) + 1).first->second;
        const std::array<unsigned, 3> at{static_cast<unsigned>(i % width), static_cast<unsigned>(i / width), 0};
        if (number > rows.size()) rows.push_back({.sum = {}, .area = 0, .low = {at[0], at[1], 0}, .high = {}});
        labels[i] = number;
        Row& row = rows[number - 1];
        ++row.area;
        for (std::size_t axis = 0; axis < at.size(); ++axis) {
            row.sum[axis] += at[axis];
            row.low[axis] = std::min(row.low[axis], at[axis]);
            row.high[axis] = std::max(row.high[axis], at[axis]);
        }
    }
    std::vector<Measured> found(rows.size());
    std::ranges::transform(rows, found.begin(), measuredOf);
    return {.picture = std::move(output), .tables = {componentsTable(found)}};
}

/// Connected regions of pixels above a level: each gets a number and a row of a table.
const Family& family() {
    static const FamilyOf<ComponentsProblem> instance(
        FamilyInfo{
            .id = "components",
            .title = "Components",
            .group = "Regions",
            .task = "Label regions, count and measure them",
            .makesPicture = true,
            .makesTables = true,
            .volumes = true,
            .valuesMatter = true,
            .regions = Regions::labels,
        },
        parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::components
