// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/scan/reference.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace warplens::gpu::scan {
namespace {

constexpr double kRounding = 0x1p-24, kTiny = 0x1p-149, kWideRounding = 0x1p-53;

void stopWhenAsked(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
}

/// A sum by the definition: of integers whole, of floats with the sum of magnitudes of what is finite.
struct Exact {
    std::uint64_t whole = 0;
    int unit = ValueRange::kHighestUnit;  ///< every finite value is a multiple of 2^unit
    long double sum = 0, magnitude = 0;

    void add(double value, bool integer) {
        if (integer) {
            whole += static_cast<std::uint64_t>(value);
            return;
        }
        sum += value;
        if (!std::isfinite(value)) return;
        magnitude += std::fabs(value);
        unit = std::min(unit, unitOf(static_cast<float>(value)));
    }
    void add(const Exact& other) {
        whole += other.whole;
        sum += other.sum;
        magnitude += other.magnitude;
        unit = std::min(unit, other.unit);
    }
    /// Whether f64 holds it, and every sum of some of its values.
    bool exactInDouble() const { return magnitude < std::ldexp(1.0L, 53 + unit); }
};

void judgeSum(ImageVerifier& judge, const ImageVerifier::Place& place, int channel, const Exact& exact, bool integer,
              double depth) {
    constexpr double kMost = std::numeric_limits<float>::max();
    if (integer) return judge.kept(place, channel, static_cast<double>(static_cast<std::uint32_t>(exact.whole)));
    const double sum = static_cast<double>(exact.sum), magnitude = static_cast<double>(exact.magnitude);
    const double bound = (depth + 1) * kRounding * magnitude + kTiny;
    if (magnitude + bound > kMost && !std::isnan(sum)) {
        const bool oneSign = std::fabs(exact.sum) == exact.magnitude;
        if (oneSign && magnitude - bound > kMost)
            judge.kept(place, channel, std::copysign(std::numeric_limits<double>::infinity(), sum));
        return;
    }
    judge.computed(place, channel, sum, bound);
}

/// Sums of a row of windows: columns of the window's rows first. As no sum is taken away from another, what a window
/// does not hold has no part in it: each column has the sum of its stretch up to it and from it on, and a window
/// reaches from one stretch into the next, or begins or ends where the row does.
class WindowRow {
public:
    WindowRow(const io::Grid& input, std::int64_t top, std::int64_t bottom, std::int64_t z, int channel, int radius)
        : m_stretch(std::size_t{2} * static_cast<std::size_t>(radius) + 1) {
        const bool integer = input.type() != io::PixelType::f32;
        m_upTo.resize(static_cast<std::size_t>(input.shape().width));
        for (std::int64_t y = top; y <= bottom; ++y)
            for (std::size_t x = 0; x < m_upTo.size(); ++x)
                m_upTo[x].add(input.value(static_cast<std::int64_t>(x), y, z, channel), integer);
        m_from = m_upTo;
        for (std::size_t x = m_from.size(); x-- > 0;)
            if ((x + 1) % m_stretch != 0 && x + 1 < m_from.size()) m_from[x].add(m_from[x + 1]);
        for (std::size_t x = 1; x < m_upTo.size(); ++x)
            if (x % m_stretch != 0) m_upTo[x].add(m_upTo[x - 1]);
    }
    Exact sum(std::size_t left, std::size_t right) const {
        if (left / m_stretch == right / m_stretch) return left % m_stretch == 0 ? m_upTo[right] : m_from[left];
        Exact sum = m_from[left];
        sum.add(m_upTo[right]);
        return sum;
    }

private:
    std::size_t m_stretch;
    std::vector<Exact> m_upTo, m_from;
};

void judgeWindow(ImageVerifier& judge, const ScanOptions& asked, const ImageVerifier::Place& place, int channel,
                 const Exact& window, double pixels, int narrow, const io::Grid& input, const io::Grid& output) {
    const bool integer = input.type() != io::PixelType::f32;
    const long double sum = integer ? static_cast<long double>(window.whole) : window.sum;
    const double wide = (pixels + 4) * kWideRounding * static_cast<double>(window.magnitude);
    if (asked.task == Task::box) {
        const auto mean = static_cast<double>(sum / pixels);
        const double rounded = integer ? 0 : kRounding * std::fabs(mean) + kTiny;
        const double inFloats = narrow * kRounding * static_cast<double>(window.magnitude);
        return judge.computed(place, channel, mean, (inFloats + wide) / pixels + rounded);
    }
    const double value = input.value(place[0], place[1], place[2], channel);
    const double level = (value + asked.offset) * pixels;
    double expected = level > sum ? 255 : 0;
    // The digits that decide are beyond those of f64.
    if (!integer && !window.exactInDouble() && std::fabs(level - sum) <= wide) {
        const double got = output.value(place[0], place[1], place[2], channel);
        if (got == 0 || got == 255) expected = got;
    }
    judge.kept(place, channel, expected);
}

int reflected(int at, int extent) {
    if (extent == 1) return 0;
    const int period = 2 * (extent - 1), inPeriod = at % period;
    return inPeriod < extent ? inPeriod : period - inPeriod;
}

/// Rounded to nearest, halves to even, as OpenCV's saturate_cast.
int toLevel(float value, int bins) {
    return static_cast<int>(std::clamp(std::nearbyint(value), 0.0F, static_cast<float>(bins - 1)));
}

int binsOf(const io::Grid& input) { return input.type() == io::PixelType::u8 ? 256 : 65536; }

std::vector<int> planeOf(const io::Grid& input, std::int64_t z, int channel) {
    std::vector<int> plane;
    for (std::int64_t y = 0; y < input.shape().height; ++y)
        for (std::int64_t x = 0; x < input.shape().width; ++x)
            plane.push_back(static_cast<int>(input.value(x, y, z, channel)));
    return plane;
}

/// What is over the limit is dealt out to all bins, and what is left to bins evenly apart.
void clipCounts(std::vector<int>& counts, int limit) {
    const int bins = static_cast<int>(counts.size());
    int over = 0;
    for (int& count : counts) {
        if (count <= limit) continue;
        over += count - limit;
        count = limit;
    }
    int left = over % bins;
    for (int& count : counts) count += over / bins;
    if (left == 0) return;
    const std::size_t step = static_cast<std::size_t>(std::max(bins / left, 1));
    for (std::size_t i = 0; i < counts.size() && left > 0; i += step, --left) ++counts[i];
}

std::vector<float> tableOf(const std::vector<int>& counts, int pixels) {
    const int bins = static_cast<int>(counts.size());
    const float scale = static_cast<float>(bins - 1) / static_cast<float>(pixels);
    std::vector<float> table;
    int sum = 0;
    for (const int count : counts) {
        sum += count;
        table.push_back(static_cast<float>(toLevel(static_cast<float>(sum) * scale, bins)));
    }
    return table;
}

}  // namespace

