// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/bilateral/problem.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/tunables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace warplens::gpu::bilateral {

#define WARPLENS_VARIANTS "gpu/families/bilateral/variants.inc"
#include "gpu/kernels/kernel_table.inc"

namespace {

constexpr double kEps = 0x1p-23, kTiny = 0x1p-149;
constexpr int kMostChannels = 4;

double fullRangeOf(io::PixelType type) {
    return type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1;
}

class BilateralSession final : public PictureSession<BilateralProblem, Arguments> {
public:
    BilateralSession(const BilateralProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident) {
        const auto uploaded = [&](const auto& values) {
            const std::size_t bytes = values.size() * sizeof values.front();
            const Buffer& to = m_tables.emplace_back(device.allocate(bytes));
            device.upload(to, values.data(), bytes);
            return to.handle();
        };
        const Case& of = problem.posed();
        std::vector<float> space, value;
        for (int y = 0; y <= of.radius; ++y)
            for (int x = 0; x <= of.radius; ++x)
                space.push_back(static_cast<float>(std::exp2(double{of.space} * (x * x + y * y))));
        m_arguments.reach = uploaded(problem.reach());
        m_arguments.spaceWeights = uploaded(space);
        if (of.type == io::PixelType::f32) return;
        const int most = static_cast<int>(fullRangeOf(of.type)) * of.channels;
        for (int d = 0; d <= most; ++d) value.push_back(static_cast<float>(std::exp2(double{of.value} * d * d)));
        m_arguments.valueWeights = uploaded(value);
    }

private:
    std::vector<Buffer> m_tables;
};

/// The index that stands for i, or -1 where zeros lie outside.
std::int64_t inside(std::int64_t i, std::int64_t n, Border border) {
    if (i >= 0 && i < n) return i;
    if (border == Border::zero) return -1;
    if (border == Border::replicate) return std::clamp<std::int64_t>(i, 0, n - 1);
    const std::int64_t period = border == Border::wrap ? n : std::max<std::int64_t>(1, 2 * (n - 1));
    i = (i % period + period) % period;
    return i < n ? i : period - i;
}

}  // namespace

BilateralProblem::BilateralProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to filter"), m_chosen(parameters().read(values)) {
    const io::Shape& s = m_input->shape();
    m_sigmaValue = m_chosen.sigmaValue / 100 * fullRangeOf(m_input->type());
    const auto exponentOf = [](double sigma) { return static_cast<float>(-std::numbers::log2e / (2 * sigma * sigma)); };
    const int channels = channelsWithout(m_chosen.alpha, s.channels);
    m_case = {.type = m_input->type(),
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .depth = static_cast<int>(s.depth),
              .channels = channels,
              .kept = channels < s.channels,
              .border = m_chosen.border,
              .radius = m_chosen.radius,
              .space = exponentOf(m_chosen.sigmaSpace),
              .value = exponentOf(m_sigmaValue)};
    const int r = m_case.radius;
    for (int y = 0, reach = r; y <= r; ++y) {
        while (reach * reach + y * y > r * r) --reach;
        m_reach.push_back(reach);
    }
}

int BilateralProblem::taps() const {
    int taps = 2 * m_reach[0] + 1;
    for (std::size_t y = 1; y < m_reach.size(); ++y) taps += 2 * (2 * m_reach[y] + 1);
    return taps;
}

const Range& BilateralProblem::range() const {
    std::call_once(m_ranged, [&] {
        const float* const all = m_input->as<float>();
        const auto [low, high] = std::minmax_element(all, all + m_input->shape().values());
        m_range = {*low, *high,
                   std::all_of(all, all + m_input->shape().values(), [](float v) { return std::isfinite(v); })};
    });
    return m_range;
}

