// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/table_judge.hpp"
#include "gpu/families/reduction/cub.hpp"
#include "gpu/families/reduction/opencv.hpp"
#include "gpu/families/reduction/parameters.hpp"
#include "gpu/families/reduction/session.hpp"
#include "gpu/families/reduction/table.hpp"
#include "gpu/frame/family_of.hpp"

#include <cmath>

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

Keep keepOf(const std::string& name) {
    if (name == "minimum") return Keep::minimum;
    if (name == "mean") return Keep::mean;
    return name == "sum" ? Keep::sum : Keep::maximum;
}

const char* nameOf(Measure measure) {
    return measure == Measure::statistics   ? "statistics"
           : measure == Measure::comparison ? "comparisons"
                                            : "projections";
}

}  // namespace

ReductionProblem::ReductionProblem(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values)
    : m_input(input) {
    const auto& list = parameters();
    validate(list, values);
    const auto refuse = [](const std::string& why) { return Error(Error::Kind::argument, why); };
    if (input == nullptr) throw refuse("no picture to reduce: open one first");
    if (input->type() == io::PixelType::u16 && input->shape().pixels() > kMostHalves) {
        throw Error(Error::Kind::unsupported,
                    "u16 has sums beyond 64 bits from 2,147,483,649 values per channel on: "
                    "reduce the volume in parts");
    }
    const std::string& along = textOf(list, values, "along");
    const auto with = pictureOf(list, values, "with");
    if (textOf(list, values, "measure") == "comparison") {
        m_measure = Measure::comparison;
        if (along != "all") throw refuse("along " + along + " is a projection of one picture: leave it out to compare");
        if (with == nullptr || with->grid == nullptr) throw refuse("with: name the picture to compare with");
        if (with->grid->shape() != input->shape() || with->grid->type() != input->type()) {
            throw refuse("with: " + with->name + " is " + extentsOf(*with->grid) + ", the picture " +
                         extentsOf(*input) + ": give one of the same extents, channels and type");
        }
        m_with = with->grid;
        m_withName = with->name;
    } else if (along != "all") {
        m_measure = Measure::projection;
        m_projection = {along == "x"   ? Axis::x
                        : along == "y" ? Axis::y
                                       : Axis::z,
                        keepOf(textOf(list, values, "keep"))};
        if (const std::string why = m_projection.refusal(*input); !why.empty())
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

std::string ReductionProblem::refusal(const Variant& variant, const TunableValues& tunables,
                                      const DeviceInfo& device) const {
    const std::string noCuda = "this program was built without the CUDA device";
    if (variant.kind == Variant::Kind::library) {
        if (m_measure == Measure::projection) return "makes no projections here: take one of the rays";
        if (variant.id == "cub") return WARPLENS_HAVE_CUDA ? library::cubReductionRefusal(*m_input) : noCuda;
        return library::opencvReductionRefusal(*m_input, m_with.get());
    }
    const KernelEntry* entry = ladder().entryOf(variant, device);
    if (entry == nullptr) return noCuda;
    const bool fits = m_measure == Measure::statistics   ? entry->statistics
                      : m_measure == Measure::comparison ? entry->compares
                                                         : entry->projects;
    if (!fits) {
        if (entry->compares) return "makes no projections";
        const char* does = entry->projects ? "makes projections" : "measures the statistics of one picture";
        return std::string(does) + ", no " + nameOf(m_measure);
    }
    if (variant.id == "atomic" && m_input->shape().pixels() > std::int64_t{1} << 32)
        return "places of more than 4,294,967,296 values do not fit 32 bits";
    const Footprint block = footprint(variant, tunables);
    const std::int64_t shared =
        std::int64_t{block.blockWidth} * block.blockHeight * static_cast<std::int64_t>(posed().cellBytes());
    if (shared > device.sharedBytesPerBlock) {
        return "a block this wide may need " + std::to_string(shared) + " bytes of shared memory; the device allows " +
               std::to_string(device.sharedBytesPerBlock);
    }
    return {};
}

Footprint ReductionProblem::footprint(const Variant& variant, const TunableValues& tunables) const {
    return ladder().anyBuildOf(variant).footprint(posed(), tunables);
}

Result ReductionProblem::runLibrary(const Variant&, double& milliseconds, std::stop_token) const {
    const bool floats = m_input->type() == io::PixelType::f32;
    const io::Shape& shape = m_input->shape();
    Table table = m_measure == Measure::comparison
                      ? comparisonTable(library::opencvComparison(*m_input, *m_with, milliseconds), shape, floats)
                      : statisticsTable(library::opencvStatistics(*m_input, milliseconds), shape, floats);
    return {.picture = {}, .tables = {std::make_shared<const Table>(std::move(table))}};
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
    Verification made = m_measure == Measure::comparison ? verifyComparison(got, variant, *exact)
                                                         : verifyStatistics(got, variant, *exact);
    if (variant.id == "opencv") made.note = library::opencvReductionNote();
    return made;
}

Verification ReductionProblem::verifyStatistics(const Table& got, const Variant& variant,
                                                const Reference& exact) const {
    const bool floats = m_input->type() == io::PixelType::f32, naive = variant.id == "opencv";
    const double depth = variant.kind == Variant::Kind::kernel ? ladder().anyBuildOf(variant).depth : 0;
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

Verification ReductionProblem::verifyComparison(const Table& got, const Variant& variant,
                                                const Reference& exact) const {
    const bool floats = m_input->type() == io::PixelType::f32;
    // OpenCV adds the products of long stretches in f32.
    const double depth = variant.kind == Variant::Kind::kernel ? ladder().anyBuildOf(variant).depth
                         : variant.id == "opencv"              ? 4096
                                                               : 0;
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

namespace {

class ReductionFamily final : public FamilyOf<ReductionProblem> {
public:
    using FamilyOf::FamilyOf;
    std::optional<ResultValues> resultValues(const ParameterValues& values) const override {
        const bool sums =
            textOf(parameters(), values, "along") != "all" && textOf(parameters(), values, "keep") == "sum";
        return sums ? std::optional(ResultValues{"sums"}) : std::nullopt;
    }
};

}  // namespace

/// What a picture or volume amounts to: its statistics, how far it is from another one, or its projection along an
/// axis.
const Family& family() {
    static const ReductionFamily instance(
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
        reduction::parameters(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::reduction