namespace {

/// Sums of lines and columns before a row.
struct SumsBefore {
    std::vector<Exact> line, columns;

    explicit SumsBefore(const io::Shape& s)
        : line(static_cast<std::size_t>(s.channels)), columns(static_cast<std::size_t>(s.width * s.channels)) {}
    void add(const SumsBefore& other) {
        for (std::size_t i = 0; i < line.size(); ++i) line[i].add(other.line[i]);
        for (std::size_t i = 0; i < columns.size(); ++i) columns[i].add(other.columns[i]);
    }
};

/// Rows that are summed and judged by themselves, once what comes before them is known.
struct Band {
    std::int64_t z, top, bottom;

    /// Goes over the band's values and calls f(x, y, channel, sum).
    template <class F>
    void walk(const ScanOptions& asked, const io::Grid& input, SumsBefore& sums, F f) const {
        const io::Shape& s = input.shape();
        const bool integer = input.type() != io::PixelType::f32, integral = asked.task == Task::integral;
        for (std::int64_t y = top; y < bottom; ++y) {
            if (integral || asked.along == Along::rows) std::ranges::fill(sums.line, Exact{});
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = 0; c < s.channels; ++c) {
                    Exact& column = sums.columns[static_cast<std::size_t>(x * s.channels + c)];
                    Exact& line = sums.line[static_cast<std::size_t>(c)];
                    Exact& own = !integral && asked.along == Along::columns ? column : line;
                    const Exact before = own;
                    own.add(input.value(x, y, z, c), integer);
                    if (integral) column.add(line);
                    f(x, y, c, integral ? column : asked.kind == ScanOptions::Kind::exclusive ? before : own);
                }
        }
    }
};

