// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/flood/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/flood/reference.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/texels.hpp"

#include <limits>
#include <utility>

namespace warplens::gpu::flood {
namespace {

constexpr const char* kAtEdges =
    R"(__device__ bool hasNeighbour(const result_t* from, int width, int height, int x, int y,
                             int step) {
    const int i = y * width + x;
    return (x > 0 && from[i - 1] == step) || (x + 1 < width && from[i + 1] == step) ||
           (y > 0 && from[i - width] == step) || (y + 1 < height && from[i + width] == step);
}

)";
constexpr const char* kAtEdgesAndCorners =
    R"(__device__ bool hasNeighbour(const result_t* from, int width, int height, int x, int y,
                             int step) {
    for (int v = max(y - 1, 0); v <= min(y + 1, height - 1); ++v)
        for (int u = max(x - 1, 0); u <= min(x + 1, width - 1); ++u)
            if (from[v * width + u] == step) return true;
    return false;
}

)";

}  // namespace

FloodProblem::FloodProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to flood") {
    const io::Shape& s = m_input->shape();
    if (s.pixels() > std::numeric_limits<std::int32_t>::max())
        throw Error(Error::Kind::unsupported, "a flood of " + std::to_string(s.pixels()) +
                                                  " pixels: 2,147,483,647 are possible, cut the picture");
    m_asked = parseOptions(values, s);
    m_seeds = seedsOf(*m_input, m_asked);
    const auto connectivity = m_asked.connectivity;
    m_flood.type = m_input->type();
    m_flood.width = static_cast<int>(s.width);
    m_flood.height = static_cast<int>(s.height);
    m_flood.depth = static_cast<int>(s.depth);
    m_flood.channels = s.channels;
    m_flood.corners = connectivity == Connectivity::corners || connectivity == Connectivity::all;
    m_flood.deep = s.depth > 1 && (connectivity == Connectivity::faces || connectivity == Connectivity::all);
    m_flood.colours = m_seeds.colours;
    m_flood.seeds = static_cast<std::uint32_t>(m_seeds.pixels.size());
}

Work FloodProblem::work() const {
    const std::int64_t written = m_input->shape().pixels() * static_cast<std::int64_t>(sizeof(std::int32_t));
    return {.bytesRead = static_cast<std::int64_t>(m_input->bytes()), .bytesWritten = written};
}

Traits FloodProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"neighbours", m_flood.deep ? "volume" : "slice"},
                      {"seeds", m_flood.colours ? "colours" : "one colour"}},
            .sizes = {{"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> FloodProblem::facts() const {
    const auto [x, y, z] = m_asked.seeds.front();
    if (m_asked.seeds.size() == 1)
        return {"from " + std::to_string(x) + ", " + std::to_string(y) +
                (m_input->shape().depth > 1 ? ", " + std::to_string(z) : "")};
    return {"from " + std::to_string(m_asked.seeds.size()) + " seeds" +
            (m_flood.colours ? " of different colours: the first to reach a pixel has it" : "")};
}

std::string FloodProblem::refusal(const Variant& variant, const TunableValues& t, const DeviceInfo& device) const {
    if (variant.id == "texture" && m_input->shape().values() > kMostTexels)
        return "a texture has at most 134,217,728 values: privatised takes more";
    return PictureProblem::refusal(variant, t, device);
}

std::string FloodProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                        const DeviceInfo& device) const {
    if (kernel.alone && m_flood.deep) return "floods slice by slice: choose connectivity 4 or 8, or tiled";
    if (kernel.relax != nullptr && m_flood.colours)
        return "its tiles run ahead of one another, so that a pixel could go to the wrong one of several colours";
    const auto width = t.find("block_width");
    if (width != t.end() && width->second > device.maxThreadsPerBlock)
        return std::to_string(width->second) + " threads per block; the device allows " +
               std::to_string(device.maxThreadsPerBlock);
    return {};
}

