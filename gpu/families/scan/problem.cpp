// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/scan/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/table_judge.hpp"
#include "gpu/families/scan/integral_cut.hpp"
#include "gpu/families/scan/reference.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/block_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

namespace warplens::gpu::scan {
namespace {

/// Down columns in strips: a sum in the strip's 32 rows is one of 12, and strips follow one another.
double depthOfStrips(double length) { return 16 + length / 4; }

const char* nameOf(Along along) {
    return along == Along::rows ? "rows" : along == Along::columns ? "columns" : "values";
}

IntegralCut cutOf(const ScanProblem& problem, const TunableValues& tunables) {
    const io::Shape& s = problem.input()->shape();
    const Integral integral{.type = problem.input()->type(),
                            .width = static_cast<int>(s.width),
                            .height = static_cast<int>(s.height),
                            .slices = problem.slices()};
    return integralCut(integral, static_cast<unsigned>(tunables.at("block_width")));
}

/// Why the tables of so many tiles would dwarf the picture that they are for, or empty.
std::string tilesTooMany(const Bins& bins, std::size_t pictureBytes) {
    constexpr std::uint64_t kSmall = 64u << 20, kMostTimes = 32;
    const auto perTile = static_cast<std::uint64_t>(bins.bins) * sizeof(std::uint32_t);
    const std::uint64_t most = std::max<std::uint64_t>(kSmall, kMostTimes * pictureBytes);
    if (static_cast<std::uint64_t>(bins.tiles()) * perTile <= most) return {};
    const double each = std::sqrt(static_cast<double>(most / perTile / static_cast<std::uint64_t>(bins.slices)));
    return std::to_string(bins.tilesX) + " tiles along each side need a table of " + std::to_string(bins.bins) +
           " counts per tile, too much for a picture of this size: give --tiles " +
           std::to_string(std::max(1, static_cast<int>(each))) + " or fewer";
}

}  // namespace

ScanProblem::ScanProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : ScanProblem(std::move(input), values, nullptr) {}

ScanProblem::ScanProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values, const ValueRange* range)
    : PictureProblem(std::move(input), ladder(), "to sum up"), m_values(values), m_asked(parameters().read(values)) {
    const auto refuse = [](const std::string& why) { return Error(Error::Kind::unsupported, why); };
    const io::Shape& s = m_input->shape();
    const bool floats = m_input->type() == io::PixelType::f32;
    if (m_asked.tables() && floats)
        throw refuse("equalise and clahe need 8- or 16-bit data; this picture is floating point");
    if (m_asked.task == Task::compact && s.pixels() > std::numeric_limits<std::uint32_t>::max())
        throw refuse("places of " + std::to_string(s.pixels()) + " pixels do not fit 32 bits: compact a part");
    if (m_asked.tables() && s.width * s.height > std::numeric_limits<std::int32_t>::max() / 2)
        throw refuse("counts of a slice this large do not fit 32 bits: equalise a part");
    if (m_asked.task == Task::clahe)
        if (const std::string why = tilesTooMany(bins(), m_input->bytes()); !why.empty()) throw refuse(why);
    if (s.depth * s.channels > kMostBlocksAcross && m_asked.task != Task::sums)
        throw refuse(std::to_string(s.depth * s.channels) + " slices in all; a grid of blocks has at most 65,535");
    if ((m_asked.windows() || m_asked.tables()) && s.height > kMostBlocksAcross)
        throw refuse(std::to_string(s.height) + " rows; a grid of blocks has at most 65,535");
    if (m_asked.windows() && floats) m_range = range != nullptr ? *range : rangeOf(*m_input, channels());
}

Work ScanProblem::work() const {
    const auto values = m_input->shape().pixels() * channels();
    const auto written =
        m_asked.task == Task::compact ? 0 : values * static_cast<std::int64_t>(io::sizeOf(outputType()));
    auto read = values * static_cast<std::int64_t>(io::sizeOf(m_input->type()));
    // Grey values are counted before the first of them can be looked up.
    if (m_asked.tables()) read *= 2;
    return {.traffic = written > 0 ? Traffic::copy : Traffic::read, .bytesRead = read, .bytesWritten = written};
}