/// Calls f(i) for i below `count`, at once.
template <class F>
void everyOne(std::size_t count, const std::stop_token& stop, F f) {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        if (!stop.stop_requested()) f(i);
    });
    stopWhenAsked(stop);
}

}  // namespace

Verification verifySums(const ScanOptions& asked, const io::Grid& input, const io::Grid& output, const Depths& depths,
                        const std::stop_token& stop) {
    constexpr std::int64_t kMostBands = 64, kMostBytes = std::int64_t{1} << 28;  // that bands may take together
    const io::Shape& s = input.shape();
    const auto ofBand = static_cast<std::int64_t>(sizeof(Exact)) * s.width * s.channels;
    const std::int64_t bandsWanted = std::clamp<std::int64_t>(kMostBytes / ofBand, 1, kMostBands);
    const bool integer = input.type() != io::PixelType::f32, integral = asked.task == Task::integral;
    // Of a sum's own values alone.
    const auto depthAt = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        const auto across = static_cast<double>(x + 1), down = static_cast<double>(y + 1);
        if (integral) return depths.line(across) + depths.column(down);
        if (asked.along == Along::columns) return depths.column(down);
        if (asked.along == Along::rows) return depths.line(across);
        return depths.line(static_cast<double>((z * s.height + y) * s.width + x + 1));
    };
    const std::int64_t rows = (s.height + bandsWanted - 1) / bandsWanted;
    const auto bands = static_cast<std::size_t>((s.height + rows - 1) / rows);
    ImageVerifier judge(output);
    SumsBefore before(s);
    for (std::int64_t z = 0; z < s.depth; ++z) {
        const auto bandAt = [&](std::size_t i) {
            const std::int64_t top = static_cast<std::int64_t>(i) * rows;
            return Band{z, top, std::min(top + rows, s.height)};
        };
        std::vector<SumsBefore> sums(bands, SumsBefore(s));
        everyOne(bands, stop, [&](std::size_t i) { bandAt(i).walk(asked, input, sums[i], [](auto&&...) {}); });
        std::ranges::fill(before.columns, Exact{});
        for (SumsBefore& one : sums) {
            const SumsBefore here = before;
            before.add(one);
            one = here;
        }
        std::vector<ImageVerifier> judges(bands, ImageVerifier(output));
        everyOne(bands, stop, [&](std::size_t i) {
            ImageVerifier own(output);
            bandAt(i).walk(asked, input, sums[i], [&](std::int64_t x, std::int64_t y, int c, const Exact& sum) {
                judgeSum(own, {x, y, z}, c, sum, integer, depthAt(x, y, z));
            });
            judges[i] = own;
        });
        for (const ImageVerifier& one : judges) judge.join(one);
    }
    return judge.result();
}

namespace {

/// An alpha that was not asked for: as it was, or opaque in a mask of another type.
void judgeAlpha(ImageVerifier& judge, const ScanOptions& asked, const io::Grid& input, const io::Grid& output) {
    const io::Shape& s = input.shape();
    if (asked.channelsOf(s.channels) == s.channels) return;
    const bool copied = input.type() == output.type();
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x) judge.kept({x, y, z}, 3, copied ? input.value(x, y, z, 3) : 255);
}

}  // namespace

Verification verifyWindows(const ScanOptions& asked, const io::Grid& input, const io::Grid& output, int narrow,
                           const std::stop_token& stop) {
    constexpr std::int64_t kMostAdditions = 1 << 28;
    const io::Shape& s = input.shape();
    const std::int64_t side = std::min<std::int64_t>(s.height, 2 * asked.radius + 1);
    const std::int64_t every =
        1 + s.values() / kMostAdditions * side + s.values() % kMostAdditions * side / kMostAdditions;
    std::vector<std::int64_t> rows;
    for (std::int64_t y = 0; y < s.height; ++y)
        if (y % every == 0 || y == s.height - 1) rows.push_back(y);
    const auto judgeRow = [&](ImageVerifier& judge, std::int64_t y, std::int64_t z, int c) {
        const std::int64_t top = std::max<std::int64_t>(0, y - asked.radius);
        const std::int64_t bottom = std::min(s.height - 1, y + asked.radius);
        const WindowRow row(input, top, bottom, z, c, asked.radius);
        for (std::int64_t x = 0; x < s.width; ++x) {
            const std::int64_t left = std::max<std::int64_t>(0, x - asked.radius);
            const std::int64_t right = std::min(s.width - 1, x + asked.radius);
            judgeWindow(judge, asked, {x, y, z}, c,
                        row.sum(static_cast<std::size_t>(left), static_cast<std::size_t>(right)),
                        static_cast<double>((right - left + 1) * (bottom - top + 1)), narrow, input, output);
        }
    };
    ImageVerifier judge(output);
    judgeAlpha(judge, asked, input, output);
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (int c = 0; c < asked.channelsOf(s.channels); ++c) {
            std::vector<ImageVerifier> judges(rows.size(), ImageVerifier(output));
            everyOne(rows.size(), stop, [&](std::size_t i) {
                ImageVerifier own(output);
                judgeRow(own, rows[i], z, c);
                judges[i] = own;
            });
            for (const ImageVerifier& one : judges) judge.join(one);
        }
    return judge.result();
}