Work BilateralProblem::work() const {
    const auto bytes = static_cast<std::int64_t>(m_input->bytes());
    // Of a tap: differences, their sum, both weights, as many products.
    const double ofTap = 4.0 * m_case.channels + 5;
    return {.traffic = Traffic::copy,
            .bytesRead = bytes,
            .bytesWritten = bytes,
            .operations = ofTap * taps() * static_cast<double>(m_input->shape().pixels())};
}

Traits BilateralProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_case.type)}, {"colours", m_case.channels == 1 ? "one" : "several"}},
            .sizes = {{"radius", {static_cast<double>(m_case.radius), 4}},
                      {"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> BilateralProblem::facts() const {
    std::vector<std::string> facts{std::to_string(taps()) + " taps"};
    if (m_case.kept) facts.emplace_back("alpha copied");
    return facts;
}

std::string BilateralProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                            const DeviceInfo& device) const {
    if (const char* why = kernel.refusal == nullptr ? nullptr : kernel.refusal(m_case)) return why;
    const Footprint tile = kernel.footprint(m_case, t);
    const std::size_t bytes = kernel.sharedBytes == nullptr ? 0 : kernel.sharedBytes(m_case, t);
    if (std::string why = refusalOfBlock(tile, bytes, device); !why.empty()) return why;
    if (m_case.depth > kMostBlocksAcross)
        return std::to_string(m_case.depth) + " slices; a grid of blocks has at most 65,535";
    return refusalOfRows(m_case.height, tile.tileHeight);
}

std::unique_ptr<Session> BilateralProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there once more while they are sorted.
    const int copies = m_input->shape().channels > 1 ? 3 : 2;
    needMemory(device, resident, *m_input, static_cast<std::int64_t>(m_input->bytes()) * copies);
    keepResident(device, m_input, resident);
    return std::make_unique<BilateralSession>(*this, device, resident);
}

PlainTask BilateralProblem::plainTask() const {
    PlainTask task = BilateralFrame::plainTask();
    task.planes = m_case.channels * m_case.depth;
    task.arguments = {{"by_distance", double{m_case.space}}, {"by_difference", double{m_case.value}}};
    const bool floats = m_case.type == io::PixelType::f32;
    task.plain =
        valueAtText(m_case.border, "float") +
        "// A pixel of the disc weighs 2^(by_distance * distance^2 + by_difference * difference^2).\n"
        "// The difference is that of all channels together, whose planes lie one behind the other.\n"
        "__global__ void my_kernel(const pixel_t* in, result_t* out, int width, int height, int channels,\n"
        "                          int radius, float by_distance, float by_difference) {\n" +
        placeText() +
        "    const int plane = width * height, i = y * width + x;\n"
        "    float sums[4] = {0, 0, 0, 0}, total = 0;\n"
        "    for (int dy = -radius; dy <= radius; ++dy)\n"
        "        for (int dx = -radius; dx <= radius; ++dx) {\n"
        "            const int far = dx * dx + dy * dy;\n"
        "            if (far > radius * radius) continue;\n"
        "            float apart = 0;\n"
        "            for (int c = 0; c < channels; ++c)\n"
        "                apart += fabsf(valueAt(in + c * plane, width, height, x + dx, y + dy) - in[c * plane + i]);\n"
        "            const float weight = exp2f(by_distance * far) * exp2f(by_difference * apart * apart);\n" +
        (floats ? "            if (!(weight > 0)) continue;  // of what is no number, or infinitely far away\n" : "") +
        "            for (int c = 0; c < channels; ++c)\n"
        "                sums[c] += weight * valueAt(in + c * plane, width, height, x + dx, y + dy);\n"
        "            total += weight;\n"
        "        }\n"
        "    for (int c = 0; c < channels; ++c) {\n"
        "        const float mean = total > 0 ? sums[c] / total : in[c * plane + i];\n"
        "        out[c * plane + i] = " +
        storedText(m_case.type, "mean") + ";\n    }\n}\n";
    if (m_case.depth > 1) task.refusal = "channels of a slice do not lie together: take a picture of one";
    return task;
}

