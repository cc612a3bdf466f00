// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/convolution/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/convolution/opencl.hpp"
#include "gpu/families/convolution/slab_session.hpp"
#include "gpu/frame/plain_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace warplens::gpu::convolution {
namespace {

io::PixelType outputTypeOf(const Chosen& chosen, io::PixelType input, bool negative) {
    using Type = Chosen::OutputType;
    const bool floats = chosen.outputType == Type::automatic && negative && chosen.offset == 0;
    return floats || chosen.outputType == Type::f32 ? io::PixelType::f32 : input;
}

/// The nearest rung before this one that reaches across slices.
std::string rungOfVolumes(const Variant& variant) {
    const auto& all = ladder().variants();
    auto at = std::ranges::find(all, variant.predecessor, &Variant::id);
    while (at != all.end() && at->dimensions.back() != 3) at = std::ranges::find(all, at->predecessor, &Variant::id);
    return at == all.end() ? all.front().id : at->id;
}

/// "5 x 5 x 3"
std::string sidesOf(const Box& box) {
    return std::to_string(box.width) + " x " + std::to_string(box.height) + " x " + std::to_string(box.depth);
}

std::string twoDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", value);
    return text;
}

}  // namespace

ConvolutionProblem::ConvolutionProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to filter"), m_values(values) {
    const Chosen chosen = parameters().read(values);
    m_filter = makeFilter(values, m_input->geometry.spacing);
    m_volume = chosen.dimensions == Dimensions::three;
    m_separation = separate(m_filter);
    m_residualUlp = m_separation ? m_separation->residualUlp : rankOneResidualUlp(m_filter);
    m_border = chosen.border;
    m_offset = chosen.offset;
    m_outputType = outputTypeOf(chosen, m_input->type(), m_filter.hasNegative());
    m_channels = channelsWithout(chosen.alpha, m_input->shape().channels);
    m_verifier = std::make_unique<Verifier>(m_input, m_filter, m_border, static_cast<float>(m_offset), m_channels);
}

PlainTask ConvolutionProblem::plainTask() const {
    PlainTask task = ConvolutionFrame::plainTask();
    task.planes = static_cast<int>(m_input->shape().depth) * m_channels;
    task.arguments = {{"weights", m_filter.weights},
                      {"filter_width", std::int64_t{m_filter.width}},
                      {"filter_height", std::int64_t{m_filter.height}},
                      {"radius", std::int64_t{m_filter.radius()}},
                      {"offset", m_offset}};
    if (m_separation && !m_volume) {
        task.arguments.push_back({"row", m_separation->row});
        task.arguments.push_back({"column", m_separation->column});
    }
    task.plain = valueAtText(m_border, "float") +
                 "__global__ void my_kernel(const pixel_t* in, result_t* out, int width,\n"
                 "                          int height, int filter_width, int filter_height,\n"
                 "                          const float* weights" +
                 (m_offset != 0 ? ", float offset) {\n" : ") {\n") + placeText() +
                 "    float sum = 0;\n"
                 "    for (int j = 0; j < filter_height; ++j)\n"
                 "        for (int i = 0; i < filter_width; ++i) {\n"
                 "            const int xx = x + i - filter_width / 2;\n"
                 "            const int yy = y + j - filter_height / 2;\n"
                 "            sum += weights[j * filter_width + i] * valueAt(in, width, height, xx, yy);\n"
                 "        }\n"
                 "    out[y * width + x] = " +
                 storedText(m_outputType, m_offset != 0 ? "sum + offset" : "sum") + ";\n}\n";
    if (m_volume) task.refusal = "the filter reaches across slices: take 2 dimensions";
    return task;
}

Work ConvolutionProblem::work() const {
    const auto pixels = m_input->shape().pixels();
    const auto values = pixels * m_channels;
    const int sides = m_filter.width + m_filter.height + m_filter.depth;
    return {.bytesRead = values * static_cast<std::int64_t>(io::sizeOf(m_input->type())),
            .bytesWritten = values * static_cast<std::int64_t>(io::sizeOf(m_outputType)),
            .operations = 2.0 * static_cast<double>(values) * static_cast<double>(m_filter.weights.size()),
            .alongAxes = m_volume && m_separation ? 2.0 * static_cast<double>(values) * sides : 0};
}

