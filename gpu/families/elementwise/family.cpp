// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/float_bound.hpp"
#include "gpu/core/separating_level.hpp"
#include "gpu/families/elementwise/problem.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/tunables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warplens::gpu::elementwise {

#define WARPLENS_VARIANTS "gpu/families/elementwise/variants.inc"
#include "gpu/kernels/kernel_table.inc"

namespace {

using Op = Formula::Op;

// Luminance by Rec. 709, of the stored values.
constexpr double kLuma[3] = {0.2126, 0.7152, 0.0722};
constexpr double kEps = 0x1p-23, kTiny = 0x1p-147;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

io::PixelType typeOf(Chosen::OutputType asked, io::PixelType input) {
    using Type = Chosen::OutputType;
    if (asked == Type::same) return input;
    return asked == Type::u8 ? io::PixelType::u8 : asked == Type::u16 ? io::PixelType::u16 : io::PixelType::f32;
}

/// A multiply-add counts as two.
double operationsOf(Op op) {
    switch (op) {
        case Op::power:
        case Op::sum: return 3;
        case Op::pieces: return 9;
        case Op::curve:
        case Op::product:
        case Op::quotient:
        case Op::difference: return 2;
        case Op::mix: return 5;
        default: return 1;
    }
}

class ElementwiseSession final : public PictureSession<ElementwiseProblem, Arguments> {
public:
    ElementwiseSession(const ElementwiseProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident) {
        m_arguments.multiprocessors = std::max(1, device.info().multiprocessors);
        if (problem.with() == nullptr) return;
        keepResident(device, problem.with(), m_with);
        m_arguments.with = m_with.planes.handle();
    }

private:
    Resident m_with;
};

}  // namespace

ElementwiseProblem::ElementwiseProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values,
                                       std::optional<double> level)
    : FilterProblem(std::move(input), ladder(), "to work on"), m_values(values), m_chosen(parameters().read(values)) {
    const io::Shape& s = m_input->shape();
    const Task task = m_chosen.task;
    const auto refuse = [](const std::string& why) { throw Error(Error::Kind::argument, why); };
    if (m_chosen.pair()) {
        if (m_chosen.with == nullptr || m_chosen.with->grid == nullptr) refuse("with: name the second picture");
        m_with = m_chosen.with->grid;
        io::Shape same = m_with->shape();
        if (task == Task::replaceChannel && same.channels == 1) same.channels = s.channels;
        if (same != s || m_with->type() != m_input->type())
            refuse("with: " + m_chosen.with->name +
                   " has other extents, channels or another type than the picture: convert or crop one of them");
    }
    if (s.channels == 1 && (task == Task::saturation || task == Task::whiteBalance))
        throw Error(Error::Kind::unsupported, "the picture has one channel: open one with red, green and blue");
    if (s.channels == 1 && task == Task::channel)
        throw Error(Error::Kind::unsupported, "the picture has one channel: there is none to take");
    if (s.channels != 4 && m_chosen.channel == Chosen::Channel::alpha &&
        (task == Task::channel || task == Task::replaceChannel))
        throw Error(Error::Kind::argument, "channel: the picture has no alpha");
    if (task == Task::curves) m_curve = curveThrough(m_chosen.points);
    m_top = topOf(m_input->type());
    m_black = m_chosen.black / 100 * m_top;
    m_white = m_chosen.white / 100 * m_top;
    if (task == Task::threshold && m_chosen.thresholdBy == "percent") level = m_chosen.threshold / 100 * m_top;
    if (task == Task::threshold) m_level = level ? *level : separatingLevel(*m_input, m_chosen.thresholdBy);
    if ((task == Task::levels || task == Task::clip) && !(m_black < m_white)) refuse("white: has to be above black");
    const io::PixelType type = typeOf(m_chosen.outputType, m_input->type());
    if (m_chosen.conversion == Chosen::Conversion::range) m_conversion = topOf(type) / m_top;
    const bool colours = m_chosen.mixes() || task == Task::whiteBalance;
    const bool picks = m_chosen.picks();
    const int worked = picks ? s.channels : channelsWithout(colours ? Alpha::keep : m_chosen.alpha, s.channels);
    const bool one = task == Task::grey || task == Task::channel;
    m_case = {.type = m_input->type(),
              .outputType = type,
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .depth = static_cast<int>(s.depth),
              .pixels = static_cast<std::size_t>(s.pixels()),
              .channels = s.channels,
              .outputs = one     ? 1
                         : picks ? std::max(3, s.channels)
                                 : s.channels,
              .worked = worked,
              .alike = worked == s.channels && task != Task::whiteBalance && !picks,
              .pair = m_chosen.pair(),
              .formula = formulaOf()};
    if (picks) choosePlanes();
}