Traits ScanProblem::traits() const {
    const char* task = m_asked.tables()                 ? "tables"
                       : m_asked.windows()              ? "windows"
                       : m_asked.task == Task::integral ? "integral"
                       : m_asked.task == Task::compact  ? "compact"
                                                        : "sums";
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"task", task},
                      {"along", m_asked.task == Task::sums ? nameOf(m_asked.along) : "rows"}},
            .sizes = {{"values", {static_cast<double>(m_input->shape().pixels() * channels()), 0.5}}}};
}

std::vector<std::string> ScanProblem::facts() const {
    const bool integers = m_input->type() != io::PixelType::f32;
    std::vector<std::string> facts;
    if (m_asked.sums() && integers) facts.emplace_back("sums in u32, modulo 2^32");
    if (m_asked.windows()) {
        const std::string side = std::to_string(2 * m_asked.radius + 1);
        facts.push_back("windows of " + side + " x " + side);
    }
    if (m_asked.task == Task::clahe) {
        const Bins b = bins();
        facts.push_back("tiles of " + std::to_string(b.tileWidth) + " x " + std::to_string(b.tileHeight) +
                        ", bins of at most " + (b.clip > 0 ? std::to_string(b.clip) : std::string("all")));
    }
    if (channels() < m_input->shape().channels)
        facts.emplace_back(outputType() == m_input->type() ? "alpha copied" : "alpha opaque");
    return facts;
}

SumType ScanProblem::sumType() const {
    const auto type = m_input->type();
    if (m_asked.task == Task::compact) return SumType::u32;
    if (!m_asked.windows()) return type == io::PixelType::f32 ? SumType::f32 : SumType::u32;
    return type == io::PixelType::f32 ? SumType::f64 : type == io::PixelType::u16 ? SumType::u64 : SumType::u32;
}

Along ScanProblem::firstAlong() const {
    return m_asked.task == Task::sums ? m_asked.along : m_asked.task == Task::compact ? Along::values : Along::rows;
}

Lines ScanProblem::linesAlong(Along along) const {
    const io::Shape& s = m_input->shape();
    const auto width = static_cast<std::uint64_t>(s.width), height = static_cast<std::uint64_t>(s.height);
    const auto slices = static_cast<std::uint64_t>(this->slices());
    const auto pixels = static_cast<std::uint64_t>(s.pixels());
    if (along == Along::values)
        return {.count = static_cast<std::uint64_t>(channels()), .length = pixels, .outer = pixels};
    if (along == Along::rows) return {.count = slices * height, .length = width, .outer = width};
    return {.count = slices * width, .length = height, .stride = width, .inner = width, .outer = width * height};
}

Bins ScanProblem::bins() const {
    const io::Shape& s = m_input->shape();
    Bins b{.type = m_input->type(),
           .width = static_cast<int>(s.width),
           .height = static_cast<int>(s.height),
           .slices = slices()};
    b.bins = b.type == io::PixelType::u8 ? 256 : 65536;
    b.tileWidth = b.width;
    b.tileHeight = b.height;
    if (m_asked.task != Task::clahe) return b;
    b.local = true;
    const int tiles = b.tilesX = b.tilesY = m_asked.tiles;
    // As OpenCV: when one extent is no multiple of the tiles, both are made longer, even one that is.
    const bool fits = b.width % tiles == 0 && b.height % tiles == 0;
    b.tileWidth = b.width / tiles + (fits ? 0 : 1);
    b.tileHeight = b.height / tiles + (fits ? 0 : 1);
    if (m_asked.clip > 0) {
        const double limit = m_asked.clip * (std::int64_t{b.tileWidth} * b.tileHeight) / b.bins;
        b.clip = std::max(1, static_cast<int>(std::min<double>(limit, std::numeric_limits<int>::max())));
    }
    return b;
}

