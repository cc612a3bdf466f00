// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/table_judge.hpp"
#include "gpu/frame/family_of.hpp"

#include <cmath>
#include <utility>

namespace warplens::gpu::reduction {
namespace {

/// Of half a unit in the last place of f32, and of f64.
constexpr double kRounding = 0x1p-24, kWideRounding = 0x1p-53;
/// Values whose squares still add up within 64 bits.
constexpr std::int64_t kMostHalves = std::int64_t{1} << 31;

std::string extentsOf(const io::Grid& grid) {
    const io::Shape& s = grid.shape();
    return std::to_string(s.width) + " x " + std::to_string(s.height) +
           (s.depth > 1 ? " x " + std::to_string(s.depth) : "") + ", " + std::to_string(s.channels) +
           (s.channels == 1 ? " channel, " : " channels, ") + io::nameOf(grid.type());
}

const char* nameOf(Measure measure) {
    return measure == Measure::statistics   ? "statistics"
           : measure == Measure::comparison ? "comparisons"
                                            : "projections";
}

}  // namespace

ReductionProblem::ReductionProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to reduce", true) {
    const Chosen chosen = parameters().read(values);
    const auto refuse = [](const std::string& why) { return Error(Error::Kind::argument, why); };
    if (m_input->type() == io::PixelType::u16 && m_input->shape().pixels() > kMostHalves) {
        throw Error(Error::Kind::unsupported,
                    "u16 has sums beyond 64 bits from 2,147,483,649 values per channel on: "
                    "reduce the volume in parts");
    }
    const bool whole = chosen.along == Chosen::Along::all;
    const auto axis = static_cast<int>(chosen.along) - 1;
    m_measure = chosen.measure;
    if (m_measure == Measure::comparison) {
        if (!whole)
            throw refuse(std::string("along ") + "xyz"[axis] +
                         " is a projection of one picture: leave it out to compare");
        const NamedGrid* const with = chosen.with.get();
        if (with == nullptr || with->grid == nullptr) throw refuse("with: name the picture to compare with");
        if (with->grid->shape() != m_input->shape() || with->grid->type() != m_input->type()) {
            throw refuse("with: " + with->name + " is " + extentsOf(*with->grid) + ", the picture " +
                         extentsOf(*m_input) + ": give one of the same extents, channels and type");
        }
        m_with = with->grid;
        m_withName = with->name;
    } else if (!whole) {
        m_measure = Measure::projection;
        m_projection = {static_cast<Axis>(axis), chosen.keep};
        if (const std::string why = m_projection.refusal(*m_input); !why.empty())
            throw Error(Error::Kind::unsupported, "keep sum: " + why);
    }
}

Work ReductionProblem::work() const {
    auto bytes = static_cast<std::int64_t>(m_input->bytes());
    if (m_measure == Measure::comparison) bytes *= 2;
    std::int64_t written = 0;
    if (m_measure == Measure::projection) {
        written = m_projection.shapeOf(m_input->shape()).values() *
                  static_cast<std::int64_t>(io::sizeOf(m_projection.typeOf(m_input->type())));
    }
    return {.traffic = Traffic::read, .bytesRead = bytes, .bytesWritten = written, .operations = 0};
}