void ElementwiseProblem::choosePlanes() {
    const int chosen = static_cast<int>(m_chosen.channel), of = m_input->shape().channels;
    m_case.formula.op = Op::pick;
    int(&plane)[4] = m_case.formula.plane;
    for (int c = 0; c < m_case.outputs; ++c) plane[c] = of == 1 ? 0 : c;
    if (m_chosen.task == Task::channel) plane[0] = chosen;
    if (m_with != nullptr) plane[chosen] = 4 + (m_with->shape().channels == 1 ? 0 : chosen);
}

double ElementwiseProblem::pickedAt(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const {
    const Task task = m_chosen.task;
    const int chosen = static_cast<int>(m_chosen.channel);
    const auto of = [&](const io::Grid& grid, int wanted) {
        return grid.value(x, y, z, grid.shape().channels == 1 ? 0 : wanted);
    };
    if (task == Task::replaceChannel && channel == chosen) return of(*m_with, chosen);
    return of(*m_input, task == Task::channel ? chosen : channel);
}

Formula ElementwiseProblem::formulaOf() const {
    const Chosen& c = m_chosen;
    const auto all = [](double a) { return static_cast<float>(a); };
    Formula f{.low = all(-kInfinity), .high = all(kInfinity), .scale = all(m_conversion), .keep = all(m_conversion)};
    const auto gain = [&](double a, double b) {
        std::fill_n(f.a, 3, all(a));
        f.b = all(b);
    };
    const auto pair = [&](Op op, double a, double b) {
        f.op = op;
        gain(a, b);
    };
    /// Shares of black to white, of the full range.
    const auto curve = [&](double black, double white, double most, double gamma) {
        gain(1 / (white - black), -black / (white - black));
        f.low = 0;
        f.high = all(most);
        f.scale = all(m_top * m_conversion);
        if (gamma == 1) return;
        f.op = Op::power;
        f.exponent = all(1 / gamma);
    };
    const auto mix = [&](double saturation) {
        if (m_input->shape().channels == 1) return;
        f.op = Op::mix;
        for (int to = 0; to < 3; ++to)
            for (int of = 0; of < 3; ++of)
                f.weights[to][of] = all((1 - saturation) * kLuma[of] + (to == of ? saturation : 0));
    };
    switch (c.task) {
        case Task::copy: break;
        case Task::scale: gain(c.gain, c.offset); break;
        case Task::invert: gain(-1, m_top); break;
        case Task::exposure: gain(std::exp2(c.stops), 0); break;
        case Task::gamma: curve(0, m_top, kInfinity, c.gamma); break;
        case Task::levels: curve(m_black, m_white, 1, c.midtones); break;
        case Task::curves:
            curve(0, m_top, m_curve.last, 1);
            f.op = Op::pieces;
            f.low = all(m_curve.pieces.front().from);
            for (const CurvePiece& p : m_curve.pieces)
                f.piece[f.pieces++] = {all(p.from), all(p.value), all(p.slope), all(p.square), all(p.cubic)};
            break;
        case Task::colour:
        case Task::channel:
        case Task::replaceChannel: break;
        case Task::clip:
            f.low = all(m_black);
            f.high = all(m_white);
            break;
        case Task::threshold:
            f.op = Op::above;
            f.level = floatAtMost(m_level);
            f.scale = all(m_top * m_conversion);
            break;
        case Task::absolute: f.op = Op::absolute; break;
        case Task::whiteBalance:
            f.a[0] = all(c.red);
            f.a[1] = all(c.green);
            f.a[2] = all(c.blue);
            break;
        case Task::saturation: mix(c.saturation); break;
        case Task::grey: mix(0); break;
        case Task::add: pair(Op::sum, 1, 1); break;
        case Task::subtract: pair(Op::sum, 1, -1); break;
        case Task::multiply: pair(Op::product, c.gain, 0); break;
        case Task::divide:
            pair(Op::quotient, c.gain, 0);
            f.zeroByZero = m_input->type() != io::PixelType::f32;
            break;
        case Task::minimum: f.op = Op::minimum; break;
        case Task::maximum: f.op = Op::maximum; break;
        case Task::difference: f.op = Op::difference; break;
        case Task::blend: pair(Op::sum, 1 - c.opacity, c.opacity); break;
        case Task::axpy: pair(Op::sum, c.gain, 1); break;
    }
    return f;
}

PlainTask ElementwiseProblem::plainTask() const {
    PlainTask task = ElementwiseFrame::plainTask();
    const Formula& f = m_case.formula;
    task.planes = m_case.depth * m_case.worked;
    task.arguments = {{"a", double{f.a[0]}}, {"b", double{f.b}}, {"scale", double{f.scale}}};
    if (m_with != nullptr) {
        std::vector<float> values;
        for (std::int64_t y = 0; y < m_case.height; ++y)
            for (std::int64_t x = 0; x < m_case.width; ++x)
                values.push_back(static_cast<float>(m_with->value(x, y, 0, 0)));
        task.arguments.push_back({"with", std::move(values)});
    }
    const auto text = [&](const char* parameters, const std::string& value) {
        const std::string scaled = f.scale == 1 ? value : "scale * (" + value + ")";
        task.plain = std::string("__global__ void my_kernel(const pixel_t* in, result_t* out, int width,\n") +
                     "                          int height, " + parameters +
                     (f.scale == 1 ? ") {\n" : ", float scale) {\n") + placeText() +
                     "    const int i = y * width + x;\n    out[i] = " + storedText(m_case.outputType, scaled) +
                     ";\n}\n";
    };
    if (f.op == Op::curve && std::isinf(f.low) && std::isinf(f.high)) text("float a, float b", "a * in[i] + b");
    if (f.op == Op::sum) text("const float* with, float a, float b", "a * in[i] + b * with[i]");
    if (f.op == Op::product) text("const float* with, float a", "a * in[i] * with[i]");
    const bool converts = m_case.outputType != m_case.type || f.keep != 1;
    if (m_case.mixes() || m_chosen.task == Task::whiteBalance || m_chosen.task == Task::replaceChannel ||
        m_case.outputs != m_case.channels)
        task.refusal = "channels have something of their own: take a task that treats all alike";
    else if (m_case.worked < m_case.channels && converts)
        task.refusal = "the alpha that is kept is converted otherwise: take a picture without";
    else if (m_with != nullptr && task.planes > 1)
        task.refusal = "the second picture has several planes: take grey ones";
    return task;
}

// By the tasks' own words, in double. What is compared, copied or of another sign comes out to the last bit; else
// constants are rounded, and each operation is.
ElementwiseProblem::Expected ElementwiseProblem::expectedAt(std::int64_t x, std::int64_t y, std::int64_t z,
                                                            int channel) const {
    const Chosen& c = m_chosen;
    const double v = c.picks() ? pickedAt(x, y, z, channel) : m_input->value(x, y, z, channel);
    const auto judged = [&](double value, double magnitude) -> Expected {
        value *= m_conversion;
        magnitude *= m_conversion;
        // What no float holds is infinite.
        if (std::isinf(static_cast<float>(value))) value = std::copysign(kInfinity, value);
        return {value, magnitude == 0 && m_conversion == 1 ? 0 : 4 * kEps * (magnitude + std::fabs(value)) + kTiny};
    };
    const auto exact = [&](double value) { return judged(value, 0); };
    const auto product = [&](double a, double b) { return judged(a * b, std::fabs(a * b)); };
    const auto sum = [&](double a, double b) { return judged(a + b, std::fabs(a) + std::fabs(b)); };
    const auto clamped = [](double t, double low, double high) { return t < low ? low : t > high ? high : t; };
    const auto curve = [&](double black, double white, double most, double gamma) -> Expected {
        const double share = (v - black) / (white - black), t = clamped(share, 0, most);
        const double off = 2 * kEps * (std::fabs(v) + std::fabs(black)) / (white - black) + kTiny;
        const auto power = [&](double of) { return m_top * std::pow(of, 1 / gamma); };
        const double value = power(t), low = power(clamped(share - off, 0, most)),
                     high = power(clamped(share + off, 0, most));
        Expected made = judged(value, std::fabs(value));
        if (std::isfinite(value) && std::isfinite(v)) made.bound += std::max(high - value, value - low) * m_conversion;
        return made;
    };
    const auto mix = [&](double saturation) {
        double value = 0, magnitude = 0;
        for (int k = 0; k < 3; ++k) {
            const double term = ((1 - saturation) * kLuma[k] + (k == channel && m_case.outputs > 1 ? saturation : 0)) *
                                m_input->value(x, y, z, k);
            value += term;
            magnitude += std::fabs(term);
        }
        return judged(value, magnitude);
    };
    const auto toned = [&]() -> Expected {
        const double share = v / m_top, t = clamped(share, m_curve.pieces.front().from, m_curve.last);
        const auto [value, magnitude] = m_curve.at(share);
        Expected made = judged(m_top * value, m_top * magnitude);
        if (!std::isfinite(v)) return made;
        // Where a piece begins is rounded as well.
        const double off = 4 * kEps * std::fabs(t) + kTiny;
        made.bound +=
            m_top * m_conversion *
            std::max(std::fabs(m_curve.at(t + off).value - value), std::fabs(m_curve.at(t - off).value - value));
        return made;
    };
    if (c.picks() || (m_case.outputs > 1 && channel >= m_case.worked)) return exact(v);
    const double w = m_with == nullptr ? 0 : m_with->value(x, y, z, channel);
    switch (c.task) {
        case Task::copy: break;
        case Task::scale: return sum(c.gain * v, c.offset);
        case Task::invert: return sum(m_top, -v);
        case Task::exposure: return product(std::exp2(c.stops), v);
        case Task::gamma: return curve(0, m_top, kInfinity, c.gamma);
        case Task::levels: return curve(m_black, m_white, 1, c.midtones);
        case Task::curves: return toned();
        case Task::colour:
        case Task::channel:
        case Task::replaceChannel: break;
        case Task::clip: {
            const double value = clamped(v, m_black, m_white);
            return judged(value, std::fabs(value));
        }
        case Task::threshold: return exact(v > m_level ? m_top : 0);
        case Task::absolute: return exact(std::fabs(v));
        case Task::whiteBalance: return product(channel == 0 ? c.red : channel == 1 ? c.green : c.blue, v);
        case Task::saturation: return mix(c.saturation);
        case Task::grey: return m_input->shape().channels == 1 ? exact(v) : mix(0);
        case Task::add: return sum(v, w);
        case Task::subtract: return sum(v, -w);
        case Task::multiply: {
            Expected made = product(c.gain * v, w);
            made.bound += kTiny * std::fabs(w);  // the first product may be too small to be a normal float
            return made;
        }
        case Task::divide: return m_case.formula.zeroByZero && w == 0 ? exact(0) : product(c.gain, v / w);
        case Task::minimum: return exact(v < w || std::isnan(v) ? v : w);
        case Task::maximum: return exact(v > w || std::isnan(v) ? v : w);
        case Task::difference: return product(1, std::fabs(v - w));
        case Task::blend: return sum((1 - c.opacity) * v, c.opacity * w);
        case Task::axpy: return sum(c.gain * v, w);
    }
    return exact(v);
}

io::Shape ElementwiseProblem::outputShape() const {
    io::Shape shape = m_input->shape();
    shape.channels = m_case.outputs;
    return shape;
}

Work ElementwiseProblem::work() const {
    const auto pixels = static_cast<std::int64_t>(m_case.pixels);
    const int read = m_case.mixes() && m_case.outputs == 1 ? 3
                     : m_chosen.picks()                    ? m_case.outputs
                                                           : m_case.channels * (m_case.pair ? 2 : 1);
    return {.traffic = Traffic::copy,
            .bytesRead = pixels * read * static_cast<std::int64_t>(io::sizeOf(m_case.type)),
            .bytesWritten = pixels * m_case.outputs * static_cast<std::int64_t>(io::sizeOf(m_case.outputType)),
            .operations = operationsOf(m_case.formula.op) * static_cast<double>(pixels * m_case.outputs)};
}

Traits ElementwiseProblem::traits() const {
    const Op op = m_case.formula.op;
    // A curve costs about what a power does.
    const bool dear = op == Op::power || op == Op::pieces;
    const char* way = op == Op::mix ? "mix" : dear ? "power" : m_case.pair ? "pair" : "plain";
    return {.kinds = {{"type", io::nameOf(m_case.type)}, {"output", io::nameOf(m_case.outputType)}, {"way", way}},
            .sizes = {{"values", {static_cast<double>(m_case.count()), 0.5}}}};
}

std::vector<std::string> ElementwiseProblem::facts() const {
    std::vector<std::string> facts;
    if (m_with != nullptr) facts.push_back("with " + m_chosen.with->name);
    if (m_chosen.task == Task::threshold && m_chosen.thresholdBy != "percent")
        facts.push_back("level " + format(Parameter::Value(m_level)) + " by " + m_chosen.thresholdBy);
    if (m_case.outputType != m_case.type)
        facts.push_back(std::string("the result is ") + io::nameOf(m_case.outputType) +
                        (m_conversion == 1 ? ", values stay" : ", full range to full range"));
    if (m_case.worked < m_case.channels) facts.emplace_back(m_case.outputs == 1 ? "alpha left out" : "alpha copied");
    return facts;
}

std::unique_ptr<Session> ElementwiseProblem::open(Device& device, Resident& resident) const {
    const std::size_t output = static_cast<std::size_t>(outputShape().values()) * io::sizeOf(outputType());
    // Channels that lie pixel by pixel are there once more while they are sorted.
    const std::size_t sorted = m_case.channels > 1 ? std::max(m_input->bytes(), output) : 0;
    needMemory(device, resident, *m_input,
               static_cast<std::int64_t>(m_input->bytes() * (m_case.pair ? 2 : 1) + output + sorted));
    keepResident(device, m_input, resident);
    return std::make_unique<ElementwiseSession>(*this, device, resident);
}

std::unique_ptr<Problem> ElementwiseProblem::makePartition(std::shared_ptr<const io::Grid> lines,
                                                           std::int64_t first) const {
    ParameterValues values = m_values;
    if (m_with != nullptr) {
        auto with = linesOf(*m_with, cutAxis(), first, extentAlong(lines->shape(), cutAxis()), false);
        values["with"] = std::make_shared<const NamedGrid>(NamedGrid{m_chosen.with->name, std::move(with)});
    }
    return std::make_unique<ElementwiseProblem>(std::move(lines), values, m_level);
}

std::unique_ptr<PartitionMerger> ElementwiseProblem::emptyResults() const {
    return pictureOfPieces(emptyOutput(), cutAxis());
}

/// A value of the result for each value of a picture, or of two.
const Family& family() {
    static const FamilyOf<ElementwiseProblem> instance(
        FamilyInfo{.id = "elementwise",
                   .title = "Value by value",
                   .group = "Adjust",
                   .task = "Brighten, invert, levels, combine two pictures",
                   .makesPicture = true,
                   .volumes = true,
                   .moved = SliderBenchmark{.from = {{"task", std::string("exposure")}, {"stops", 0.0}},
                                            .words = "exposure from 0 to 2 stops",
                                            .sliders = {{"stops", 20}}}},
        parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::elementwise