Traits ConvolutionProblem::traits() const {
    const double side = 2 * m_filter.radius() + 1;
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"output", io::nameOf(m_outputType)},
                      {"dimensions", m_volume ? "3" : "2"},
                      {"separable", m_separation ? "yes" : "no"},
                      {"border", m_border == Border::zero ? "zero" : "other"}},
            // Where one variant overtakes another is a matter of the radius first.
            .sizes = {{"filter", {side, 8}},
                      {"values", {static_cast<double>(m_input->shape().pixels() * m_channels), 0.5}}}};
}

std::vector<std::string> ConvolutionProblem::facts() const {
    std::vector<std::string> facts{std::to_string(m_filter.width) + " x " + std::to_string(m_filter.height) +
                                   (m_volume ? " x " + std::to_string(m_filter.depth) : "") + " weights"};
    char sum[48];
    std::snprintf(sum, sizeof sum, "sum %.3f", m_filter.sum());
    facts.emplace_back(sum);
    facts.push_back((m_separation ? "separable, rank-1 residual " : "not separable, rank-1 residual ") +
                    twoDigits(m_residualUlp) + " ulp");
    facts.push_back(std::string("result ") + io::nameOf(m_outputType));
    if (m_channels < m_input->shape().channels) facts.emplace_back("alpha copied");
    return facts;
}

TunableValues ConvolutionProblem::resolved(const Variant& variant, const TunableValues& chosen,
                                           const DeviceInfo& device) const {
    TunableValues values = resolve(variant, chosen);
    if (m_volume && variant.kind == Variant::Kind::kernel) {
        const auto defaults = ladder().anyBuildOf(variant).volume.defaults;
        const Box box{m_filter.width, m_filter.height, m_filter.depth};
        const TunableValues block = defaults == nullptr ? TunableValues() : defaults(box);
        const bool free = std::ranges::none_of(block, [&](const auto& one) { return chosen.contains(one.first); });
        for (const auto& [id, value] : block)
            if (free) values[id] = value;
    }
    const auto rows = values.find("rows_per_thread");
    // In three dimensions it is slices that threads march through, and their launchers know how many blocks there are.
    if (m_volume || rows == values.end() || chosen.contains("rows_per_thread")) return values;
    const auto march = ladder().anyBuildOf(variant).march;
    if (march == nullptr) return values;
    const auto tile = footprint(variant, values);
    const io::Shape& shape = m_input->shape();
    const auto planes = static_cast<int>(shape.depth) * m_channels;
    const MarchedPicture picture{.width = shape.width,
                                 .height = shape.height,
                                 .across = (shape.width + tile.tileWidth - 1) / tile.tileWidth * planes,
                                 .threadsDown = tile.tileHeight / rows->second,
                                 .planes = planes,
                                 .filterWidth = m_filter.width,
                                 .filterHeight = m_filter.height};
    rows->second = fittedRows(march(m_input->type(), m_filter.width, m_filter.height), picture, device.multiprocessors,
                              rows->second);
    return values;
}

std::string ConvolutionProblem::refusal(const Variant& variant, const TunableValues& t,
                                        const DeviceInfo& device) const {
    const bool inLanguage = variant.kind == Variant::Kind::portable;
    const bool built = variant.kind == Variant::Kind::kernel && ladder().entryOf(variant, device) != nullptr;
    if (m_volume && (inLanguage || (built && ladder().anyBuildOf(variant).volume.launch == nullptr)))
        return "two dimensions only: with 3 choose " + rungOfVolumes(variant);
    return inLanguage ? openClRefusal(*this, variant, t) : PictureProblem::refusal(variant, t, device);
}