Traits ReductionProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"measure", nameOf(m_measure)},
                      {"axis", m_measure != Measure::projection ? "none"
                               : m_projection.axis == Axis::x   ? "x"
                                                                : "y or z"}},
            .sizes = {{"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> ReductionProblem::facts() const {
    if (m_measure == Measure::comparison) return {"compared with " + m_withName};
    if (m_measure == Measure::statistics) {
        if (m_input->type() != io::PixelType::f32) return {"sums in 64-bit integers, exact"};
        return {"variance by sums around one of the values"};
    }
    const io::Shape s = m_projection.shapeOf(m_input->shape());
    return {std::to_string(s.width) + " x " + std::to_string(s.height) + " " +
            io::nameOf(m_projection.typeOf(m_input->type())) + ", of lines of " +
            std::to_string(m_projection.linesOf(m_input->shape()).length)};
}

Case ReductionProblem::posed() const {
    return {.measure = m_measure,
            .type = m_input->type(),
            .count = static_cast<std::uint64_t>(m_input->shape().pixels()),
            .keep = m_projection.keep,
            .lines = m_measure == Measure::projection ? m_projection.linesOf(m_input->shape()) : Lines{}};
}

float ReductionProblem::pivotOf(int channel) const {
    if (m_input->type() != io::PixelType::f32) return 0;
    const float* values = m_input->as<float>() + channel;
    const std::int64_t pixels = m_input->shape().pixels(), stride = m_input->shape().channels;
    for (std::int64_t i = 0; i < pixels; ++i)
        if (std::isfinite(values[i * stride])) return values[i * stride];
    return 0;
}

std::shared_ptr<io::Grid> ReductionProblem::emptyOutput() const {
    return std::make_shared<io::Grid>(m_projection.emptyFor(*m_input));
}

PlainTask ReductionProblem::plainTask() const {
    if (m_measure != Measure::projection) {
        PlainTask task = ReductionFrame::plainTask();
        task.refusal = "it makes several figures: take one of each row or column, along x or y";
        return task;
    }
    const io::Grid output = m_projection.emptyFor(*m_input);
    PlainTask task = plainTaskOf(m_input, output.shape(), output.type());
    if (m_projection.axis == Axis::z || m_input->shape().depth > 1)
        task.refusal = "its lines reach across slices: take a picture, along x or y";
    task.threadsOfInput = true;
    const bool along = m_projection.axis == Axis::x;
    const Keep keep = m_projection.keep;
    const std::string value = along ? "in[line * width + i]" : "in[i * width + line]";
    const std::string step = keep == Keep::maximum   ? "if (value > all) all = value;"
                             : keep == Keep::minimum ? "if (value < all) all = value;"
                                                     : "all += value;";
    const bool extreme = keep == Keep::maximum || keep == Keep::minimum;
    const std::string first = extreme ? (along ? "in[line * width]" : "in[line]") : "0";
    task.plain =
        "// A thread goes along a line.\n"
        "__global__ void my_kernel(const pixel_t* in, result_t* out, int width,\n"
        "                          int height) {\n"
        "    const int line = " +
        std::string(along ? "blockIdx.y * blockDim.y + threadIdx.y" : "blockIdx.x * blockDim.x + threadIdx.x") +
        ";\n    if (line >= " +
        (along ? "height || blockIdx.x * blockDim.x + threadIdx.x > 0"
               : "width || blockIdx.y * blockDim.y + threadIdx.y > 0") +
        ") return;\n    " + (keep == Keep::mean || task.outputType == io::PixelType::f32 ? "double" : "result_t") +
        " all = " + first + ";\n    for (int i = 0; i < " + (along ? "width" : "height") +
        "; ++i) {\n        const auto value = " + value + ";\n        " + step + "\n    }\n    out[line] = all" +
        (keep == Keep::mean ? (along ? " / width" : " / height") : "") + ";\n}\n";
    return task;
}

std::string ReductionProblem::refusal(const Variant& variant, const TunableValues& tunables,
                                      const DeviceInfo& device) const {
    if (variant.kind == Variant::Kind::library && m_measure == Measure::projection)
        return "makes no projections here: take one of the rays";
    return PictureProblem::refusal(variant, tunables, device);
}

std::string ReductionProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& tunables,
                                            const DeviceInfo& device) const {
    const bool fits = m_measure == Measure::statistics   ? kernel.statistics
                      : m_measure == Measure::comparison ? kernel.compares
                                                         : kernel.projects;
    if (!fits) {
        if (kernel.compares) return "makes no projections";
        const char* does = kernel.projects ? "makes projections" : "measures the statistics of one picture";
        return std::string(does) + ", no " + nameOf(m_measure);
    }
    if (posed().count > kernel.mostValues) return "places of more than 4,294,967,296 values do not fit 32 bits";
    const Footprint block = kernel.footprint(posed(), tunables);
    const std::int64_t shared =
        std::int64_t{block.blockWidth} * block.blockHeight * static_cast<std::int64_t>(posed().cellBytes());
    if (shared > device.sharedBytesPerBlock) {
        return "a block this wide may need " + std::to_string(shared) + " bytes of shared memory; the device allows " +
               std::to_string(device.sharedBytesPerBlock);
    }
    return {};
}

std::shared_ptr<const ReductionProblem::Reference> ReductionProblem::reference(const std::stop_token& stop) const {
    const std::lock_guard lock(m_mutex);
    if (m_reference != nullptr) return m_reference;
    auto made = std::make_shared<Reference>();
    for (int c = 0; c < m_input->shape().channels; ++c) {
        if (m_measure == Measure::comparison)
            made->comparisons.push_back(exactComparison(*m_input, *m_with, c, stop));
        else
            made->statistics.push_back(exactStatistics(*m_input, c, stop));
    }
    return m_reference = std::move(made);
}