Footprint FloodProblem::footprintOf(const KernelEntry& entry, const TunableValues& tunables) const {
    if (entry.relax == nullptr || !m_flood.deep) return entry.footprint(tunables);
    constexpr int kBox = 8;  // of a volume, along each axis
    return {.blockWidth = kBox,
            .blockHeight = kBox,
            .tileWidth = kBox,
            .tileHeight = kBox,
            .stagedLeft = 1,
            .stagedTop = 1,
            .stagedRight = 1,
            .stagedBottom = 1,
            .staged = true,
            .haloX = 1,
            .haloY = 1};
}

io::Shape FloodProblem::outputShape() const {
    io::Shape shape = m_input->shape();
    shape.channels = 1;
    return shape;
}

Verification FloodProblem::verify(const Result& result, const Variant&, std::stop_token stop) const {
    std::shared_ptr<const io::Grid> exact;
    {
        const std::lock_guard lock(m_mutex);
        if (m_exact == nullptr) m_exact = flooded(*m_input, m_asked, stop);
        exact = m_exact;
    }
    return compare(*result.picture, *result.tables.front(), *exact, stop);
}

PlainTask FloodProblem::plainTask() const {
    PlainTask task = plainTaskOf(m_input, outputShape(), outputType());
    const auto pixels = static_cast<std::size_t>(m_input->shape().pixels());
    std::vector<std::int32_t> start(pixels, -1);
    for (const std::uint32_t pixel : m_seeds.pixels) start[pixel] = 0;
    const auto* const bytes = reinterpret_cast<const std::byte*>(start.data());
    task.repeat = {.start = {bytes, bytes + sizeof(std::int32_t) * pixels},
                   .quiet = 1,
                   .most = static_cast<std::int64_t>(pixels) + 1,
                   .frontier = std::vector<std::int32_t>(m_seeds.pixels.begin(), m_seeds.pixels.end())};
    if (!m_seeds.bounds.empty())
        task.arguments = {{"low", double{m_seeds.bounds[0]}}, {"high", double{m_seeds.bounds[1]}}};
    task.plain =
        "// Steps from the seeds, -1 where no step led yet: a pixel looks whether a neighbour was\n"
        "// reached in the launch before.\n" +
        std::string(m_flood.corners ? kAtEdgesAndCorners : kAtEdges) +
        "__global__ void my_kernel(const pixel_t* in, const result_t* from, result_t* out, int* changed,\n"
        "                          int step, int width, int height, float low, float high) {\n" +
        placeText() +
        "    const int i = y * width + x;\n"
        "    int steps = from[i];\n"
        "    if (steps < 0 && in[i] >= low && in[i] <= high && hasNeighbour(from, width, height, x, y, step - 1)) {\n"
        "        steps = step;\n"
        "        *changed = 1;\n"
        "    }\n"
        "    out[i] = steps;\n}\n";
    if (m_input->shape().channels > 1) task.refusal = "a pixel has several values: take a picture of one channel";
    if (m_input->shape().depth > 1) task.refusal = "a flood goes through all slices: take a picture of one";
    if (m_flood.colours) task.refusal = "seeds accept different values: take one seed, or seeds of one value";
    return task;
}

Result FloodProblem::resultOfPlanes(const std::vector<std::byte>& planes) const {
    return resultOf(FloodFrame::resultOfPlanes(planes).picture);
}

Result resultOf(std::shared_ptr<const io::Grid> steps) {
    Tables tables{levelsOf(*steps)};
    return {.picture = std::move(steps), .tables = std::move(tables)};
}

/// Regions that grow from seeds, level by level: who is reached, and in how many steps.
const Family& family() {
    static const FamilyOf<FloodProblem> instance(
        FamilyInfo{
            .id = "flood",
            .title = "Flood fill",
            .group = "Regions",
            .task = "Select connected regions, find ways through mazes",
            .makesPicture = true,
            .makesTables = true,
            .volumes = true,
            .valuesMatter = true,
            .dependent = true,
            .regions = Regions::grows,
            .services = {{Service::selectRegion, {}}},
        },
        flood::parameters().list(), ladder().variants(), [](const ParameterValues&) -> std::optional<ResultValues> {
            return ResultValues{"steps", ResultValues::Kind::fromZero};
        });
    return instance;
}

}  // namespace warplens::gpu::flood