std::vector<int> equalised(const io::Grid& input, std::int64_t z, int channel) {
    std::vector<int> plane = planeOf(input, z, channel);
    const int bins = binsOf(input), pixels = static_cast<int>(plane.size());
    std::vector<int> counts(static_cast<std::size_t>(bins)), table(counts.size());
    for (const int value : plane) ++counts[static_cast<std::size_t>(value)];
    std::size_t bin = 0;
    while (counts[bin] == 0) ++bin;
    if (counts[bin] == pixels) return plane;
    const float scale = static_cast<float>(bins - 1) / static_cast<float>(pixels - counts[bin]);
    int sum = 0;
    for (++bin; bin < counts.size(); ++bin) {
        sum += counts[bin];
        table[bin] = toLevel(static_cast<float>(sum) * scale, bins);
    }
    for (int& value : plane) value = table[static_cast<std::size_t>(value)];
    return plane;
}

std::vector<int> equalisedLocally(const io::Grid& input, std::int64_t z, int channel, double clip, int tiles) {
    const int width = static_cast<int>(input.shape().width), height = static_cast<int>(input.shape().height);
    const int bins = binsOf(input);
    // When one side has to be made longer, the other is as well, by a whole row or column of tiles if it would fit.
    const bool fits = width % tiles == 0 && height % tiles == 0;
    const int tileWidth = (fits ? width : width + tiles - width % tiles) / tiles;
    const int tileHeight = (fits ? height : height + tiles - height % tiles) / tiles;
    const int pixels = tileWidth * tileHeight;
    const std::vector<int> plane = planeOf(input, z, channel);
    std::vector<std::vector<float>> tables;
    for (int tile = 0; tile < tiles * tiles; ++tile) {
        std::vector<int> counts(static_cast<std::size_t>(bins));
        for (int y = 0; y < tileHeight; ++y)
            for (int x = 0; x < tileWidth; ++x) {
                const int px = reflected(tile % tiles * tileWidth + x, width);
                const int py = reflected(tile / tiles * tileHeight + y, height);
                ++counts[static_cast<std::size_t>(plane[static_cast<std::size_t>(py) * width + px])];
            }
        if (clip > 0) clipCounts(counts, std::max(1, static_cast<int>(clip * pixels / bins)));
        tables.push_back(tableOf(counts, pixels));
    }
    std::vector<int> out;
    for (int y = 0; y < height; ++y) {
        const float ty = static_cast<float>(y) * (1.0F / static_cast<float>(tileHeight)) - 0.5F;
        const float below = ty - std::floor(ty), above = 1.0F - below;
        const int y1 = static_cast<int>(std::floor(ty)), top = std::max(y1, 0), bottom = std::min(y1 + 1, tiles - 1);
        for (int x = 0; x < width; ++x) {
            const float tx = static_cast<float>(x) * (1.0F / static_cast<float>(tileWidth)) - 0.5F;
            const float after = tx - std::floor(tx), before = 1.0F - after;
            const int x1 = static_cast<int>(std::floor(tx)), left = std::max(x1, 0),
                      right = std::min(x1 + 1, tiles - 1);
            const auto value = static_cast<std::size_t>(plane[static_cast<std::size_t>(y) * width + x]);
            const auto table = [&](int column, int row) {
                return tables[static_cast<std::size_t>(row) * tiles + column][value];
            };
            const float upper = table(left, top) * before + table(right, top) * after;
            const float lower = table(left, bottom) * before + table(right, bottom) * after;
            out.push_back(toLevel(upper * above + lower * below, bins));
        }
    }
    return out;
}

