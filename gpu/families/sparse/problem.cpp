// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/sparse/matrix_rows.hpp"
#include "gpu/families/sparse/reference.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <system_error>
#include <utility>

namespace warplens::gpu::sparse {
namespace {

constexpr std::int64_t kMostIntegers = std::numeric_limits<std::int32_t>::max() - 4096;

const char* nameOf(Values matrix) {
    switch (matrix) {
        case Values::diffusion: return "diffusion";
        case Values::filter: return "filter";
        case Values::given: return "file";
        case Values::laplacian: break;
    }
    return "laplacian";
}

std::string percentText(double share) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g %%", 100 * share);
    return text.data();
}

/// Of "X,Y". Throws Error(argument).
std::pair<std::int64_t, std::int64_t> placeOf(const std::string& text) {
    const std::size_t comma = text.find(',');
    std::int64_t place[2] = {0, 0};
    bool good = comma != std::string::npos;
    for (int i = 0; good && i < 2; ++i) {
        const char* const begin = text.data() + (i == 0 ? 0 : comma + 1);
        const char* const end = text.data() + (i == 0 ? comma : text.size());
        const auto [stop, error] = std::from_chars(begin, end, place[i]);
        good = error == std::errc() && stop == end && std::abs(place[i]) < (std::int64_t{1} << 31);
    }
    if (!good) throw Error(Error::Kind::argument, "at: '" + text + "' is not a place: give it as X,Y, like 40,25");
    return {place[0], place[1]};
}

/// What of `inside` the source lies on. Throws Error(argument) where that is nothing, and not for the mask's sake.
std::vector<std::uint8_t> coveredOf(std::vector<std::uint8_t> inside, const System& system, const NamedGrid* mask) {
    const auto marked = [&inside] { return std::ranges::any_of(inside, [](std::uint8_t one) { return one != 0; }); };
    const bool before = marked();
    for (std::size_t i = 0; i < inside.size(); ++i)
        if (inside[i] != 0 && !system.covers(static_cast<std::int64_t>(i))) inside[i] = 0;
    if (marked()) return inside;
    if (mask == nullptr)
        throw Error(Error::Kind::argument,
                    "at: the source lies on none of the picture's inner pixels, and the outermost are kept: move it");
    if (before)
        throw Error(Error::Kind::argument,
                    "mask: '" + mask->name + "' is nowhere above 0 where the source lies: move one of them");
    return inside;
}

}  // namespace

SparseProblem::SparseProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to multiply") {
    const Chosen chosen = parameters().read(values);
    const io::Shape& s = m_input->shape();
    if (s.pixels() > kMostIntegers)
        throw Error(Error::Kind::unsupported, "a picture of 2^31 pixels or more: rows are numbered by 32 bits");
    m_case = {.task = chosen.task,
              .matrix = chosen.task == Task::product ? chosen.matrix : Values::laplacian,
              .type = m_input->type(),
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .depth = static_cast<int>(s.depth),
              .channels = channelsWithout(chosen.alpha, s.channels),
              .k = static_cast<float>(chosen.k),
              .step = static_cast<float>(chosen.step)};
    if (m_case.matrix == Values::given) {
        m_given = givenMatrix(textOf(parameters().list(), values, "matrix"), s.pixels());
        m_case.given = m_given.get();
        m_case.longest = m_given->longest;
    }
    if (chosen.mask != nullptr) m_mask = chosen.mask->name;
    if (m_case.task == Task::product)
        poseProduct(chosen.mask.get());
    else
        poseSolve(chosen);
    m_case.rows = m_unknowns.count;
    m_case.masked = m_unknowns.masked();
    if (m_unknowns.count == 0)
        throw Error(Error::Kind::argument,
                    "mask: '" + m_mask + "' is nowhere above 0: there is no unknown; mark some pixels");
    if (m_system != nullptr && m_unknowns.count == s.pixels())
        throw Error(Error::Kind::argument, "mask: it covers the whole picture: leave some of it to start from");
}

void SparseProblem::poseProduct(const NamedGrid* mask) {
    if (mask == nullptr) {
        m_unknowns = everyPixel(m_input->shape());
        return;
    }
    if (m_case.matrix != Values::laplacian)
        throw Error(Error::Kind::argument, std::string("mask: the ") + nameOf(m_case.matrix) +
                                               " is of every pixel: choose the laplacian, or no mask");
    m_unknowns = unknownsOf(insideOf(*mask, m_input->shape()));
}