std::string ConvolutionProblem::kernelRefusal(const KernelEntry& entry, const TunableValues& t,
                                              const DeviceInfo& device) const {
    if (entry.needsSeparable && !m_separation) {
        return "the filter is not separable: rank-1 residual " + twoDigits(m_residualUlp) + " ulp, 2 are allowed";
    }
    if (const std::string why = refusalOf(entry.code, device); !why.empty()) return why;
    if (entry.largestFilter > 0 && std::max(m_filter.width, m_filter.height) > entry.largestFilter) {
        return "the filter is larger than " + std::to_string(entry.largestFilter) + " x " +
               std::to_string(entry.largestFilter);
    }
    if (!entry.needsSeparable && !m_filter.isBox())
        return "takes sides up to " + std::to_string(kMaxBoxSide) + " in three dimensions: choose a separable variant";
    if (const auto refuse = m_volume ? entry.volume.refusal : entry.refusal; refuse != nullptr) {
        if (const char* why = refuse(argumentsOf(entry))) return why;
    }
    if (const std::string why = beyondReach(entry); !why.empty()) return why;
    const auto tile = footprintOf(entry, t);
    const int blockDepth = m_volume && entry.volume.blockDepth != nullptr ? entry.volume.blockDepth(t) : 1;
    const auto threads = static_cast<std::int64_t>(tile.blockWidth) * tile.blockHeight * blockDepth;
    if (threads > device.maxThreadsPerBlock) {
        return std::to_string(tile.blockWidth) + " x " + std::to_string(tile.blockHeight) +
               (blockDepth > 1 ? " x " + std::to_string(blockDepth) : "") + " = " + std::to_string(threads) +
               " threads per block; the device allows " + std::to_string(device.maxThreadsPerBlock);
    }
    const Box box{m_filter.width, m_filter.height, m_filter.depth};
    if (m_volume && entry.volume.tileDepth != nullptr) {
        const auto needed = static_cast<std::int64_t>(box.width) * box.height * box.depth;
        const std::string filter = sidesOf(box);
        if (needed > device.maxThreadsPerBlock) {
            return "an input tile of at least " + filter + " = " + std::to_string(needed) +
                   " threads per block; the device allows " + std::to_string(device.maxThreadsPerBlock);
        }
        if (tile.tileWidth < 1 || tile.tileHeight < 1 || entry.volume.tileDepth(t, box) < 1) {
            return "a block of " + sidesOf({tile.blockWidth, tile.blockHeight, blockDepth}) +
                   " threads leaves no output inside the halo of a " + filter +
                   " filter: set other block_width and block_height";
        }
    }
    if (tile.tileWidth < 1 || tile.tileHeight < 1) {
        return "a block of " + std::to_string(tile.blockWidth) + " x " + std::to_string(tile.blockHeight) +
               " threads leaves no output inside the halo of a " + std::to_string(m_filter.width) + " x " +
               std::to_string(m_filter.height) + " filter: choose a larger block";
    }
    if (const auto bytes = sharedBytes(entry, t); bytes > device.sharedBytesPerBlock) {
        return "the tile needs " + std::to_string(bytes) + " bytes of shared memory per block; the device allows " +
               std::to_string(device.sharedBytesPerBlock);
    }
    constexpr std::int64_t kMostGridRows = 65535;
    if ((m_input->shape().height + tile.tileHeight - 1) / tile.tileHeight > kMostGridRows) {
        return "a picture " + std::to_string(m_input->shape().height) + " rows high needs more than 65,535 blocks of " +
               std::to_string(tile.tileHeight) + " rows: choose a higher block";
    }
    return {};
}

std::string ConvolutionProblem::beyondReach(const KernelEntry& entry) const {
    if (entry.largestValue == 0) return {};
    const std::string limit = twoDigits(entry.largestValue) + " in magnitude";
    const double largest = m_magnitude.of(*m_input);
    if (!(largest < entry.largestValue)) return "the picture holds values that are not finite, or not below " + limit;
    double sum = 0;
    for (const float w : m_filter.weights) {
        const float magnitude = std::fabs(w);
        sum += magnitude;
        if (magnitude > 0 && magnitude < entry.smallestWeight)
            return "the filter holds weights below " + twoDigits(entry.smallestWeight) + " in magnitude";
    }
    if (!(sum * std::max(1.0, largest) < entry.largestValue)) return "weights times values are not below " + limit;
    return {};
}

Footprint ConvolutionProblem::footprintOf(const KernelEntry& entry, const TunableValues& tunables) const {
    if (m_volume && entry.volume.footprint != nullptr) {
        return entry.volume.footprint(tunables, {m_filter.width, m_filter.height, m_filter.depth});
    }
    if (entry.footprintOf != nullptr) return entry.footprintOf(argumentsOf(entry), tunables);
    return entry.footprint(tunables, m_filter.width, m_filter.height);
}

Arguments ConvolutionProblem::arguments() const {
    Arguments a;
    a.inputType = m_input->type();
    a.outputType = m_outputType;
    a.width = static_cast<int>(m_input->shape().width);
    a.height = static_cast<int>(m_input->shape().height);
    a.pitch = a.width;
    if (m_volume) a.depth = static_cast<int>(m_input->shape().depth);
    a.filterWidth = m_filter.width;
    a.filterHeight = m_filter.height;
    a.filterDepth = m_filter.depth;
    a.border = m_border;
    a.offset = static_cast<float>(m_offset);
    a.weights = &m_filter.weights;
    if (m_separation) {
        a.row = &m_separation->row;
        a.column = &m_separation->column;
        a.stack = &m_separation->stack;
    }
    return a;
}