Windows ScanProblem::windows() const {
    const io::Shape& s = m_input->shape();
    return {.type = m_input->type(),
            .width = static_cast<int>(s.width),
            .height = static_cast<int>(s.height),
            .slices = slices(),
            .radius = m_asked.radius,
            .threshold = m_asked.task == Task::threshold,
            .offset = m_asked.offset,
            .range = m_range};
}

std::string ScanProblem::refusalOfTask(const KernelEntry& entry) const {
    if (m_asked.tables()) {
        if (entry.count == nullptr) return "scans lines: equalise and clahe are for global_bins and shared_bins";
        return m_input->type() == io::PixelType::u16 && !entry.halves
                   ? "65,536 counts do not fit a block's shared memory: global_bins takes u16"
                   : "";
    }
    if (entry.integral != nullptr && m_asked.task == Task::sums)
        return "sums both ways, for integral, box, threshold and compact: look_back_vectorised sums lines in one pass";
    if (entry.count != nullptr) return "counts grey values: it is for equalise and clahe";
    if (entry.windowsAlone() && !m_asked.windows()) return "adds up windows: it is for box and threshold";
    if (entry.largestRadius > 0 && m_asked.radius > entry.largestRadius)
        return "adds up every window again: radii up to " + std::to_string(entry.largestRadius);
    const SumType sum = sumType();
    if (!entry.wide && sizeOf(sum) > 4 && entry.windows == nullptr)
        return "a tile says its sum in one word with what it is; windows of u16 and f32 need 64 bits for the sum alone";
    const bool fromCorners = m_asked.windows() && entry.windows == nullptr;
    if (fromCorners && m_input->type() == io::PixelType::f32 && !m_range.exactOverSlices())
        return std::string("takes sums from one another, in which ") +
               (m_range.finite ? "the least of these values would drown in the largest"
                               : "NaN and infinities would reach every later window") +
               ": one_pass and direct add up each window by itself";
    if (!entry.inPlace && (m_asked.windows() || m_asked.task == Task::integral))
        return "reads a whole prefix per value, which others would overwrite: it is for sums and compact";
    const Lines lines = linesAlong(firstAlong());
    if (lines.length > entry.longest)
        return "one thread would add up " + std::to_string(lines.length) + " values: take rows or columns";
    const std::uint64_t additions = lines.length * (lines.length + 1) / 2 * lines.count;
    if (entry.mostAdditions > 0 && additions > entry.mostAdditions)
        return "would make " + std::to_string(additions) + " additions, of at most " +
               std::to_string(entry.mostAdditions) + ": take shorter lines or fewer of them";
    constexpr std::uint64_t kMostBlocks = 0x7fffffff, kLeastTile = 32;
    if (!entry.byLines && (lines.length / kLeastTile + 1) * lines.count > kMostBlocks)
        return "the lines need more than 2,147,483,647 blocks";
    return {};
}

TunableValues ScanProblem::resolved(const Variant& variant, const TunableValues& chosen,
                                    const DeviceInfo& device) const {
    constexpr int kLeastThreads = 128;
    TunableValues values = resolve(variant, chosen);
    const auto width = values.find("block_width");
    if (width == values.end() || chosen.contains("block_width") || m_asked.tables()) return values;
    // A block of which a line fills half at most idles, and so do multiprocessors without a tile.
    const Lines lines = linesAlong(firstAlong());
    const KernelEntry& entry = ladder().anyBuildOf(variant);
    const bool inTiles = entry.scratchBytes != nullptr || entry.compactScratch != nullptr;
    const bool alongLines = m_asked.task == Task::sums || m_asked.task == Task::compact;
    const auto wanted = inTiles && alongLines ? static_cast<std::uint64_t>(std::max(1, device.multiprocessors)) : 0;
    const auto tooWide = [&] {
        const auto tile = static_cast<std::uint64_t>(footprint(variant, values).tileWidth);
        return tile >= 2 * lines.length || (lines.length + tile - 1) / tile * lines.count < wanted;
    };
    while (width->second > kLeastThreads && tooWide()) width->second /= 2;
    return values;
}