Verification ReductionProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    if (m_measure == Measure::projection) return verifyProjection(m_projection, *m_input, *result.picture, stop);
    const auto exact = reference(stop);
    const Table& got = *result.tables.front();
    const Library* const library = rows().libraryOf(variant);
    const double depth = library != nullptr ? library->bound / kRounding : rows().anyBuildOf(variant).depth;
    const bool naive = library != nullptr && library->bound > 0;
    Verification made = m_measure == Measure::comparison ? verifyComparison(got, depth, *exact)
                                                         : verifyStatistics(got, depth, naive, *exact);
    if (library != nullptr && *library->note != '\0') made.note = library->note;
    return made;
}

Verification ReductionProblem::verifyStatistics(const Table& got, double depth, bool naive,
                                                const Reference& exact) const {
    const bool floats = m_input->type() == io::PixelType::f32;
    std::vector<ChannelStatistics> rows;
    TableJudge::Bounds bounds;
    for (int c = 0; c < m_input->shape().channels; ++c) {
        const ExactStatistics& channel = exact.statistics[static_cast<std::size_t>(c)];
        const ChannelStatistics& f = channel.figures;
        rows.push_back(f);
        // E[x^2] - E[x]^2 loses what the mean's square has beyond the variance.
        const double cancelled = f.variance + f.mean * f.mean;
        const double off = f.mean - static_cast<double>(pivotOf(c));
        if (floats) {
            const auto n = static_cast<double>(f.count);
            // OpenCV adds neighbours in f32 first.
            const double sum = ((naive ? 1 : depth) * kRounding + n * kWideRounding) * channel.magnitude;
            bounds["sum"].push_back(sum);
            bounds["mean"].push_back(sum / n + kWideRounding * std::fabs(f.mean));
            // The sums of values and of squares around the pivot, the first of them squared, n additions each.
            const double wide = (3 * n + 8) * kWideRounding * (f.variance + off * off);
            const double narrow = depth > 0 ? (depth + 1) * 64 * kRounding * f.variance : 0;
            bounds["variance"].push_back(naive ? 0x1p-40 * cancelled : narrow + wide);
        } else if (naive) {
            bounds["mean"].push_back(0x1p-40 * f.mean);
            bounds["variance"].push_back(0x1p-40 * cancelled);
        }
    }
    TableJudge judge;
    judge.compare(got, statisticsTable(rows, m_input->shape(), floats), bounds);
    return judge.result();
}

Verification ReductionProblem::verifyComparison(const Table& got, double depth, const Reference& exact) const {
    const bool floats = m_input->type() == io::PixelType::f32;
    std::vector<ChannelComparison> rows;
    TableJudge::Bounds bounds;
    for (const ExactComparison& channel : exact.comparisons) {
        const ChannelComparison& f = channel.figures;
        rows.push_back(f);
        // A difference is rounded once before it is added, and twice in its square.
        const auto n = static_cast<double>(channel.count);
        const double relative = floats ? (depth > 0 ? (depth + 4) * kRounding : 0) + (n + 4) * kWideRounding : 0x1p-50;
        if (floats) {
            bounds["dot"].push_back(((depth > 0 ? depth + 1 : 0) * kRounding + n * kWideRounding) * channel.magnitude +
                                    n * 0x1p-149);
            bounds["max_abs"].push_back(kRounding * f.maxAbs + 0x1p-149);
        }
        bounds["mean_abs"].push_back(relative * f.meanAbs);
        bounds["rmse"].push_back(relative * f.rmse);
        bounds["psnr"].push_back(9 * relative + 0x1p-44 * std::fabs(f.psnr));
    }
    TableJudge judge;
    judge.compare(got, comparisonTable(rows, m_input->shape(), floats), bounds);
    return judge.result();
}

/// What a picture or volume amounts to: its statistics, how far it is from another one, or its projection along an
/// axis.
const Family& family() {
    static const FamilyOf<ReductionProblem> instance(
        FamilyInfo{
            .id = "reduction",
            .title = "Statistics",
            .group = "Count and measure",
            .task = "Measure a picture, compare two, project a volume",
            .makesOtherPicture = true,
            .makesTables = true,
            .services = {{Service::statistics, {{"measure", std::string("statistics")}}},
                         {Service::comparison, {{"measure", std::string("comparison")}}}},
        },
        reduction::parameters().list(), ladder().variants(),
        [](const ParameterValues& values) -> std::optional<ResultValues> {
            const Chosen chosen = reduction::parameters().read(values);
            const bool sums = chosen.along != Chosen::Along::all && chosen.keep == Keep::sum;
            return sums ? std::optional(ResultValues{"sums"}) : std::nullopt;
        });
    return instance;
}

#if !WARPLENS_HAVE_CUDA
ReductionFrame::Library cub_library() { return {}; }
#endif

}  // namespace warplens::gpu::reduction
