// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/float_bound.hpp"
#include "gpu/core/separating_level.hpp"
#include "gpu/families/watershed/problem.hpp"
#include "gpu/families/watershed/reference.hpp"
#include "gpu/frame/checked_rows.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_session.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/block_limits.hpp"
#include "gpu/kernels/tunables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace warplens::gpu::watershed {

#define WARPLENS_VARIANTS "gpu/families/watershed/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(StepsEntry steps_entry())

namespace {

const StepsEntry& stepsOf(const DeviceInfo& device) {
    static const Builds<StepsEntry> builds = WARPLENS_BUILDS(steps_entry);
    return *builds.of(device);
}

// Squares of distances have 32 bits, places of pixels 31.
constexpr std::int64_t kMostExtent = 32767, kMostPixels = 0x7fffffff;
constexpr double kMostSquare = 4294967294.0;
/// Squares of steps are whole numbers of so many parts of the finest one's, or of as many as 32 bits allow.
constexpr int kFinestParts = 4096;
/// Passes that are launched before anyone asks whether they changed something.
constexpr int kPassesAtOnce = 8;
constexpr std::size_t kScratchWords = 4;

float fullRangeOf(io::PixelType type) {
    return type == io::PixelType::u8 ? 255.0F : type == io::PixelType::u16 ? 65535.0F : 1.0F;
}

/// Makes steps along x, y and z as long beside each other as the file has them. Returns how long in words, none where
/// they are the same. Throws Error(unsupported).
std::string weigh(Case& of, const std::array<double, 3>& spacing) {
    const std::array<int, 3> extents{of.width, of.height, of.depth};
    const std::size_t axes = of.whole ? 3 : 2;
    const auto [finest, longest] = std::minmax_element(spacing.begin(), spacing.begin() + axes);
    if (!(*finest > 0) || !std::isfinite(*longest))
        throw Error(Error::Kind::unsupported, "the spacing of the file is no length: take spacing pixels");
    // Quarters at a time, so that the root of the parts is a whole number.
    for (int parts = kFinestParts; parts > 0; parts /= 4) {
        std::array<double, 3> weights{};
        double largest = 0;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            weights[axis] = std::round(parts * std::pow(spacing[axis] / *finest, 2));
            largest += weights[axis] * std::pow(extents[axis] - 1, 2);
        }
        if (std::all_of(weights.begin(), weights.begin() + axes, [&](double w) { return w == parts; })) return {};
        if (largest > kMostSquare) continue;
        std::string steps;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            of.weight[axis] = static_cast<std::uint32_t>(std::min(weights[axis], kMostSquare));
            char length[32];
            std::snprintf(length, sizeof length, "%s%.4g", axis == 0 ? "" : " x ", std::sqrt(weights[axis] / parts));
            steps += length;
        }
        of.tolerance *= std::sqrt(static_cast<float>(parts));
        return "steps of " + steps;
    }
    throw Error(Error::Kind::unsupported,
                "squares of distances leave 32 bits with the file's spacing: take spacing "
                "pixels, or a part of the picture");
}

class WatershedSession final : public PictureSession<WatershedProblem, Arguments> {
public:
    WatershedSession(const WatershedProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident) {
        const std::size_t bytes = sizeof(std::uint32_t) * problem.posed().pixels();
        std::uint64_t* const handles[] = {&m_arguments.square, &m_arguments.uphill, &m_arguments.peak,
                                          &m_arguments.united};
        for (std::size_t i = 0; i < kScratchWords; ++i) {
            m_scratch[i] = device.allocate(bytes);
            device.fill(m_scratch[i], 0);  // the trace leaves blocks out, and others walk there
            *handles[i] = m_scratch[i].handle();
        }
        m_changes = device.allocate(sizeof(std::uint32_t));
        m_arguments.changes = m_changes.handle();
    }
    void launch() override {
        const StepsEntry& steps = stepsOf(m_device.info());
        LaunchContext& context = m_device.context();
        steps.begin(context, m_arguments);
        if (!m_kernel->repeats) {
            m_kernel->launch(context, m_arguments, m_tunables);
        } else {
            for (std::uint32_t changes = 1; changes != 0;) {
                m_device.fill(m_changes, 0);
                for (int pass = 0; pass < kPassesAtOnce; ++pass) m_kernel->launch(context, m_arguments, m_tunables);
                m_device.download(&changes, m_changes, sizeof changes);
            }
        }
        steps.finish(context, m_arguments);
    }

private:
    std::array<Buffer, kScratchWords> m_scratch;
    Buffer m_changes;
};

}  // namespace

WatershedProblem::WatershedProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to split") {
    const Chosen chosen = parameters().read(values);
    const io::Shape& s = m_input->shape();
    const bool whole = s.depth > 1 && chosen.dimensions == Dimensions::three;
    if (std::max({s.width, s.height, whole ? s.depth : 1}) > kMostExtent || s.pixels() > kMostPixels)
        throw Error(Error::Kind::unsupported, "more than 32,767 pixels along an axis, or 2^31 in all: split a part");
    const Level level = levelOf(chosen.level, *m_input);
    m_levelFact = level.fact;
    m_case = {.type = m_input->type(),
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .depth = static_cast<int>(s.depth),
              .colours = std::min(s.channels, 3),
              .full = fullRangeOf(m_input->type()),
              .level = floatAtMost(level.value),
              .tolerance = static_cast<float>(chosen.tolerance),
              .whole = whole};
    if (chosen.spacing == Chosen::Spacing::file) m_stepsFact = weigh(m_case, m_input->geometry.spacing);
}