std::string ScanProblem::kernelRefusal(const KernelEntry& entry, const TunableValues& t,
                                       const DeviceInfo& device) const {
    if (const std::string why = refusalOfTask(entry); !why.empty()) return why;
    std::size_t bytes = entry.scanShared != nullptr ? entry.scanShared(m_input->type()) : 0;
    if (m_asked.windows() && entry.windowsShared != nullptr) bytes = entry.windowsShared(windows());
    if (m_asked.task == Task::compact && entry.compactShared != nullptr)
        bytes = entry.compactShared(m_input->type(), t);
    if (m_asked.task == Task::integral && entry.integral != nullptr)
        bytes = cutOf(*this, t).sharedBytes(io::sizeOf(m_input->type()));
    return refusalOfBlock(footprintOf(entry, t), bytes, device);
}

Footprint ScanProblem::footprintOf(const KernelEntry& entry, const TunableValues& tunables) const {
    const bool integral = m_asked.task == Task::integral && entry.integral != nullptr;
    if (integral) return scan::footprintOf(cutOf(*this, tunables));
    return m_asked.task == Task::compact && entry.compactFootprint != nullptr ? entry.compactFootprint(tunables)
                                                                              : entry.footprint(tunables);
}

std::string ScanProblem::indivisibleReason() const {
    if (m_asked.task == Task::compact) return {};
    if (m_asked.task == Task::sums && m_asked.along == Along::rows) return {};
    if (m_asked.task == Task::sums && m_asked.along == Along::values)
        return "sums along all values need all of it at once: rows can go over one after another";
    if (m_input->shape().depth > 1) return {};  // slices have nothing to do with each other
    if (m_asked.task == Task::sums) return "sums down columns need all rows at once";
    if (m_asked.tables()) return "grey values are counted over all of it first";
    if (m_asked.windows() && m_input->type() != io::PixelType::f32) return {};
    return m_asked.windows() ? "windows of floats would be rounded otherwise in pieces: u8 and u16 can be cut"
                             : "an integral picture needs all of it at once";
}

std::int64_t ScanProblem::halo() const { return m_asked.windows() && m_input->shape().depth == 1 ? m_asked.radius : 0; }

std::unique_ptr<Problem> ScanProblem::makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t) const {
    return std::unique_ptr<Problem>(new ScanProblem(std::move(lines), m_values, &m_range));
}

namespace {

/// Rows of tables one after another, as raster order has them.
class KeptInPieces final : public PartitionMerger {
public:
    explicit KeptInPieces(int axis) : m_axis(axis) {}

    void add(const Result& part, const Partition& piece) override {
        const Table& from = *part.tables.front();
        if (m_whole.columns.empty()) {
            m_whole = from;
            shift(0, piece.first);
            return;
        }
        const std::size_t before = m_whole.rows();
        for (std::size_t c = 0; c < from.columns.size(); ++c)
            std::visit(
                [&](auto& to) {
                    const auto& values = std::get<std::decay_t<decltype(to)>>(from.columns[c].values);
                    to.insert(to.end(), values.begin(), values.end());
                },
                m_whole.columns[c].values);
        shift(before, piece.first);
    }

    Result take() override { return {.picture = {}, .tables = {std::make_shared<const Table>(std::move(m_whole))}}; }

private:
    void shift(std::size_t from, std::int64_t by) {
        auto& places = std::get<Column::Integers>(m_whole.columns[static_cast<std::size_t>(m_axis)].values);
        for (std::size_t i = from; i < places.size(); ++i) places[i] += by;
    }

    int m_axis;  ///< columns x, y, z come first
    Table m_whole;
};

}  // namespace

