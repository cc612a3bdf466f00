// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/float_bound.hpp"
#include "gpu/core/separating_level.hpp"
#include "gpu/families/binary/problem.hpp"
#include "gpu/families/binary/reference.hpp"
#include "gpu/frame/checked_rows.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_session.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/block_limits.hpp"
#include "gpu/kernels/tunables.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warplens::gpu::binary {

#define WARPLENS_VARIANTS "gpu/families/binary/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(StepsEntry steps_entry())

namespace {

const StepsEntry& stepsOf(const DeviceInfo& device) {
    static const Builds<StepsEntry> builds = WARPLENS_BUILDS(steps_entry);
    return *builds.of(device);
}

constexpr std::int64_t kMostPixels = 0x7fffffff;  // a block's number has 31 bits
/// Passes that are launched before anyone asks whether they changed something.
constexpr int kPassesAtOnce = 8;
constexpr std::size_t kMasks = 2;

float fullRangeOf(io::PixelType type) {
    return type == io::PixelType::u8 ? 255.0F : type == io::PixelType::u16 ? 65535.0F : 1.0F;
}

bool onEdge(const Case& of, std::size_t i) {
    const auto width = static_cast<std::size_t>(of.width), height = static_cast<std::size_t>(of.height);
    const std::size_t x = i % width, y = i / width % height;
    return x == 0 || y == 0 || x + 1 == width || y + 1 == height;
}

/// Guo and Hall's rule as a kernel's file has it.
constexpr const char* kGoes = R"(__device__ bool inside(const result_t* from, int width, int height, int x, int y) {
    return x >= 0 && x < width && y >= 0 && y < height && from[y * width + x] != 0;
}

// Guo and Hall's rule, of the eight neighbours clockwise from the one above.
__device__ bool goes(const result_t* from, int width, int height, int x, int y, bool second) {
    const int dx[8] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    bool p[8];
    for (int k = 0; k < 8; ++k) p[k] = inside(from, width, height, x + dx[k], y + dy[k]);
    int ways = 0, early = 0, late = 0;
    for (int k = 0; k < 8; k += 2) {
        ways += !p[k] && (p[k + 1] || p[(k + 2) % 8]);
        early += p[(k + 7) % 8] || p[k];
        late += p[k] || p[k + 1];
    }
    const int fewest = min(early, late);
    if (ways != 1 || fewest < 2 || fewest > 3) return false;
    return second ? !((p[4] || p[5] || !p[7]) && p[6]) : !((p[0] || p[1] || !p[3]) && p[2]);
}

// Launches take turns: odd steps take pixels from one side, even ones from the other.
)";

class BinarySession final : public PictureSession<BinaryProblem, Arguments> {
public:
    BinarySession(const BinaryProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident) {
        const std::size_t bytes = sizeof(std::uint32_t) * problem.posed().pixels();
        std::uint64_t* const handles[] = {&m_arguments.mask, &m_arguments.other};
        for (std::size_t i = 0; i < kMasks; ++i) {
            m_masks[i] = device.allocate(bytes);
            device.fill(m_masks[i], 0);  // the trace leaves blocks out, and others look there
            *handles[i] = m_masks[i].handle();
        }
        m_changes = device.allocate(sizeof(std::uint32_t));
        m_arguments.changes = m_changes.handle();
    }
    void launch() override {
        if (m_kernel == nullptr) return PictureSession::launch();
        const StepsEntry& steps = stepsOf(m_device.info());
        LaunchContext& context = m_device.context();
        steps.begin(context, m_arguments, m_kernel->bits);
        for (std::uint32_t changes = 1; changes != 0;) {
            m_device.fill(m_changes, 0);
            for (int pass = 0; pass < kPassesAtOnce; ++pass) m_kernel->launch(context, m_arguments, m_tunables);
            m_device.download(&changes, m_changes, sizeof changes);
        }
        steps.finish(context, m_arguments, m_kernel->bits);
    }

private:
    std::array<Buffer, kMasks> m_masks;
    Buffer m_changes;
};

}  // namespace

BinaryProblem::BinaryProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to take a mask of") {
    const Chosen chosen = parameters().read(values);
    const io::Shape& s = m_input->shape();
    if (s.pixels() > kMostPixels) throw Error(Error::Kind::unsupported, "more than 2^31 pixels: take a part");
    const Level level = levelOf(chosen.level, *m_input);
    m_levelFact = level.fact;
    m_case = {.type = m_input->type(),
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .depth = static_cast<int>(s.depth),
              .colours = std::min(s.channels, 3),
              .full = fullRangeOf(m_input->type()),
              .level = floatAtMost(level.value),
              .thins = chosen.task == Chosen::Task::skeleton};
}

Work BinaryProblem::work() const {
    return {.traffic = Traffic::copy,
            .bytesRead = static_cast<std::int64_t>(m_input->bytes()),
            .bytesWritten = m_input->shape().pixels() * static_cast<std::int64_t>(io::sizeOf(m_case.type))};
}