Work WatershedProblem::work() const {
    return {.traffic = Traffic::copy,
            .bytesRead = static_cast<std::int64_t>(m_input->bytes()),
            .bytesWritten = m_input->shape().pixels() * static_cast<std::int64_t>(io::sizeOf(m_case.type))};
}

Traits WatershedProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_case.type)}, {"dimensions", m_case.whole ? "3" : "2"}},
            .sizes = {{"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> WatershedProblem::facts() const {
    std::vector<std::string> facts{m_case.whole ? "26 neighbours" : "8 neighbours"};
    if (m_case.depth > 1 && !m_case.whole) facts.emplace_back("slice by slice");
    if (!m_stepsFact.empty()) facts.push_back(m_stepsFact);
    if (!m_levelFact.empty()) facts.push_back(m_levelFact);
    return facts;
}

std::string WatershedProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                            const DeviceInfo& device) const {
    const Footprint tile = kernel.footprint(t);
    const std::size_t bytes = tile.staged ? sizeof(std::uint32_t) * static_cast<std::size_t>(tile.blockWidth) *
                                                static_cast<std::size_t>(tile.blockHeight)
                                          : 0;
    if (std::string why = refusalOfBlock(tile, bytes, device); !why.empty()) return why;
    if (tile.order == Order::rows) return {};
    if (m_case.depth > kMostBlocksAcross)
        return std::to_string(m_case.depth) + " slices; a grid of blocks has at most 65,535";
    return refusalOfRows(m_case.height, tile.tileHeight);
}

std::unique_ptr<Session> WatershedProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there once more while they are sorted.
    const std::size_t copies = m_input->shape().channels > 1 ? 3 : 2;
    needMemory(
        device, resident, *m_input,
        static_cast<std::int64_t>(m_input->bytes() * copies + kScratchWords * sizeof(std::uint32_t) * m_case.pixels()));
    keepResident(device, m_input, resident);
    return std::make_unique<WatershedSession>(*this, device, resident);
}

Verification WatershedProblem::verify(const Result& result, const Variant&, std::stop_token stop) const {
    std::shared_ptr<const std::vector<bool>> parts;
    {
        const std::lock_guard lock(m_mutex);
        if (m_parts == nullptr) m_parts = std::make_shared<const std::vector<bool>>(partsOf(*m_input, m_case, stop));
        parts = m_parts;
    }
    const io::Shape& s = m_input->shape();
    return checkRows(*result.picture, stop, [&](ImageVerifier& judge, std::int64_t y, std::int64_t z) {
        for (std::int64_t x = 0; x < s.width; ++x)
            judge.kept({x, y, z}, 0,
                       (*parts)[static_cast<std::size_t>((z * s.height + y) * s.width + x)] ? m_case.full : 0);
    });
}

io::Shape WatershedProblem::outputShape() const {
    io::Shape shape = m_input->shape();
    shape.channels = 1;
    return shape;
}

std::shared_ptr<io::Grid> WatershedProblem::emptyOutput() const {
    auto output = PictureProblem::emptyOutput();
    output->metadata.sourceType.clear();
    output->metadata.iccProfile.clear();
    return output;
}

PlainTask WatershedProblem::plainTask() const {
    PlainTask task = plainTaskOf(m_input, outputShape(), io::PixelType::u32);
    task.plain =
        "// At first every pixel inside has 1 + the place of its highest neighbour, a peak its own; outside it\n"
        "// is 0. Where that one leads, the pixel goes as well, until all have their peaks. How high a pixel is,\n"
        "// and where regions are cut, the CPU finds before and afterwards, and is not in the time.\n"
        "__global__ void my_kernel(const result_t* from, result_t* out, int* changed, int width, int height) {\n" +
        placeText() +
        "    const result_t next = from[y * width + x];\n"
        "    const result_t beyond = next == 0 ? 0 : from[next - 1];\n"
        "    if (beyond != next) *changed = 1;\n"
        "    out[y * width + x] = beyond;\n}\n";
    if (m_input->shape().channels > 1) task.refusal = "a pixel has several values: take a picture of one channel";
    if (m_case.depth > 1) task.refusal = "places are those of one slice: take a picture of one";
    if (!task.refusal.empty()) return task;
    const std::vector<std::uint32_t> start = uphillOf(*m_input, m_case);
    const auto* const bytes = reinterpret_cast<const std::byte*>(start.data());
    task.repeat = {.start = {bytes, bytes + sizeof(std::uint32_t) * start.size()},
                   .quiet = 1,
                   .most = static_cast<std::int64_t>(start.size()) + 1,
                   .frontier = {}};
    return task;
}

Result WatershedProblem::resultOfPlanes(const std::vector<std::byte>& planes) const {
    std::vector<std::uint32_t> peaks(planes.size() / sizeof(std::uint32_t));
    std::memcpy(peaks.data(), planes.data(), peaks.size() * sizeof(std::uint32_t));
    const std::vector<bool> parts = partsOf(*m_input, m_case, peaks);
    auto output = emptyOutput();
    for (std::int64_t y = 0; y < m_case.height; ++y)
        for (std::int64_t x = 0; x < m_case.width; ++x)
            output->setValue(x, y, 0, 0, parts[static_cast<std::size_t>(y * m_case.width + x)] ? m_case.full : 0);
    return {.picture = std::move(output)};
}

/// A mask of what is above a level, cut where it has necks.
const Family& family() {
    static const FamilyOf<WatershedProblem> instance(FamilyInfo{.id = "watershed",
                                                                .title = "Watershed",
                                                                .group = "Regions",
                                                                .task = "Split what touches",
                                                                .makesPicture = true,
                                                                .volumes = true,
                                                                .valuesMatter = true},
                                                     parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::watershed
