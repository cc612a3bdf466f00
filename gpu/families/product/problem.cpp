// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/product/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/product/opencl.hpp"
#include "gpu/families/product/split_k.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/kernels/block_limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace warplens::gpu::product {
namespace {

constexpr std::int64_t kMostSide = 63, kMostExtent = 1 << 30;

std::string extentsOf(const io::Grid& grid) {
    const io::Shape& s = grid.shape();
    return std::to_string(s.width) + " x " + std::to_string(s.height) +
           (s.depth > 1 ? " x " + std::to_string(s.depth) : "") +
           (s.channels > 1 ? " of " + std::to_string(s.channels) + " channels" : "");
}

Error refused(const std::string& why) { return {Error::Kind::argument, why}; }

/// Of magnitudes; infinite where a value is not finite.
double largestOf(const float* values, std::size_t count) {
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double magnitude = std::fabs(static_cast<double>(values[i]));
        if (!(magnitude <= largest))
            largest = std::isfinite(magnitude) ? magnitude : std::numeric_limits<double>::infinity();
    }
    return largest;
}

double largestOf(const io::Grid& grid) {
    if (grid.type() == io::PixelType::u8) return 255;
    if (grid.type() == io::PixelType::u16) return 65535;
    return largestOf(grid.as<float>(), static_cast<std::size_t>(grid.shape().values()));
}

std::string sizeOf(int rows, int inner, const std::string& columns) {
    return "(" + std::to_string(rows) + " x " + std::to_string(inner) + ") times (" + std::to_string(inner) + " x " +
           columns + ")";
}

/// One after the other; none of a bank and of colours.
std::vector<ProductSize> productsOf(const Case& c) {
    const int w = c.width, h = c.height, x = c.keptX, y = c.keptY;
    if (c.task == Task::product) return {{h, w, c.columns, c.layers}};
    if (c.task != Task::dct) return {};
    return {{h, w, x, c.layers}, {y, h, x, c.layers}, {h, y, x, c.layers}, {h, x, w, c.layers}};
}

}  // namespace

ProductProblem::ProductProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to multiply") {
    const Chosen chosen = parameters().read(values);
    const io::Shape& s = m_input->shape();
    if (std::max(s.width, s.height) > kMostExtent) throw refused("an extent above 2^30 does not fit a product");
    const NamedGrid* const named = chosen.with != nullptr && chosen.with->grid != nullptr ? chosen.with.get() : nullptr;
    m_case = {.task = chosen.task,
              .type = m_input->type(),
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .layers = static_cast<int>(std::min<std::int64_t>(s.depth * s.channels, kMostExtent))};
    m_case.keepsAlpha =
        s.channels == 4 && (m_case.task == Task::colours || (m_case.task == Task::dct && chosen.alpha == Alpha::keep));
    if (m_case.keepsAlpha) m_case.layers = m_case.layers / 4 * 3;
    if (named != nullptr) m_with = named->name;
    m_case.largestInput = largestOf(*m_input);
    switch (m_case.task) {
        case Task::product: poseProduct(named); break;
        case Task::dct: poseCosines(chosen.keep); break;
        case Task::bank: poseBank(named); break;
        case Task::colours: poseColours(named); break;
    }
    m_case.largestFactor = largestOf(m_factor.values.data(), m_factor.values.size());
    m_verifier = std::make_unique<Verifier>(m_input, m_case, m_factor, m_weights);
}

void ProductProblem::poseProduct(const NamedGrid* with) {
    const io::Shape& s = m_input->shape();
    if (with == nullptr) {
        m_factor = transposeOf(*m_input);
    } else {
        const io::Shape& f = with->grid->shape();
        const bool one = f.depth == 1 && f.channels == 1;
        if (f.height != s.width)
            throw refused("with: " + with->name + " is " + extentsOf(*with->grid) + ", the picture " +
                          extentsOf(*m_input) + ": the right factor has to be " + std::to_string(s.width) + " high");
        if (!one && (f.depth != s.depth || f.channels != s.channels))
            throw refused("with: " + with->name + " is " + extentsOf(*with->grid) + ", the picture " +
                          extentsOf(*m_input) + ": give one channel and slice for all, or one for each");
        m_factor = factorOf(*with->grid);
    }
    m_case.columns = m_factor.columns;
}

