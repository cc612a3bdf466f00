// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/families/resample/parameters.hpp"
#include "gpu/families/resample/problem.hpp"
#include "gpu/families/resample/weights.hpp"
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
#include <numbers>
#include <utility>

namespace warplens::gpu::resample {

#define WARPLENS_VARIANTS "gpu/families/resample/variants.inc"
#include "gpu/kernels/kernel_table.inc"

namespace {

constexpr double kEps = 0x1p-23;
constexpr std::int64_t kMostExtent = 65535;
/// OpenCV's places of a rotation are 32nds of a pixel.
constexpr double kOpencvTurn = 0x1p-4;

Axis axisOf(std::int64_t in, std::int64_t out, Method method, bool antialias) {
    Axis axis{.in = static_cast<int>(in), .out = static_cast<int>(out)};
    const double step = static_cast<double>(in) / static_cast<double>(out);
    if (method == Method::nearest) return axis;
    if (method == Method::area) {
        axis.taps = static_cast<int>(step) + 2;
        return axis;
    }
    if (antialias && step > 1) axis.stretch = static_cast<float>(step);
    const int lobes = method == Method::bilinear ? 1 : method == Method::lanczos ? 3 : 2;
    axis.reach = static_cast<int>(std::ceil(static_cast<float>(lobes) * axis.stretch));
    axis.taps = 2 * axis.reach;
    return axis;
}

Weights weightsOf(Method method, const Axis& axis) {
    Weights made;
    for (int i = 0; i < axis.out; ++i) {
        const Place<double> place(method, axis, i);
        made.first.push_back(place.first);
        double all = 0;
        for (int j = 0; j < axis.taps; ++j) all += made.weight.emplace_back(place.weight(method, axis, j));
        for (auto w = made.weight.end() - axis.taps; w != made.weight.end(); ++w) *w /= all;
    }
    return made;
}

/// Where a rotated picture's pixels lie: those of the input stay where they are.
io::Geometry turnedGeometry(const io::Geometry& of, const Case& c) {
    io::Geometry made = of;
    const Turned first(c, 0, 0);
    const double cosine = static_cast<double>(c.turn.cosine) * 0x1p-31,
                 sine = static_cast<double>(c.turn.sine) * 0x1p-31;
    for (std::size_t row = 0; row < 3; ++row) {
        const double x = of.direction[3 * row], y = of.direction[3 * row + 1];
        made.direction[3 * row] = cosine * x - sine * y;
        made.direction[3 * row + 1] = sine * x + cosine * y;
        made.origin[row] +=
            of.spacing[0] * (x * static_cast<double>(first.x) + y * static_cast<double>(first.y)) * 0x1p-32;
    }
    return made;
}

class ResampleSession final : public PictureSession<ResampleProblem, Arguments> {
public:
    ResampleSession(const ResampleProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident) {
        const auto uploaded = [&](const auto& values) {
            const Buffer& to = m_tables.emplace_back(device.allocate(values.size() * sizeof values.front()));
            device.upload(to, values.data(), values.size() * sizeof values.front());
            return to.handle();
        };
        // Tap by tap, so that a warp's columns find theirs side by side.
        const auto turned = [](const std::vector<double>& all, const Axis& axis) {
            std::vector<float> made;
            for (int j = 0; j < axis.taps; ++j)
                for (int i = 0; i < axis.out; ++i)
                    made.push_back(static_cast<float>(all[static_cast<std::size_t>(i * axis.taps + j)]));
            return made;
        };
        if (problem.posed().turn.turns) return;
        m_tables.reserve(4);
        m_arguments.firstX = uploaded(problem.across().first);
        m_arguments.weightsX = uploaded(turned(problem.across().weight, m_arguments.x));
        m_arguments.firstY = uploaded(problem.down().first);
        m_arguments.weightsY = uploaded(turned(problem.down().weight, m_arguments.y));
    }
    void prepare(const Variant& variant, const TunableValues& tunables) override {
        PictureSession::prepare(variant, tunables);
        m_scratch = {};
        if (m_kernel == nullptr || m_kernel->scratchFloats == nullptr) return;
        m_scratch = m_device.allocate(sizeof(float) * m_kernel->scratchFloats(m_arguments));
        m_arguments.scratch = m_scratch.handle();
    }
    void poisonOutput() override {
        PictureSession::poisonOutput();
        if (m_scratch) m_device.fill(m_scratch, 0xff);
    }

private:
    std::vector<Buffer> m_tables;
    Buffer m_scratch;
};

}  // namespace

ResampleProblem::ResampleProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to resize") {
    const Chosen chosen = parameters().read(values);
    const io::Shape& s = m_input->shape();
    if (std::max(s.width, s.height) > kMostExtent)
        throw Error(Error::Kind::unsupported, "an extent above 65,535 pixels is not resized: crop the picture");
    m_case.type = m_input->type();
    m_case.method = chosen.method;
    m_case.planes = static_cast<int>(s.depth * s.channels);
    if (chosen.task == Chosen::Task::rotate)
        poseTurn(chosen);
    else
        poseSize(chosen);
}

