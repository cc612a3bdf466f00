// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/sparse/parameters.hpp"
#include "gpu/families/sparse/reference.hpp"
#include "gpu/families/sparse/session.hpp"
#include "gpu/families/sparse/sparse.hpp"
#include "gpu/families/sparse/table.hpp"

#include <limits>
#include <utility>

namespace warplens::gpu::sparse {
namespace {

constexpr std::int64_t kMostIntegers = std::numeric_limits<std::int32_t>::max() - 4096;

Values matrixOf(const std::string& name) {
    return name == "diffusion" ? Values::diffusion : name == "filter" ? Values::filter : Values::laplacian;
}

const char* nameOf(Values matrix) {
    return matrix == Values::diffusion ? "diffusion" : matrix == Values::filter ? "filter" : "laplacian";
}

}  // namespace

SparseProblem::SparseProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : m_input(std::move(input)) {
    const auto& list = parameters();
    validate(list, values);
    if (m_input == nullptr || m_input->empty())
        throw Error(Error::Kind::argument, "no picture to multiply: open one first");
    const io::Shape& s = m_input->shape();
    if (s.pixels() > kMostIntegers)
        throw Error(Error::Kind::unsupported, "a picture of 2^31 pixels or more: rows are numbered by 32 bits");
    m_case = {.task = Task::product,
              .matrix = matrixOf(textOf(list, values, "matrix")),
              .type = m_input->type(),
              .width = static_cast<int>(s.width),
              .height = static_cast<int>(s.height),
              .depth = static_cast<int>(s.depth),
              .channels = s.channels,
              .k = static_cast<float>(realOf(list, values, "k")),
              .step = static_cast<float>(realOf(list, values, "step"))};
    const auto mask = pictureOf(list, values, "mask");
    if (mask == nullptr) {
        m_unknowns = everyPixel(s);
    } else {
        if (m_case.matrix != Values::laplacian)
            throw Error(Error::Kind::argument, std::string("mask: the ") + nameOf(m_case.matrix) +
                                                   " is of every pixel: choose the laplacian, or no mask");
        m_mask = mask->name;
        m_unknowns = unknownsOf(insideOf(*mask, s));
        if (m_unknowns.count == 0)
            throw Error(Error::Kind::argument,
                        "mask: '" + m_mask + "' is nowhere above 0: there is no unknown; mark some pixels");
    }
    m_case.rows = m_unknowns.count;
    m_case.masked = m_unknowns.masked();
}

Work SparseProblem::work() const {
    const std::int64_t values = std::int64_t{m_case.rows} * m_case.channels;
    return {.bytesRead = 4 * values + (m_case.masked ? m_case.pixels() : 0),
            .bytesWritten = 4 * values,
            .operations = 2.0 * static_cast<double>(values) * m_case.mostNonzeros()};
}

Traits SparseProblem::traits() const {
    return {.kinds = {{"task", "product"}, {"matrix", nameOf(m_case.matrix)}, {"mask", m_case.masked ? "yes" : "no"}},
            .sizes = {{"rows", {static_cast<double>(m_case.rows), 0.5}}}};
}

std::vector<std::string> SparseProblem::facts() const {
    std::vector<std::string> facts;
    facts.push_back(std::to_string(m_case.rows) + " rows of at most " + std::to_string(m_case.mostNonzeros()) +
                    " nonzeros");
    if (m_case.matrix == Values::filter) facts.emplace_back("binomial filter of 5 x 5, zeros around the picture");
    if (m_case.matrix == Values::diffusion && m_case.channels > 1)
        facts.emplace_back("a matrix a channel: weights come of its values");
    if (m_case.masked)
        facts.push_back("unknowns of " + m_mask + ", 0 elsewhere");
    else if (m_case.matrix == Values::laplacian)
        facts.emplace_back("outermost pixels kept");
    return facts;
}

std::string SparseProblem::refusal(const Variant& variant, const TunableValues&, const DeviceInfo& device) const {
    const KernelEntry* entry = ladder().entryOf(variant, device);
    if (entry == nullptr) return "this program was built without the CUDA device";
    if (entry->format == Format::diagonals && m_case.masked)
        return "the unknowns of a mask lie on no few diagonals: sliced_ell takes them";
    if (entry->format != Format::none && std::int64_t{m_case.rows} * m_case.mostNonzeros() > kMostIntegers)
        return "2^31 nonzeros or more: matrix_free stores none";
    return {};
}

Footprint SparseProblem::footprint(const Variant& variant, const TunableValues& tunables) const {
    return ladder().anyBuildOf(variant).footprint(m_case, tunables);
}

std::unique_ptr<Session> SparseProblem::open(Device& device, Resident& resident) const {
    return openSession(*this, device, resident);
}

Result SparseProblem::runLibrary(const Variant& variant, double&, std::stop_token) const {
    throw Error(Error::Kind::unsupported, variant.id + ": no library of the host multiplies sparse matrices here");
}

Verification SparseProblem::verify(const Result& result, const Variant&, std::stop_token stop) const {
    return verifyProduct(*result.picture, *m_input, m_case, m_unknowns, stop);
}

std::shared_ptr<io::Grid> SparseProblem::emptyOutput() const {
    auto output = std::make_shared<io::Grid>(m_input->shape(), outputType());
    output->geometry = m_input->geometry;
    output->metadata = m_input->metadata;
    output->metadata.notes.clear();
    return output;
}

namespace {

class SparseFamily final : public Family {
public:
    const FamilyInfo& info() const override {
        static const FamilyInfo info{
            .id = "sparse",
            .title = "Sparse solve",
            .group = "Iterate",
            .task = "Fill holes, clone, multiply sparse matrices",
            .makesPicture = true,
            .makesTables = true,
            .volumes = true,
            .valuesMatter = true,
        };
        return info;
    }
    const std::vector<Parameter>& parameters() const override { return sparse::parameters(); }
    const std::vector<Variant>& variants() const override { return ladder().variants(); }

private:
    std::unique_ptr<Problem> makeProblem(std::shared_ptr<const io::Grid> input,
                                         const ParameterValues& values) const override {
        return std::make_unique<SparseProblem>(std::move(input), values);
    }
};

}  // namespace

const Family& family() {
    static const SparseFamily instance;
    return instance;
}

}  // namespace warplens::gpu::sparse