// In double. A weight exp(-a) is off by (4 + 8 a) eps of itself, as its exponent is rounded, too; sums round.
Verification BilateralProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    const bool floats = m_case.type == io::PixelType::f32;
    const double own = ladder().libraryOf(variant) == nullptr ? 0 : opencvWeightError(*this);
    const double bySpace = 1 / (2 * m_chosen.sigmaSpace * m_chosen.sigmaSpace),
                 byValue = 1 / (2 * m_sigmaValue * m_sigmaValue);
    const int channels = m_case.channels, r = m_case.radius;
    std::vector<double> table;
    for (int d = 0; !floats && d <= channels * static_cast<int>(fullRangeOf(m_case.type)); ++d)
        table.push_back(std::exp(-byValue * d * d));
    const io::Shape& s = m_input->shape();
    return checkRows(*result.picture, stop, [&](ImageVerifier& judge, std::int64_t y, std::int64_t z) {
        using Colour = std::array<double, kMostChannels>;
        struct Tap {
            Colour colour;
            double weight, off;
        };
        std::vector<Tap> kept(static_cast<std::size_t>(taps()));
        for (std::int64_t x = 0; x < s.width; ++x) {
            Colour centre{}, sum{}, size{};
            for (int c = 0; c < channels; ++c) centre[static_cast<std::size_t>(c)] = m_input->value(x, y, z, c);
            double total = 0;
            std::size_t count = 0;
            for (int dy = -r; dy <= r; ++dy) {
                const int reach = m_reach[static_cast<std::size_t>(std::abs(dy))];
                const std::int64_t fromY = inside(y + dy, s.height, m_case.border);
                for (int dx = -reach; dx <= reach; ++dx) {
                    const std::int64_t fromX = inside(x + dx, s.width, m_case.border);
                    Tap tap{};
                    double difference = 0;
                    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
                        if (fromX >= 0 && fromY >= 0)
                            tap.colour[c] = m_input->value(fromX, fromY, z, static_cast<int>(c));
                        difference += std::fabs(tap.colour[c] - centre[c]);
                    }
                    const double far = bySpace * (dx * dx + dy * dy), apart = byValue * difference * difference;
                    const double near = std::exp(-far);
                    tap.weight = near * (floats ? std::exp(-apart) : table[static_cast<std::size_t>(difference)]);
                    if (std::isnan(tap.weight) || std::isinf(difference)) continue;
                    tap.off = tap.weight * (4 + 8 * (far + apart)) * kEps + near * own + kTiny;
                    kept[count++] = tap;
                    total += tap.weight;
                    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
                        sum[c] += tap.weight * tap.colour[c];
                        size[c] += tap.weight * std::fabs(tap.colour[c]);
                    }
                }
            }
            for (int channel = 0; channel < channels; ++channel) {
                const auto c = static_cast<std::size_t>(channel);
                if (count == 0) {
                    judge.kept({x, y, z}, channel, centre[c]);
                    continue;
                }
                const double value = sum[c] / total, n = static_cast<double>(count);
                double bound = (n + 2) * kEps * size[c] / total + n * kTiny;
                for (std::size_t i = 0; i < count; ++i)
                    bound += kept[i].off * std::fabs(kept[i].colour[c] - value) / total;
                judge.computed({x, y, z}, channel, value, bound);
            }
            if (m_case.kept) judge.kept({x, y, z}, channels, m_input->value(x, y, z, channels));
        }
    });
}

/// Means of near pixels of near values.
const Family& family() {
    static const FamilyOf<BilateralProblem> instance(
        FamilyInfo{.id = "bilateral",
                   .title = "Bilateral",
                   .group = "Filter",
                   .task = "Denoise and keep edges",
                   .makesPicture = true,
                   .volumes = true,
                   .swept = "radius",
                   .moved = SliderBenchmark{.from = {{"radius", std::int64_t{1}}},
                                            .words = "radius 1 to 10",
                                            .sliders = {{"radius", 18}}}},
        parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::bilateral