void SparseProblem::poseSolve(const Chosen& chosen) {
    const io::Shape& s = m_input->shape();
    const NamedGrid* const mask = chosen.mask.get();
    m_method = chosen.solver;
    m_stopping = {chosen.tolerance, chosen.iterations};
    if (m_case.task == Task::inpaint) {
        if (mask == nullptr)
            throw Error(Error::Kind::argument, "mask: there is none: inpaint needs one of the pixels to fill");
        m_system = std::make_unique<System>(m_input, m_case.channels, nullptr, 0, 0);
        m_unknowns = unknownsOf(insideOf(*mask, s));
        return;
    }
    const NamedGrid* const source = chosen.source.get();
    if (source == nullptr || source->grid == nullptr)
        throw Error(Error::Kind::argument, "source: there is none: clone needs the picture to clone in");
    const io::Shape& from = source->grid->shape();
    if (from.channels != s.channels || from.depth != s.depth)
        throw Error(Error::Kind::argument, "source: '" + source->name + "' has " + std::to_string(from.channels) +
                                               " channels and " + std::to_string(from.depth) + " slices, the picture " +
                                               std::to_string(s.channels) + " and " + std::to_string(s.depth) +
                                               ": give as many");
    const auto [x, y] = placeOf(chosen.at);
    m_system = std::make_unique<System>(m_input, m_case.channels, source->grid, x, y);
    std::vector<std::uint8_t> inside;
    if (mask == nullptr) {
        // The picture's outermost pixels stay: a source that covers everything has
        // a border then.
        m_mask = source->name;
        inside.resize(static_cast<std::size_t>(s.pixels()));
        for (std::size_t i = 0; i < inside.size(); ++i) {
            const auto pixel = static_cast<std::int64_t>(i);
            int neighbours = 0;
            forPixelsBeside(s, pixel, [&](std::int64_t) { ++neighbours; });
            inside[i] = neighbours == m_case.neighbours() ? 1 : 0;
        }
    } else {
        inside = insideOf(*mask, s);
    }
    m_unknowns = unknownsOf(coveredOf(std::move(inside), *m_system, mask));
}

std::int64_t SparseProblem::mostNonzeros(Format format) const {
    return m_given != nullptr ? placesOf(*m_given, format) : std::int64_t{m_case.rows} * m_case.mostNonzeros();
}

Work SparseProblem::work() const {
    const std::int64_t values = std::int64_t{m_case.rows} * m_case.channels;
    const double nonzeros = m_given != nullptr ? static_cast<double>(m_given->nonzeros()) * m_case.channels
                                               : static_cast<double>(values) * m_case.mostNonzeros();
    return {.bytesRead = 4 * values + (m_case.masked ? m_case.pixels() : 0),
            .bytesWritten = 4 * values,
            .operations = 2 * nonzeros};
}

Traits SparseProblem::traits() const {
    return {.kinds = {{"task", m_system == nullptr ? "product" : "solve"},
                      {"matrix", nameOf(m_case.matrix)},
                      {"mask", m_case.masked ? "yes" : "no"}},
            .sizes = {{"rows", {static_cast<double>(m_case.rows), 0.5}}}};
}

std::vector<std::string> SparseProblem::facts() const {
    std::vector<std::string> facts;
    facts.push_back(std::to_string(m_case.rows) + " rows of at most " + std::to_string(m_case.mostNonzeros()) +
                    " nonzeros");
    if (m_given != nullptr) {
        const double places = static_cast<double>(m_given->rows) * m_given->rows;
        facts.push_back(m_given->name + ": " + std::to_string(m_given->nonzeros()) + " nonzeros, " +
                        percentText(static_cast<double>(m_given->nonzeros()) / places) + " of the matrix");
    }
    if (m_case.matrix == Values::filter) facts.emplace_back("binomial filter of 5 x 5, zeros around the picture");
    if (m_case.matrix == Values::diffusion && m_case.channels > 1)
        facts.emplace_back("a matrix a channel: weights come of its values");
    if (m_system != nullptr) {
        facts.push_back(std::string(m_method == Method::jacobi               ? "Jacobi's sweeps"
                                    : m_method == Method::conjugateGradients ? "conjugate gradients"
                                                                             : "V-cycles of 2 + 2 sweeps") +
                        ", every launch from zero on");
    } else if (m_case.masked)
        facts.push_back("unknowns of " + m_mask + ", 0 elsewhere");
    else if (m_case.matrix == Values::laplacian)
        facts.emplace_back("outermost pixels kept");
    if (m_case.channels < m_input->shape().channels) facts.emplace_back("alpha copied");
    return facts;
}

bool SparseProblem::finite() const {
    const std::lock_guard lock(m_mutex);
    if (!m_finite) {
        const auto* const values = m_input->as<float>();
        m_finite = m_input->type() != io::PixelType::f32 ||
                   std::all_of(values, values + m_input->shape().values(), [](float v) { return std::isfinite(v); });
    }
    return *m_finite;
}

std::string SparseProblem::refusal(const Variant& variant, const TunableValues& t, const DeviceInfo& device) const {
    if (variant.kind == Variant::Kind::library) {
        if (m_system != nullptr) return "multiplies only: solvers go by the kernels' products";
        if (mostNonzeros(Format::rows) > kMostIntegers) return "2^31 nonzeros or more: matrix_free stores none";
    }
    return PictureProblem::refusal(variant, t, device);
}