std::unique_ptr<PartitionMerger> ScanProblem::emptyResults() const {
    if (m_asked.task == Task::compact) return std::make_unique<KeptInPieces>(cutAxis());
    return pictureOfPieces(emptyOutput(), cutAxis());
}

PlainTask ScanProblem::plainTask() const {
    PlainTask task = ScanFrame::plainTask();
    const io::Shape& s = m_input->shape();
    const bool aRow = s.height == 1 && s.depth == 1, rows = m_asked.along == Along::rows;
    if (m_asked.task != Task::sums)
        task.refusal = "several steps follow one another: take the task sums";
    else if (m_asked.along == Along::values && !aRow)
        task.refusal = "sums along all values need several launches: take them along rows or columns";
    const bool inclusive = m_asked.kind == ScanOptions::Kind::inclusive,
               across = rows || m_asked.along == Along::values;
    task.plain =
        "// A thread goes along a line.\n"
        "__global__ void my_kernel(const pixel_t* in, result_t* out, int width,\n"
        "                          int height) {\n" +
        placeText() + "    if (" + (across ? "x" : "y") +
        " > 0) return;\n"
        "    result_t sum = 0;\n    for (int i = 0; i < " +
        (across ? "width" : "height") +
        "; ++i) {\n        const int at = " + (across ? "y * width + i" : "i * width + x") + ";\n" +
        (inclusive ? "        sum += in[at];\n        out[at] = sum;\n"
                   : "        out[at] = sum;\n        sum += in[at];\n") +
        "    }\n}\n";
    return task;
}

std::shared_ptr<io::Grid> ScanProblem::emptyOutput() const {
    auto output = PictureProblem::emptyOutput();
    output->metadata.sourceType.clear();
    return output;
}

const Table& ScanProblem::expectedTable() const {
    std::call_once(m_tableMade, [&] { m_table = keptTable(*m_input, keptOf(m_asked, *m_input)); });
    return m_table;
}

Verification ScanProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    if (m_asked.task == Task::compact) {
        TableJudge judge;
        judge.compare(*result.tables.front(), expectedTable());
        return judge.result();
    }
    if (m_asked.tables()) return verifyLevels(m_asked, *m_input, *result.picture, stop);
    const bool library = variant.kind == Variant::Kind::library;
    if (m_asked.windows()) {
        const auto narrow = library ? nullptr : ladder().anyBuildOf(variant).windowsDepth;
        return verifyWindows(m_asked, *m_input, *result.picture, narrow == nullptr ? 0 : narrow(windows()), stop);
    }
    const auto oneByOne = [](double length) { return length; };
    Depths depths{oneByOne, oneByOne};  // OpenCV adds value by value, as naive does
    if (!library) {
        const KernelEntry& entry = ladder().anyBuildOf(variant);
        const bool columns = m_asked.task == Task::sums && entry.strided;
        depths = {entry.depth, columns || entry.byLines || entry.integral != nullptr ? entry.depth : &depthOfStrips};
    }
    return verifySums(m_asked, *m_input, *result.picture, depths, stop);
}

/// Running sums, and what is made of them: integral pictures, means of any window, equalised pictures, lists of pixels.
const Family& family() {
    static const FamilyOf<ScanProblem> instance(
        FamilyInfo{
            .id = "scan",
            .title = "Running sums",
            .group = "Count and measure",
            .task = "Sum up, even out light, threshold, list pixels",
            .makesOtherPicture = true,
            .makesTables = true,
            .valuesMatter = true,
            .swept = "radius",
        },
        scan::parameters().list(), ladder().variants(),
        [](const ParameterValues& values) -> std::optional<ResultValues> {
            return scan::parameters().read(values).sums() ? std::optional(ResultValues{"sums"}) : std::nullopt;
        });
    return instance;
}

#if !WARPLENS_HAVE_CUDA
ScanFrame::Library cub_library() { return {}; }
#endif

}  // namespace warplens::gpu::scan