void ProductProblem::poseCosines(std::int64_t keep) {
    if (std::isinf(m_case.largestInput))
        throw Error(Error::Kind::unsupported,
                    "dct: the picture holds values that are not finite: one would be all there is");
    const auto kept = [keep](int n) { return static_cast<int>((keep * n + 99) / 100); };
    m_case.keptX = kept(m_case.width);
    m_case.keptY = kept(m_case.height);
}

void ProductProblem::poseBank(const NamedGrid* with) {
    if (m_input->shape().depth > 1)
        throw Error(Error::Kind::unsupported,
                    "bank: makes one slice per filter and takes a picture, not a volume: take a slice");
    if (with == nullptr) {
        m_case.side = kDefaultSide;
        m_factor = edgesAndLines();
    } else {
        io::Shape f = with->grid->shape();
        // What is n x 3 x 3 in an NPY is read as n rows of three colours.
        if (f.depth == 1 && f.channels == f.width) f = {f.width, f.width, f.height, 1};
        if (f.width != f.height || f.channels != 1 || f.width > kMostSide || f.depth > kMostBlocksAcross)
            throw refused("with: " + with->name + " is " + extentsOf(*with->grid) +
                          ": give n slices of k x k weights, k up to " + std::to_string(kMostSide));
        m_case.side = static_cast<int>(f.width);
        m_factor = bankOf(*with->grid, m_case.side);
    }
    m_case.filters = m_factor.rows;
}

void ProductProblem::poseColours(const NamedGrid* with) {
    if (m_input->shape().channels == 1)
        throw Error(Error::Kind::unsupported,
                    "colours: the picture has one channel: open one with red, green and blue");
    // As it is printed everywhere; rounded to f32.
    constexpr float kSepia[12] = {0.393F, 0.769F, 0.189F, 0, 0.349F, 0.686F, 0.168F, 0, 0.272F, 0.534F, 0.131F, 0};
    std::copy(std::begin(kSepia), std::end(kSepia), m_weights.begin());
    if (with == nullptr) return;
    const io::Grid& grid = *with->grid;
    io::Shape f = grid.shape();
    // Three rows of three or four values, whatever their axes were taken for.
    if (f.channels > 1 && f.depth == 1 && (f.width == 1 || f.height == 1)) f = {f.channels, f.width * f.height, 1, 1};
    if (f.height != 3 || (f.width != 3 && f.width != 4) || f.depth != 1 || f.channels != 1)
        throw refused("with: " + with->name + " is " + extentsOf(grid) + ": give 3 x 3 weights, or 3 rows of 4");
    io::withType(grid.type(), [&]<class T>(T) {
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t i = 0; i < 4; ++i)
                m_weights[4 * row + i] =
                    static_cast<std::int64_t>(i) < f.width
                        ? static_cast<float>(grid.as<T>()[row * static_cast<std::size_t>(f.width) + i])
                        : 0.0F;
    });
}

io::PixelType ProductProblem::outputType() const {
    return m_case.task == Task::product || m_case.task == Task::bank ? io::PixelType::f32 : m_input->type();
}

std::shared_ptr<io::Grid> ProductProblem::emptyOutput() const {
    // Columns of a product are places of the factor, and slices of a bank its filters.
    if (m_case.task == Task::dct || m_case.task == Task::colours) return PictureProblem::emptyOutput();
    return std::make_shared<io::Grid>(outputShape(), outputType());
}

PlainTask ProductProblem::plainTask() const {
    PlainTask task = ProductFrame::plainTask();
    if (m_case.task != Task::product) {
        task.refusal = "several products follow one another: take the task product";
        return task;
    }
    if (m_factor.layers > 1) task.refusal = "each plane has a right factor of its own: take a grey picture";
    std::vector<float> values;
    for (int row = 0; row < m_factor.rows; ++row)
        for (int column = 0; column < m_factor.columns; ++column) values.push_back(m_factor.at(row, column));
    task.arguments = {{"with", std::move(values)}, {"inner", std::int64_t{m_factor.rows}}};
    task.plain =
        "__global__ void my_kernel(const pixel_t* in, result_t* out, const float* with,\n"
        "                          int output_width, int output_height, int inner) {\n"
        "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "    if (x >= output_width || y >= output_height) return;\n"
        "    float sum = 0;\n"
        "    for (int k = 0; k < inner; ++k)\n"
        "        sum += in[y * inner + k] * with[k * output_width + x];\n"
        "    out[y * output_width + x] = sum;\n}\n";
    return task;
}