std::int64_t ConvolutionProblem::pitchFor(const KernelEntry& entry) const {
    constexpr std::int64_t kWhole = 32;  // values: a sector of bytes, four of floats
    const io::Shape& shape = m_input->shape();
    const auto width = shape.width;
    if (width % 4 == 0 || width < kWhole) return width;
    // Volumes go in slabs where they do not fit, and slabs are not padded.
    if (m_volume || shape.depth > 1 || entry.paddedRows == nullptr || !entry.paddedRows(arguments())) return width;
    return (width + kWhole - 1) / kWhole * kWhole;
}

Arguments ConvolutionProblem::argumentsOf(const KernelEntry& entry) const {
    Arguments a = arguments();
    a.pitch = static_cast<int>(pitchFor(entry));
    return a;
}

std::int64_t ConvolutionProblem::sharedBytes(const KernelEntry& entry, const TunableValues& t) const {
    if (m_volume) {
        const auto bytes = entry.volume.sharedBytes;
        return bytes == nullptr
                   ? 0
                   : static_cast<std::int64_t>(bytes(t, {m_filter.width, m_filter.height, m_filter.depth}));
    }
    const auto bytes = entry.sharedBytes;
    return bytes == nullptr ? 0 : static_cast<std::int64_t>(bytes(t, m_filter.width, m_filter.height));
}

std::int64_t ConvolutionProblem::sharedBytes(const Variant& kernel, const TunableValues& t) const {
    return sharedBytes(ladder().anyBuildOf(kernel), t);
}

std::unique_ptr<PortableSession> ConvolutionProblem::openPortable(const Variant& variant,
                                                                  const TunableValues& t) const {
    return openClSession(*this, variant, t);
}

std::string ConvolutionProblem::singleDeviceReason() const {
    return m_input->shape().depth > 1 ? "" : "devices share the slices of a volume, and this is one picture";
}

std::unique_ptr<Session> ConvolutionProblem::openOver(const std::vector<Device*>& devices, Resident& resident,
                                                      HaloExchangeMode) const {
    return openSlabSession(*this, devices, resident);
}

std::unique_ptr<Problem> ConvolutionProblem::makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t) const {
    return std::make_unique<ConvolutionProblem>(std::move(lines), m_values);
}

std::unique_ptr<PartitionMerger> ConvolutionProblem::emptyResults() const {
    return pictureOfPieces(emptyOutput(), cutAxis());
}

Bound ConvolutionProblem::boundOf(const Variant& variant) const {
    if (const Library* library = rows().libraryOf(variant)) return library->bound;
    if (variant.kind == Variant::Kind::portable) return {};
    const KernelEntry& entry = ladder().anyBuildOf(variant);
    return entry.bound == nullptr ? Bound() : entry.bound(argumentsOf(entry));
}

double ConvolutionProblem::boundFactor(const Variant& variant) const { return boundOf(variant).factor; }

bool ConvolutionProblem::widerBoundsShow() const {
    // A filter whose weights sum to 1 stays below this share of a level: 0.023 with 15 x 15 of them. Large weights do
    // not.
    constexpr double kHidden = 1.0 / 32, kMost = 255;
    if (m_outputType != io::PixelType::u8) return true;
    double widest = 1, magnitude = 0;
    for (const Variant& variant : ladder().variants()) {
        if (variant.kind == Variant::Kind::kernel) widest = std::max(widest, boundFactor(variant));
    }
    for (const float w : m_filter.weights) magnitude += std::fabs(w);
    const double taps = static_cast<double>(m_filter.weights.size());
    return widest * (taps + 1) * std::numeric_limits<float>::epsilon() * kMost * magnitude > kHidden;
}

Verification ConvolutionProblem::verify(const Result& computed, const Variant& variant, std::stop_token stop) const {
    const io::Grid& output = *computed.picture;
    const Bound bound = boundOf(variant);
    auto result = m_verifier->verify(output, std::move(stop), bound);
    if (const Library* library = rows().libraryOf(variant)) {
        result.note = library->note;
    } else if (bound.factor > 1 && widerBoundsShow()) {
        char note[96];
        std::snprintf(note, sizeof note, "bound %.2g times that of single precision: products on tensor cores",
                      bound.factor);
        result.note = note;
    }
    return result;
}

std::shared_ptr<io::Grid> ConvolutionProblem::emptyOutput() const {
    auto output = PictureProblem::emptyOutput();
    // i16 data stays i16 only while it is computed as f32 and means the same.
    if (m_outputType != m_input->type()) output->metadata.sourceType.clear();
    return output;
}

}  // namespace warplens::gpu::convolution