Verification verifyLevels(const ScanOptions& asked, const io::Grid& input, const io::Grid& output,
                          const std::stop_token& stop) {
    const io::Shape& s = input.shape();
    ImageVerifier judge(output);
    judgeAlpha(judge, asked, input, output);
    for (std::int64_t z = 0; z < s.depth; ++z) {
        for (int c = 0; c < asked.channelsOf(s.channels); ++c) {
            stopWhenAsked(stop);
            const std::vector<int> exact = asked.task == Task::equalise
                                               ? equalised(input, z, c)
                                               : equalisedLocally(input, z, c, asked.clip, asked.tiles);
            for (std::size_t i = 0; i < exact.size(); ++i) {
                const auto at = static_cast<std::int64_t>(i);
                judge.kept({at % s.width, at / s.width, z}, c, exact[i]);
            }
        }
    }
    return judge.result();
}

Kept keptOf(const ScanOptions& asked, const io::Grid& input) {
    const io::Shape& s = input.shape();
    Kept kept(static_cast<std::size_t>(s.channels));
    std::uint32_t place = 0;
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x, ++place)
                for (int c = 0; c < s.channels; ++c)
                    if (input.value(x, y, z, c) > asked.level) kept[static_cast<std::size_t>(c)].push_back(place);
    return kept;
}

namespace {

struct KeptValue {
    std::uint32_t place;
    int channel;
};

/// Of all channels, in raster order, channel by channel of a pixel.
std::vector<KeptValue> inRasterOrder(const Kept& kept) {
    std::vector<KeptValue> all;
    std::size_t count = 0;
    for (const auto& places : kept) count += places.size();
    all.reserve(count);
    std::vector<std::size_t> next(kept.size());
    while (all.size() < count) {
        // The earliest place of all channels, the first channel of those that have it.
        std::size_t first = kept.size();
        for (std::size_t c = 0; c < kept.size(); ++c) {
            if (next[c] == kept[c].size()) continue;
            if (first == kept.size() || kept[c][next[c]] < kept[first][next[first]]) first = c;
        }
        all.push_back({kept[first][next[first]++], static_cast<int>(first)});
    }
    return all;
}

}  // namespace

Table keptTable(const io::Grid& input, const Kept& kept) {
    const io::Shape& s = input.shape();
    const std::vector<KeptValue> all = inRasterOrder(kept);
    const bool integer = input.type() != io::PixelType::f32;
    Column::Integers xs(all.size()), ys(all.size()), zs(all.size()), channels(all.size()), wholes;
    Column::Reals reals;
    integer ? wholes.resize(all.size()) : reals.resize(all.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, all.size(), 1 << 14), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
            const auto place = static_cast<std::int64_t>(all[i].place);
            xs[i] = place % s.width;
            ys[i] = place / s.width % s.height;
            zs[i] = place / s.width / s.height;
            channels[i] = all[i].channel;
            // A place beyond the picture is a kernel's mistake, for the check to tell.
            const double value = place < s.pixels() ? input.value(xs[i], ys[i], zs[i], all[i].channel)
                                                    : std::numeric_limits<double>::quiet_NaN();
            if (!integer)
                reals[i] = value;
            else
                wholes[i] = place < s.pixels() ? static_cast<std::int64_t>(value) : -1;
        }
    });
    Table table{.id = "kept", .title = "Values above the level", .columns = {}};
    table.columns.push_back({.id = "x", .title = "x", .unit = "px", .values = std::move(xs)});
    table.columns.push_back({.id = "y", .title = "y", .unit = "px", .values = std::move(ys)});
    table.columns.push_back({.id = "z", .title = "z", .unit = "px", .values = std::move(zs)});
    table.columns.push_back({.id = "channel", .title = "Channel", .values = std::move(channels)});
    Column values{.id = "value", .title = "Value"};
    if (input.type() == io::PixelType::f32)
        values.values = std::move(reals);
    else
        values.values = std::move(wholes);
    table.columns.push_back(std::move(values));
    return table;
}

}  // namespace warplens::gpu::scan