Work ProductProblem::work() const {
    const Case& c = m_case;
    const double w = c.width, h = c.height, x = c.keptX, y = c.keptY;
    double sums = 0;
    switch (c.task) {
        case Task::product: sums = w * h * c.columns * c.layers; break;
        case Task::dct: sums = c.layers * (w * h * x + h * x * y + h * x * y + h * x * w); break;
        case Task::bank: sums = w * h * c.filters * c.taps() * c.layers; break;
        case Task::colours: sums = 9.0 * static_cast<double>(m_input->shape().pixels()); break;
    }
    const auto factor = static_cast<std::int64_t>(m_factor.values.size() * sizeof(float));
    return {.traffic = Traffic::copy,
            .bytesRead = static_cast<std::int64_t>(m_input->bytes()) + factor,
            .bytesWritten = outputShape().values() * static_cast<std::int64_t>(io::sizeOf(outputType())),
            .operations = 2 * sums};
}

Traits ProductProblem::traits() const {
    const char* const names[] = {"product", "dct", "bank", "colours"};
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"task", names[static_cast<int>(m_case.task)]},
                      {"aligned", m_case.width % kQuad == 0 && m_factor.columns % kQuad == 0 ? "yes" : "no"}},
            .sizes = {{"operations", {work().operations, 0.5}}}};
}

std::vector<std::string> ProductProblem::facts() const {
    const Case& c = m_case;
    std::vector<std::string> facts;
    if (c.task == Task::product) {
        facts.push_back(sizeOf(c.height, c.width, std::to_string(c.columns)));
        facts.push_back(m_with.empty() ? "times its own transpose" : "times " + m_with);
    } else if (c.task == Task::dct) {
        facts.push_back(std::to_string(c.keptX) + " x " + std::to_string(c.keptY) + " of " + std::to_string(c.width) +
                        " x " + std::to_string(c.height) + " frequencies");
        facts.emplace_back("four products, there and back");
        facts.emplace_back("checked within 8 sqrt(K) roundings of a sum of K terms, taken as independent");
    } else if (c.task == Task::bank) {
        facts.push_back(std::to_string(c.filters) + " filters of " + std::to_string(c.side) + " x " +
                        std::to_string(c.side));
        facts.push_back("as " + sizeOf(c.filters, c.taps(), "pixels"));
    } else {
        facts.push_back(m_with.empty() ? "sepia" : "weights of " + m_with);
    }
    if (m_case.keepsAlpha) facts.emplace_back("alpha copied");
    return facts;
}

TunableValues ProductProblem::resolved(const Variant& variant, const TunableValues& chosen,
                                       const DeviceInfo& /*device*/) const {
    TunableValues values = resolve(variant, chosen);
    const auto splits = values.find("splits");
    if (splits == values.end()) return values;
    const std::vector<ProductSize> products = productsOf(m_case);
    int& outputs = values.at("outputs_per_thread");
    if (!products.empty() && !chosen.contains("outputs_per_thread")) outputs = fittedOutputs(products, splits->second);
    if (m_case.task == Task::product && splits->second == 0) {
        ProductSize some = products.front();
        some.layers = layersTogether(some, outputs);
        splits->second = splitPlan(some, outputs, 0).splits;
    }
    return values;
}

std::string ProductProblem::refusal(const Variant& variant, const TunableValues& t, const DeviceInfo& device) const {
    return variant.kind == Variant::Kind::portable ? openClRefusal(*this, variant, t)
                                                   : PictureProblem::refusal(variant, t, device);
}

std::unique_ptr<PortableSession> ProductProblem::openPortable(const Variant& variant, const TunableValues& t) const {
    return openClSession(*this, variant, t);
}