void ResampleProblem::poseSize(const Chosen& chosen) {
    const io::Shape& s = m_input->shape();
    const auto scaled = [](std::int64_t of, double by) {
        return std::clamp<std::int64_t>(std::llround(static_cast<double>(of) * by), 1, kMostExtent);
    };
    const auto ratio = [](std::int64_t a, std::int64_t b) { return static_cast<double>(a) / static_cast<double>(b); };
    const double byWidth = ratio(chosen.width, s.width), byHeight = ratio(chosen.height, s.height);
    const bool neither = chosen.width == 0 && chosen.height == 0;
    const std::int64_t width =
        chosen.width > 0 ? chosen.width : scaled(s.width, neither ? chosen.magnification : byHeight);
    const std::int64_t height =
        chosen.height > 0 ? chosen.height : scaled(s.height, neither ? chosen.magnification : byWidth);
    m_case.x = axisOf(s.width, width, chosen.method, chosen.antialias);
    m_case.y = axisOf(s.height, height, chosen.method, chosen.antialias);
    m_across = weightsOf(m_case.method, m_case.x);
    m_down = weightsOf(m_case.method, m_case.y);
}

void ResampleProblem::poseTurn(const Chosen& chosen) {
    if (chosen.method == Method::area)
        throw Error(Error::Kind::argument, "area resizes only: rotate by bilinear, bicubic or Lanczos");
    const std::array<double, 3>& spacing = m_input->geometry.spacing;
    if (spacing[0] != spacing[1])
        throw Error(Error::Kind::unsupported, "pixels that are not square are not rotated: resize the picture first");
    constexpr double kOne = 0x1p31, kDegree = std::numbers::pi / 180;
    m_case.turn = {true, std::llround(std::cos(chosen.angle * kDegree) * kOne),
                   std::llround(std::sin(chosen.angle * kDegree) * kOne)};
    m_case.border = chosen.border;
    const io::Shape& s = m_input->shape();
    const auto spanned = [&](std::int64_t along, std::int64_t across) {
        if (chosen.canvas == Chosen::Canvas::keep) return along;
        const std::int64_t parts = std::abs(m_case.turn.cosine) * along + std::abs(m_case.turn.sine) * across;
        return (parts + static_cast<std::int64_t>(kOne) - 1) >> 31;
    };
    const std::int64_t width = spanned(s.width, s.height), height = spanned(s.height, s.width);
    if (std::max(width, height) > kMostExtent)
        throw Error(Error::Kind::unsupported, "the result would be above 65,535 pixels: keep the canvas");
    m_case.x = axisOf(s.width, width, chosen.method, false);
    m_case.y = axisOf(s.height, height, chosen.method, false);
}

io::Shape ResampleProblem::outputShape() const {
    io::Shape shape = m_input->shape();
    shape.width = m_case.x.out;
    shape.height = m_case.y.out;
    return shape;
}