Traits BinaryProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_case.type)}, {"task", m_case.thins ? "skeleton" : "fill-holes"}},
            .sizes = {{"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> BinaryProblem::facts() const {
    std::vector<std::string> facts;
    if (m_case.depth > 1) facts.emplace_back("slice by slice");
    if (!m_levelFact.empty()) facts.push_back(m_levelFact);
    return facts;
}

std::string BinaryProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                         const DeviceInfo& device) const {
    if (kernel.refusal != nullptr && kernel.refusal(m_case) != nullptr) return kernel.refusal(m_case);
    const Footprint tile = kernel.footprint(t);
    if (std::string why = refusalOfBlock(tile, 0, device); !why.empty()) return why;
    if (tile.order == Order::rows) return {};
    if (m_case.depth > kMostBlocksAcross)
        return std::to_string(m_case.depth) + " slices; a grid of blocks has at most 65,535";
    return refusalOfRows(m_case.height, tile.tileHeight);
}

std::unique_ptr<Session> BinaryProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there once more while they are sorted.
    const std::size_t copies = m_input->shape().channels > 1 ? 3 : 2;
    needMemory(device, resident, *m_input,
               static_cast<std::int64_t>(m_input->bytes() * copies + kMasks * sizeof(std::uint32_t) * m_case.pixels()));
    keepResident(device, m_input, resident);
    return std::make_unique<BinarySession>(*this, device, resident);
}

Verification BinaryProblem::verify(const Result& result, const Variant&, std::stop_token stop) const {
    std::shared_ptr<const std::vector<std::uint8_t>> exact;
    {
        const std::lock_guard lock(m_mutex);
        if (m_exact == nullptr)
            m_exact = std::make_shared<const std::vector<std::uint8_t>>(resultOf(*m_input, m_case, stop));
        exact = m_exact;
    }
    const io::Shape& s = m_input->shape();
    return checkRows(*result.picture, stop, [&](ImageVerifier& judge, std::int64_t y, std::int64_t z) {
        for (std::int64_t x = 0; x < s.width; ++x)
            judge.kept({x, y, z}, 0,
                       (*exact)[static_cast<std::size_t>((z * s.height + y) * s.width + x)] != 0 ? m_case.full : 0);
    });
}

PlainTask BinaryProblem::plainTask() const {
    PlainTask task = plainTaskOf(m_input, outputShape(), outputType());
    io::Grid start(outputShape(), outputType());
    const auto inside = [&](std::size_t i) { return m_input->value(static_cast<std::int64_t>(i), 0) > m_case.level; };
    io::withSampleType(m_case.type, [&]<class T>(T) {
        for (std::size_t i = 0; i < m_case.pixels(); ++i)
            start.as<T>()[i] = static_cast<T>(inside(i) || (!m_case.thins && !onEdge(m_case, i)) ? m_case.full : 0);
    });
    const auto* const bytes = start.as<std::byte>();
    task.repeat = {.start = {bytes, bytes + start.bytes()},
                   .quiet = m_case.thins ? 2 : 1,
                   .most = static_cast<std::int64_t>(m_case.pixels()) + 2,
                   .frontier = {}};
    task.arguments = {{"level", double{m_case.level}}, {"full", double{m_case.full}}};
    const std::string head =
        "__global__ void my_kernel(const pixel_t* in, const result_t* from, result_t* out, int* changed,\n"
        "                          int width, int height, ";
    if (m_case.thins)
        task.plain = kGoes + head + "int step) {\n" + placeText() +
                     "    result_t value = from[y * width + x];\n"
                     "    if (value != 0 && goes(from, width, height, x, y, step % 2 == 0)) {\n"
                     "        value = 0;\n"
                     "        *changed = 1;\n"
                     "    }\n"
                     "    out[y * width + x] = value;\n}\n";
    else
        task.plain = "// At first everything but the edge's background is full. Background becomes 0 beside a 0.\n" +
                     head + "float level) {\n" + placeText() +
                     "    const int i = y * width + x;\n"
                     "    result_t value = from[i];\n"
                     "    if (value != 0 && !(in[i] > level) &&\n"
                     "        ((x > 0 && from[i - 1] == 0) || (x + 1 < width && from[i + 1] == 0) ||\n"
                     "         (y > 0 && from[i - width] == 0) || (y + 1 < height && from[i + width] == 0))) {\n"
                     "        value = 0;\n"
                     "        *changed = 1;\n"
                     "    }\n"
                     "    out[i] = value;\n}\n";
    if (m_input->shape().channels > 1) task.refusal = "a pixel has several values: take a picture of one channel";
    return task;
}

io::Shape BinaryProblem::outputShape() const {
    io::Shape shape = m_input->shape();
    shape.channels = 1;
    return shape;
}

std::shared_ptr<io::Grid> BinaryProblem::emptyOutput() const {
    auto output = PictureProblem::emptyOutput();
    output->metadata.sourceType.clear();
    output->metadata.iccProfile.clear();
    return output;
}

/// A mask of what is above a level, with its holes filled or thinned to lines.
const Family& family() {
    static const FamilyOf<BinaryProblem> instance(FamilyInfo{.id = "binary",
                                                             .title = "Holes and skeletons",
                                                             .group = "Regions",
                                                             .task = "Fill holes, draw the skeleton",
                                                             .makesPicture = true,
                                                             .volumes = true,
                                                             .valuesMatter = true},
                                                  parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::binary