std::string ProductProblem::kernelRefusal(const KernelEntry& entry, const TunableValues& t,
                                          const DeviceInfo& device) const {
    const bool multiplies = entry.multiply != nullptr, filters = entry.filter != nullptr;
    if ((m_case.task == Task::product || m_case.task == Task::dct) && !multiplies)
        return filters ? "is for a bank of filters" : "is for colours";
    if (m_case.task == Task::bank && !filters) return "takes no bank of filters: naive, im2col and implicit ones do";
    if (m_case.task == Task::colours && entry.mix == nullptr) return "takes no colours: naive and whole_pixels do";
    if (entry.mostColumns > 0 && (m_case.task != Task::product || m_case.columns > entry.mostColumns))
        return "is for products of up to " + std::to_string(entry.mostColumns) + " columns";
    if (const std::string why = refusalOf(entry.code, device); !why.empty()) return why;
    if (entry.largestValue > 0 && !(m_case.largest() < static_cast<double>(entry.largestValue))) {
        char limit[32];
        std::snprintf(limit, sizeof limit, "%.2g", entry.largestValue);
        return "values that are not finite, or not below " + std::string(limit) + " in magnitude";
    }
    if (entry.largestSide > 0 && m_case.side > entry.largestSide)
        return "filters are larger than " + std::to_string(entry.largestSide) + " x " +
               std::to_string(entry.largestSide);
    const Footprint tile = entry.footprint(m_case, t);
    const std::size_t bytes = entry.sharedBytes == nullptr ? 0 : entry.sharedBytes(m_case, t);
    if (std::string why = refusalOfBlock(tile, bytes, device); !why.empty()) return why;
    if (m_case.task == Task::bank && std::int64_t{m_case.filters} * m_case.layers > kMostBlocksAcross)
        return std::to_string(m_case.filters) + " filters of " + std::to_string(m_case.layers) +
               " channels; a grid of blocks has at most 65,535 slices";
    // The kernels that split and turn factors have eight rows a block, the fewest, and fill them up to whole tiles.
    constexpr std::int64_t kMostRows = 8 * kMostBlocksAcross / 128 * 128;
    const bool matrices = m_case.task == Task::product || m_case.task == Task::dct;
    if (matrices && std::max({m_case.width, m_case.height, m_case.columns}) > kMostRows)
        return "an extent above " + std::to_string(kMostRows) + " needs more than 65,535 blocks";
    if (m_case.layers > kMostBlocksAcross)
        return std::to_string(m_case.layers) + " slices and channels; a grid of blocks has at most 65,535";
    return m_case.task != Task::colours && tile.order == Order::tiles ? refusalOfRows(m_case.height, tile.tileHeight)
                                                                      : "";
}

Bound ProductProblem::boundOf(const Variant& variant) const {
    if (const Library* library = rows().libraryOf(variant))
        return library->bound == nullptr ? Bound() : library->bound(m_case);
    if (variant.kind == Variant::Kind::portable) return {};
    const auto bound = ladder().anyBuildOf(variant).bound;
    return bound == nullptr ? Bound() : bound(m_case, resolve(variant, {}));
}

double ProductProblem::boundFactor(const Variant& variant) const {
    const Bound bound = boundOf(variant);
    return bound.factor + bound.lacks / (m_case.inner() + 1);
}

Verification ProductProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    const Bound bound = boundOf(variant);
    Verification made = m_verifier->verify(*result.picture, bound, std::move(stop));
    if (const Library* library = rows().libraryOf(variant); library != nullptr && library->run != nullptr) {
        if (bound.absolute > 0) made.note = library->note;
    } else if (const double factor = boundFactor(variant); factor > 1) {
        char note[96];
        std::snprintf(note, sizeof note, "bound %.2g times that of single precision: products on tensor cores", factor);
        made.note = note;
    }
    return made;
}

/// Pictures as matrices: times another matrix, as cosines and back, through a bank of filters, colours into colours.
const Family& family() {
    static const FamilyOf<ProductProblem> instance(
        FamilyInfo{
            .id = "product",
            .title = "Matrix product",
            .group = "Rearrange",
            .task = "Multiply, drop frequencies, filter by a bank, mix colours",
            .makesPicture = true,
            .volumes = true,
            .swept = "keep",
        },
        product::parameters().list(), ladder().variants(),
        [](const ParameterValues& values) -> std::optional<ResultValues> {
            const Task task = product::parameters().read(values).task;
            if (task == Task::product) return ResultValues{"sums of products"};
            if (task == Task::bank) return ResultValues{"response of a filter", ResultValues::Kind::aboutZero};
            return std::nullopt;
        });
    return instance;
}

#if !WARPLENS_HAVE_CUDA
ProductFrame::Library cublas_library() { return {}; }
ProductFrame::Library cublas_tf32_library() { return {}; }
#endif

}  // namespace warplens::gpu::product