std::shared_ptr<io::Grid> ResampleProblem::emptyOutput() const {
    auto output = emptyLike(*m_input, outputShape(), m_input->type());
    const bool nowhere = m_input->shape().depth == 1 && m_input->geometry == io::Geometry();
    if (m_case.turn.turns) {
        if (!nowhere) output->geometry = turnedGeometry(m_input->geometry, m_case);
        return output;
    }
    const double steps[2] = {static_cast<double>(m_case.x.in) / m_case.x.out,
                             static_cast<double>(m_case.y.in) / m_case.y.out};
    if (auto& dpi = output->metadata.dpi)
        for (std::size_t axis = 0; axis < 2; ++axis) (*dpi)[axis] /= steps[axis];
    // A picture lies nowhere in space, unless its file said so.
    if (nowhere) return output;
    const io::Geometry& of = m_input->geometry;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        output->geometry.spacing[axis] = of.spacing[axis] * steps[axis];
        // Outer edges stay where they are.
        for (std::size_t row = 0; row < 3; ++row)
            output->geometry.origin[row] += of.direction[3 * row + axis] * of.spacing[axis] * (steps[axis] - 1) / 2;
    }
    return output;
}

Work ResampleProblem::work() const {
    const auto size = static_cast<std::int64_t>(io::sizeOf(m_case.type));
    const bool turns = m_case.turn.turns;
    const double rows = static_cast<double>(turns ? m_case.y.out * m_case.y.taps : m_case.y.in) * m_case.x.taps,
                 columns = static_cast<double>(m_case.y.out) * m_case.y.taps;
    return {.traffic = Traffic::copy,
            .bytesRead = m_input->shape().values() * size,
            .bytesWritten = outputShape().values() * size,
            .operations = 2 * (rows + columns) * m_case.x.out * m_case.planes};
}

Traits ResampleProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_case.type)},
                      {"size", m_case.turn.turns                                          ? "turns"
                               : m_case.x.out > m_case.x.in || m_case.y.out > m_case.y.in ? "grows"
                                                                                          : "shrinks"}},
            .sizes = {{"taps", {static_cast<double>(std::max(m_case.x.taps, m_case.y.taps)), 4}},
                      {"values", {static_cast<double>(outputShape().values()), 0.5}}}};
}

std::vector<std::string> ResampleProblem::facts() const {
    const auto text = [](int n) { return std::to_string(n); };
    const Case& c = m_case;
    return {text(c.x.in) + " x " + text(c.y.in) + " becomes " + text(c.x.out) + " x " + text(c.y.out),
            text(c.x.taps) + " x " + text(c.y.taps) + " taps"};
}

std::string ResampleProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                           const DeviceInfo& device) const {
    if (const char* why = kernel.refusal == nullptr ? nullptr : kernel.refusal(m_case)) return why;
    const Footprint tile = kernel.footprint(t);
    const std::size_t bytes = kernel.sharedBytes == nullptr ? 0 : kernel.sharedBytes(m_case, t);
    if (std::string why = refusalOfBlock(tile, bytes, device); !why.empty()) return why;
    if (m_case.planes > kMostBlocksAcross)
        return std::to_string(m_case.planes) + " slices in all; a grid of blocks has at most 65,535";
    return refusalOfRows(std::max(m_case.y.in, m_case.y.out), tile.blockHeight);
}

std::unique_ptr<Session> ResampleProblem::open(Device& device, Resident& resident) const {
    const std::size_t output = static_cast<std::size_t>(outputShape().values()) * io::sizeOf(m_case.type);
    const std::size_t between = m_case.turn.turns ? 0
                                                  : sizeof(float) * static_cast<std::size_t>(m_case.planes) *
                                                        static_cast<std::size_t>(m_case.y.in) *
                                                        static_cast<std::size_t>(m_case.x.out);
    // Channels that lie pixel by pixel are there once more while they are sorted.
    const std::size_t sorted = m_input->shape().channels > 1 ? std::max(m_input->bytes(), output) : 0;
    needMemory(device, resident, *m_input, static_cast<std::int64_t>(m_input->bytes() + output + between + sorted));
    keepResident(device, m_input, resident);
    return std::make_unique<ResampleSession>(*this, device, resident);
}