std::string SparseProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues&, const DeviceInfo&) const {
    if (kernel.format == Format::dense) {
        if (m_system != nullptr) return "is there to compare formats with: it is for products";
        if (std::int64_t{m_case.rows} * m_case.rows > kMostDense)
            return "would store " + std::to_string(std::int64_t{m_case.rows} * m_case.rows) +
                   " values, of at most 67,108,864: crop the picture to 8,192 pixels";
        if (!finite()) return "multiplies zeros as well, which NaN and infinities would make NaN of";
    }
    if (m_given != nullptr && kernel.format == Format::none)
        return "works rows out by their rule, and a file's matrix has none: it has to be stored";
    if (m_given != nullptr && kernel.format == Format::diagonals && m_given->diagonals > kMostDiagonals)
        return "the nonzeros lie on " + std::to_string(m_given->diagonals) + " diagonals, of at most " +
               std::to_string(kMostDiagonals) + ": sliced_ell takes them";
    if (kernel.format == Format::diagonals && m_case.masked)
        return "the unknowns of a mask do not lie on a few diagonals: sliced_ell takes them";
    if (kernel.format != Format::none && kernel.format != Format::dense && mostNonzeros(kernel.format) > kMostIntegers)
        return m_given != nullptr ? "2^31 places or more, padded to the longest row: csr_vector pads nothing"
                                  : "2^31 nonzeros or more: matrix_free stores none";
    return {};
}

// What is left out of a trace would have to be solved as well for a solver to see that it is done.
std::string SparseProblem::traceRefusal() const {
    if (m_system == nullptr) return {};
    return "a solver is not traced: it ends by what is left of the whole picture, of which a trace runs some blocks; "
           "the task product counts what each of its steps takes";
}

Verification SparseProblem::verify(const Result& result, const Variant&, std::stop_token stop) const {
    if (m_system != nullptr) {
        const auto evolution = evolutionOf(result.tables);
        if (!evolution || evolution->residuals.empty())
            return {.mismatches = 1, .firstMismatch = "there is no residual", .note = {}};
        return m_system->verify(*result.picture, m_unknowns, evolution->residuals.back().value, evolution->iterations,
                                stop);
    }
    return verifyProduct(*result.picture, *m_input, m_case, m_unknowns, stop);
}

PlainTask SparseProblem::plainTask() const {
    PlainTask task = SparseFrame::plainTask();
    task.planes = m_case.channels;
    if (m_system != nullptr) task.refusal = "a solver takes many kernels: take the task product";
    if (m_case.masked) task.refusal = "the unknowns of a mask are numbered by themselves: leave the mask out";
    if (m_case.depth > 1) task.refusal = "rows reach across slices: take a picture of one";
    if (m_case.matrix == Values::diffusion && m_case.channels > 1)
        task.refusal = "each channel has a matrix of its own: take a picture of one channel";
    if (!task.refusal.empty()) return task;
    {
        const std::lock_guard lock(m_mutex);
        if (m_rows == nullptr)
            m_rows = std::make_shared<const CompressedRows>(compressedRows(*m_input, m_case, m_unknowns));
    }
    task.arguments = {{"row_starts", m_rows->starts},
                      {"columns", m_rows->columns},
                      {"values", m_rows->values},
                      {"rows", std::int64_t{m_case.rows}}};
    task.plain =
        "// A row of the matrix for each pixel: row r has values[i] in column columns[i], for i from\n"
        "// row_starts[r] to before row_starts[r + 1]. Pixels are numbered along the rows of the picture.\n"
        "__global__ void my_kernel(const pixel_t* in, result_t* out, int width, int height,\n"
        "                          const int* row_starts, const int* columns, const float* values) {\n" +
        placeText() +
        "    const int row = y * width + x;\n"
        "    float sum = 0;\n"
        "    for (int i = row_starts[row]; i < row_starts[row + 1]; ++i) sum += values[i] * in[columns[i]];\n"
        "    out[row] = sum;\n}\n";
    return task;
}

/// A picture's pixels as unknowns: a sparse matrix times them, holes filled, other pictures cloned in.
const Family& family() {
    static const FamilyOf<SparseProblem> instance(
        FamilyInfo{
            .id = "sparse",
            .title = "Sparse solve",
            .group = "Solve",
            .task = "Inpaint, clone, sparse products",
            .makesPicture = true,
            .makesTables = true,
            .volumes = true,
            .valuesMatter = true,
        },
        sparse::parameters().list(), ladder().variants(),
        [](const ParameterValues& values) -> std::optional<ResultValues> {
            const Chosen chosen = sparse::parameters().read(values);
            const bool laplacian = chosen.task == Task::product && chosen.matrix == Values::laplacian;
            return laplacian ? std::optional(ResultValues{"Laplacian", ResultValues::Kind::aboutZero}) : std::nullopt;
        });
    return instance;
}

#if !WARPLENS_HAVE_CUDA
SparseFrame::Library cusparse_library() { return {}; }
SparseFrame::Library cusparse_sliced_library() { return {}; }
#endif

}  // namespace warplens::gpu::sparse
