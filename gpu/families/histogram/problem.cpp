// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/families/histogram/reference.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <tuple>

namespace warplens::gpu::histogram {
namespace {

std::string printed(double value) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

Edges edgesFor(const Chosen& chosen, const Range& range) {
    if (chosen.binWidth == 0) return edgesOf(range, chosen.bins);
    // The default beside a width is no contradiction: forms give every value.
    if (chosen.bins != Chosen::kBins)
        throw Error(Error::Kind::argument, "bins and bin-width are both given: give one of them");
    return edgesOfWidth(range, chosen.binWidth);
}

/// Why two tables are not of the same bins and channels, or empty: then their counts can be compared.
std::string otherShape(const BinnedCounts& got, const BinnedCounts& exact) {
    const auto differ = [](const std::string& what, const std::string& a, const std::string& b) {
        return what + ": " + a + " instead of " + b;
    };
    const auto number = [](std::size_t n) { return std::to_string(n); };
    if (got.edges.size() != exact.edges.size())
        return differ("edges", number(got.edges.size()), number(exact.edges.size()));
    for (std::size_t k = 0; k < exact.edges.size(); ++k) {
        if (got.edges[k] != exact.edges[k])
            return differ("edge " + number(k), printed(got.edges[k]), printed(exact.edges[k]));
    }
    if (got.channels.size() != exact.channels.size())
        return differ("channels", number(got.channels.size()), number(exact.channels.size()));
    for (std::size_t c = 0; c < exact.channels.size(); ++c) {
        const auto &a = got.channels[c], &b = exact.channels[c];
        if (a.name != b.name) return differ("channel " + number(c), a.name, b.name);
        if (a.bins.size() != b.bins.size())
            return differ("bins of channel " + b.name, number(a.bins.size()), number(b.bins.size()));
    }
    return {};
}

/// Compares counts one by one; every difference is a mismatch.
void compare(const CountedChannel& got, const CountedChannel& exact, bool withRest, Verification& result) {
    const auto note = [&](const std::string& what, std::int64_t a, std::int64_t b) {
        if (a == b) return;
        result.maxAbsError = std::max(result.maxAbsError, std::fabs(static_cast<double>(a - b)));
        if (result.mismatches++ > 0) return;
        result.firstMismatch =
            "channel " + exact.name + " " + what + ": " + std::to_string(a) + " instead of " + std::to_string(b);
    };
    for (std::size_t k = 0; k < exact.bins.size(); ++k) note("bin " + std::to_string(k), got.bins[k], exact.bins[k]);
    if (!withRest) return;
    note("below", got.below, exact.below);
    note("above", got.above, exact.above);
    note("not a number", got.nan, exact.nan);
}

bool sameBesideBins(const BinnedCounts& a, const BinnedCounts& b) {
    return std::ranges::equal(a.channels, b.channels, [](const CountedChannel& x, const CountedChannel& y) {
        return std::tuple(x.below, x.above, x.nan) == std::tuple(y.below, y.above, y.nan);
    });
}

}  // namespace

HistogramProblem::HistogramProblem(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values)
    : PictureProblem(input, ladder(), "to count", true), m_shape(input->shape()) {
    const Chosen chosen = parameters().read(values);
    m_selection = selectionOf(*input, chosen);
    m_input = selectedValues(input, m_selection);
    m_rangeGiven = !chosen.range.empty();
    m_edges = edgesFor(chosen, m_rangeGiven ? parseRange(chosen.range) : defaultRange(*input, *m_input));
    m_names = histogram::channelNames(m_shape, m_selection);
}

Work HistogramProblem::work() const {
    // The counts themselves are left out: bins are few beside values, and the limit compared with is that of reading.
    return {.traffic = Traffic::read,
            .bytesRead = static_cast<std::int64_t>(m_input->bytes()),
            .bytesWritten = 0,
            .operations = 0};
}

Traits HistogramProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_input->type())}},
            .sizes = {{"bins", {static_cast<double>(m_edges.bins()), 2}},
                      {"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> HistogramProblem::facts() const {
    std::vector<std::string> facts;
    const int bins = m_edges.bins();
    facts.push_back(std::to_string(bins) + (bins == 1 ? " bin of " : " bins of ") + printed(m_edges.width) +
                    (m_edges.equal ? "" : ", the last narrower"));
    facts.push_back(std::string(m_rangeGiven ? "range " : "default range ") + printed(m_edges.lo()) + " to " +
                    printed(m_edges.hi()) + ", end excluded");
    if (!m_selection.whole(m_shape)) {
        facts.push_back(std::to_string(m_input->shape().pixels()) + " of " + std::to_string(m_shape.pixels()) +
                        " pixels selected, gathered before the upload, untimed");
    }
    if (m_selection.luminance)
        facts.emplace_back("luminance 0.2126 R + 0.7152 G + 0.0722 B as f32, computed before the upload, untimed");
    return facts;
}

Case HistogramProblem::caseFor(std::int64_t sharedBytes) const {
    return {.type = m_input->type(),
            .count = static_cast<std::uint64_t>(m_input->shape().pixels()),
            .bins = m_edges.bins(),
            .sharedBytes = static_cast<std::size_t>(sharedBytes)};
}

std::string HistogramProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues&,
                                            const DeviceInfo& device) const {
    return kernel.refusal == nullptr ? std::string() : kernel.refusal(caseFor(device.sharedBytesPerBlock));
}

HistogramProblem::HistogramProblem(const HistogramProblem& whole, std::shared_ptr<const io::Grid> values)
    : PictureProblem(std::move(values), ladder(), "to count", true),
      m_shape(m_input->shape()),
      m_edges(whole.m_edges),
      m_rangeGiven(whole.m_rangeGiven),
      m_names(whole.m_names) {}