PlainTask ResampleProblem::plainTask() const {
    PlainTask task = ResampleFrame::plainTask();
    const auto floats = [](const std::vector<double>& all) { return std::vector<float>(all.begin(), all.end()); };
    task.arguments = {{"first_x", m_across.first},
                      {"first_y", m_down.first},
                      {"weights_x", floats(m_across.weight)},
                      {"weights_y", floats(m_down.weight)},
                      {"taps_x", std::int64_t{m_case.x.taps}},
                      {"taps_y", std::int64_t{m_case.y.taps}}};
    task.plain = valueAtText(Border::replicate, "float") +
                 "// Output x is made of taps_x pixels from first_x[x] on, whose weights lie from\n"
                 "// weights_x[x * taps_x] on; so are rows.\n"
                 "__global__ void my_kernel(const pixel_t* in, result_t* out, int width, int height,\n"
                 "                          int output_width, int output_height, const int* first_x,\n"
                 "                          const int* first_y, const float* weights_x, const float* weights_y,\n"
                 "                          int taps_x, int taps_y) {\n"
                 "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                 "    if (x >= output_width || y >= output_height) return;\n"
                 "    float sum = 0;\n"
                 "    for (int j = 0; j < taps_y; ++j) {\n"
                 "        float row = 0;\n"
                 "        for (int i = 0; i < taps_x; ++i)\n"
                 "            row += weights_x[x * taps_x + i] *\n"
                 "                   valueAt(in, width, height, first_x[x] + i, first_y[y] + j);\n"
                 "        sum += weights_y[y * taps_y + j] * row;\n"
                 "    }\n"
                 "    out[y * output_width + x] = " +
                 storedText(m_case.type, "sum") + ";\n}\n";
    if (m_case.turn.turns)
        task.refusal = "places of a rotation are whole numbers of 2^-32 pixels: take the task resize";
    return task;
}

// Columns first, in double. A weight may be off by some eps of its filter's height, 1 / stretch; each sum rounds.
Verification ResampleProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    const auto* library = ladder().libraryOf(variant);
    const double own = library == nullptr ? 0 : m_case.turn.turns ? kOpencvTurn : library->bound;
    const bool exact = m_case.method == Method::nearest;
    const double eps = (m_case.x.taps + m_case.y.taps + 16) * kEps;
    if (m_case.turn.turns) return verifyTurned(result, exact ? 0 : eps + own, stop);
    const auto inside = [](int i, int extent) { return std::clamp(i, 0, extent - 1); };
    const auto heightOf = [&](const Axis& axis) {
        return 1 / (m_case.method == Method::area ? std::max(1.0, static_cast<double>(axis.in) / axis.out)
                                                  : static_cast<double>(axis.stretch));
    };
    const double highX = heightOf(m_case.x), highY = heightOf(m_case.y);
    return checkRows(*result.picture, stop, [&](ImageVerifier& judge, std::int64_t y, std::int64_t z) {
        std::vector<double> sums(static_cast<std::size_t>(m_case.x.in)), sizes(sums.size());
        const auto row = static_cast<std::size_t>(y), tapsX = static_cast<std::size_t>(m_case.x.taps),
                   tapsY = static_cast<std::size_t>(m_case.y.taps);
        for (int c = 0; c < m_input->shape().channels; ++c) {
            std::ranges::fill(sums, 0);
            std::ranges::fill(sizes, 0);
            for (std::size_t j = 0; j < tapsY; ++j) {
                const double w = m_down.weight[row * tapsY + j];
                if (w == 0) continue;
                const int from = inside(m_down.first[row] + static_cast<int>(j), m_case.y.in);
                for (std::size_t x = 0; x < sums.size(); ++x) {
                    const double v = m_input->value(static_cast<std::int64_t>(x), from, z, c);
                    sums[x] += w * v;
                    sizes[x] += (std::fabs(w) + highY) * std::fabs(v);
                }
            }
            for (std::size_t x = 0; x < static_cast<std::size_t>(m_case.x.out); ++x) {
                double value = 0, size = 0;
                for (std::size_t i = 0; i < tapsX; ++i) {
                    const double w = m_across.weight[x * tapsX + i];
                    if (w == 0) continue;
                    const auto from =
                        static_cast<std::size_t>(inside(m_across.first[x] + static_cast<int>(i), m_case.x.in));
                    value += w * sums[from];
                    size += (std::fabs(w) + highX) * sizes[from];
                }
                const double bound = exact ? 0 : (eps + own) * size + (m_case.x.taps + m_case.y.taps) * 0x1p-149;
                judge.computed({static_cast<std::int64_t>(x), y, z}, c, value, bound);
            }
        }
    });
}

// Each pixel by its own taps; places are the kernels', to the bit.
Verification ResampleProblem::verifyTurned(const Result& result, double eps, const std::stop_token& stop) const {
    const auto inside = [&](std::int64_t i, std::int64_t n) -> std::int64_t {
        if ((i >= 0 && i < n) || m_case.border == Border::zero) return i >= 0 && i < n ? i : -1;
        if (m_case.border == Border::replicate) return std::clamp<std::int64_t>(i, 0, n - 1);
        const std::int64_t period = m_case.border == Border::wrap ? n : std::max<std::int64_t>(1, 2 * (n - 1));
        i = (i % period + period) % period;
        return i < n ? i : period - i;
    };
    const int channels = m_input->shape().channels;
    return checkRows(*result.picture, stop, [&](ImageVerifier& judge, std::int64_t y, std::int64_t z) {
        for (int x = 0; x < m_case.x.out; ++x) {
            const Places<double> at(m_case, Turned(m_case, x, static_cast<int>(y)));
            std::array<double, 4> values{}, sizes{};
            double all = 0;
            for (int j = 0; j < m_case.y.taps; ++j) {
                const double down = at.down.weight(m_case.method, m_case.y, j);
                const std::int64_t fromY = inside(at.down.first + j, m_case.y.in);
                for (int i = 0; i < m_case.x.taps; ++i) {
                    const double across = at.across.weight(m_case.method, m_case.x, i);
                    const std::int64_t fromX = inside(at.across.first + i, m_case.x.in);
                    all += across * down;
                    if (across == 0 || down == 0 || fromX < 0 || fromY < 0) continue;
                    for (int c = 0; c < channels; ++c) {
                        const double v = m_input->value(fromX, fromY, z, c);
                        values[static_cast<std::size_t>(c)] += across * down * v;
                        sizes[static_cast<std::size_t>(c)] +=
                            (std::fabs(across) + 1) * (std::fabs(down) + 1) * std::fabs(v);
                    }
                }
            }
            for (int c = 0; c < channels; ++c) {
                const auto k = static_cast<std::size_t>(c);
                const double tiny = eps == 0 ? 0 : (m_case.x.taps + m_case.y.taps) * 0x1p-149;
                judge.computed({x, y, z}, c, values[k] / all, eps * sizes[k] + tiny);
            }
        }
    });
}

/// Pictures of another size, by filters that are widened where they shrink; and rotated ones.
const Family& family() {
    static const FamilyOf<ResampleProblem> instance(
        FamilyInfo{.id = "resample",
                   .title = "Resample",
                   .group = "Rearrange",
                   .task = "Resize, rotate by any angle",
                   .makesPicture = true,
                   .volumes = true,
                   .swept = "width",
                   .moved = SliderBenchmark{.from = {{"magnification", 0.2}},
                                            .words = "bilinear by 0.2 to 2",
                                            .sliders = {{"magnification", 18}}}},
        parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::resample