int HistogramProblem::cutAxis() const {
    const io::Shape& s = m_input->shape();
    return s.depth == 1 && s.height == 1 ? 0 : axisOfLines(s);
}

std::unique_ptr<Problem> HistogramProblem::makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t) const {
    return std::unique_ptr<Problem>(new HistogramProblem(*this, std::move(lines)));
}

namespace {

class AddedCounts final : public PartitionMerger {
public:
    explicit AddedCounts(BinnedCounts empty) : m_sum(std::move(empty)) {}

    void add(const Result& part, const Partition&) override {
        const auto counts = countsOf(part.tables);
        for (std::size_t c = 0; c < m_sum.channels.size(); ++c) {
            CountedChannel& to = m_sum.channels[c];
            const CountedChannel& from = counts->channels[c];
            for (std::size_t k = 0; k < to.bins.size(); ++k) to.bins[k] += from.bins[k];
            to.below += from.below;
            to.above += from.above;
            to.nan += from.nan;
        }
    }

    Result take() override { return {.picture = {}, .tables = tablesOf(m_sum)}; }

private:
    BinnedCounts m_sum;
};

}  // namespace

std::unique_ptr<PartitionMerger> HistogramProblem::emptyResults() const {
    return std::make_unique<AddedCounts>(emptyResult());
}

Verification HistogramProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    const auto exact = reference(std::move(stop));
    Verification verification;
    verification.checkedShare = 1;
    const auto counted = countsOf(result.tables);
    if (counted == nullptr) {
        verification.mismatches = 1;
        verification.firstMismatch = "the tables are no counts of bins";
        return verification;
    }
    const BinnedCounts& got = *counted;
    if (const std::string why = otherShape(got, *exact); !why.empty()) {
        verification.mismatches = 1;
        verification.firstMismatch = why;
        return verification;
    }
    for (std::size_t c = 0; c < exact->channels.size(); ++c) {
        compare(got.channels[c], exact->channels[c], variant.kind == Variant::Kind::kernel, verification);
    }
    if (isIntentionallyWrong(variant)) verification.note = "wrong on purpose: threads overwrite each other's counts";
    // What is counted alike is the same task, whose time stands beside ours.
    if (const Library* library = rows().libraryOf(variant);
        library != nullptr && (library->run != nullptr || !sameBesideBins(got, *exact)))
        verification.note = library->note;
    return verification;
}

BinnedCounts HistogramProblem::emptyResult() const {
    BinnedCounts result{m_edges.values, {}};
    for (const auto& name : m_names) {
        CountedChannel channel;
        channel.name = name;
        channel.bins.resize(static_cast<std::size_t>(m_edges.bins()));
        result.channels.push_back(std::move(channel));
    }
    return result;
}

PlainTask HistogramProblem::plainTask() const {
    io::Shape counts = m_input->shape();
    counts.width = m_edges.bins();
    counts.height = 1;
    PlainTask task = plainTaskOf(m_input, counts, io::PixelType::u32);
    task.threadsOfInput = task.zeroed = true;
    task.arguments = {{"bins", std::int64_t{m_edges.bins()}}, {"low", m_edges.lo()}, {"bin_width", m_edges.width}};
    const double top = m_input->type() == io::PixelType::u8 ? 255 : 65535;
    const bool integers = m_input->type() == io::PixelType::u8 || m_input->type() == io::PixelType::u16;
    if (!integers || m_edges.lo() > 0 || m_edges.hi() <= top)
        task.refusal = "values may lie outside the bins: take bytes or words, and bins for all of them";
    else if (!m_edges.equal || counts.depth > 1 || m_names.size() != static_cast<std::size_t>(counts.channels))
        task.refusal = "take a picture, all its channels, and bins of one width";
    task.plain =
        "// The counts are 0 at first.\n"
        "__global__ void my_kernel(const pixel_t* in, result_t* out, int width, int height,\n"
        "                          double low, double bin_width) {\n" +
        placeText() +
        "    const int bin = (in[y * width + x] - low) / bin_width;\n"
        "    atomicAdd(&out[bin], 1);\n}\n";
    return task;
}

Result HistogramProblem::resultOfPlanes(const std::vector<std::byte>& planes) const {
    BinnedCounts result = emptyResult();
    const std::byte* at = planes.data();
    for (CountedChannel& channel : result.channels)
        for (std::int64_t& bin : channel.bins) {
            std::uint32_t count = 0;
            std::memcpy(&count, at, sizeof count);
            bin = count;
            at += sizeof count;
        }
    return {.picture = {}, .tables = tablesOf(result)};
}

std::shared_ptr<const BinnedCounts> HistogramProblem::reference(std::stop_token stop) const {
    const std::lock_guard lock(m_mutex);
    if (m_reference == nullptr) {
        m_reference = std::make_shared<const BinnedCounts>(countExactly(*m_input, m_edges, m_names, std::move(stop)));
    }
    return m_reference;
}

const Family& family() {
    static const FamilyOf<HistogramProblem> instance(
        FamilyInfo{
            .id = "histogram",
            .title = "Histogram",
            .group = "Count and measure",
            .task = "Count values, show the distribution",
            .makesTables = true,
            .valuesMatter = true,
        },
        parameters().list(), ladder().variants());
    return instance;
}

#if !WARPLENS_HAVE_CUDA
HistogramFrame::Library cub_library() { return {}; }
#endif

}  // namespace warplens::gpu::histogram
