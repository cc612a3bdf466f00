// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/table_judge.hpp"
#include "gpu/families/merge/quantiles.hpp"
#include "gpu/families/merge/reference.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/frame/plain_text.hpp"
#include "gpu/kernels/block_limits.hpp"
#include "gpu/kernels/host_planes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gpu::merge {

MergeProblem::MergeProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : MergeProblem(listsOf(std::move(input), parameters().read(values))) {}

MergeProblem::MergeProblem(ChosenLists lists)
    : PictureProblem(std::move(lists.values), ladder(), "to sort"), m_chosen(lists.chosen), m_first(lists.first) {}

Work MergeProblem::work() const {
    const auto bytes = static_cast<std::int64_t>(m_input->bytes());
    return {.traffic = Traffic::copy, .bytesRead = bytes, .bytesWritten = bytes};
}

Traits MergeProblem::traits() const {
    return {.kinds = {{"type", io::nameOf(m_input->type())}, {"task", task() == Task::merge ? "merge" : "sort"}},
            .sizes = {{"values", {static_cast<double>(m_input->shape().values()), 0.5}}}};
}

std::vector<std::string> MergeProblem::facts() const {
    const std::string each = m_input->shape().channels > 1 ? " values of each channel" : " values";
    if (task() == Task::merge) {
        std::vector<std::string> facts{"lists of " + std::to_string(m_first) + " and " +
                                       std::to_string(secondLists().length) + each +
                                       (listsGiven() ? ", as given" : ", sorted beforehand")};
        if (m_chosen.rank < 0) return facts;
        const auto steps = coRankSteps();
        facts.push_back("of the first " + std::to_string(m_chosen.rank) + " outputs " +
                        std::to_string(steps->integers("i").back()) + " come from the first list, found in " +
                        std::to_string(steps->rows() - 1) + (steps->rows() == 2 ? " step" : " steps"));
        return facts;
    }
    int passes = 0;
    for (std::uint64_t run = kSortTile; run < channels().length; run *= 2) ++passes;
    return {"tiles of " + std::to_string(kSortTile) + each + ", then " + std::to_string(passes) +
            (passes == 1 ? " pass" : " passes")};
}

Lists MergeProblem::channels() const {
    const auto pixels = static_cast<std::uint64_t>(m_input->shape().pixels());
    return {static_cast<std::uint64_t>(m_input->shape().channels), pixels, 0, pixels};
}
Lists MergeProblem::firstLists() const {
    Lists lists = channels();
    lists.length = m_first;
    return lists;
}
Lists MergeProblem::secondLists() const {
    Lists lists = channels();
    lists.first = m_first;
    lists.length -= m_first;
    return lists;
}

bool MergeProblem::hasNaN() const {
    const std::lock_guard lock(m_mutex);
    if (!m_nan) {
        const auto* const values = m_input->as<float>();
        m_nan = m_input->type() == io::PixelType::f32 &&
                std::any_of(values, values + m_input->shape().values(), [](float v) { return std::isnan(v); });
    }
    return *m_nan;
}

TunableValues MergeProblem::resolved(const Variant& variant, const TunableValues& chosen,
                                     const DeviceInfo& /*device*/) const {
    TunableValues values = resolve(variant, chosen);
    if (task() != Task::merge && values.contains("elements_per_thread") && !chosen.contains("elements_per_thread"))
        values["elements_per_thread"] = kSortItems;
    return values;
}

std::string MergeProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                        const DeviceInfo& device) const {
    if (std::string why = refusalOf(kernel.code, device); !why.empty()) return why;
    const auto values = m_input->shape().values();
    if (kernel.sort != nullptr) {
        if (task() == Task::merge) return "sorts a list: it is for sort and quantiles";
        if (channels().length > 0xffffffffU)
            return "places have 32 bits: it sorts up to 4,294,967,295 values per channel";
    }
    const Footprint tile = kernel.footprint(t);
    const std::size_t bytes =
        kernel.sharedBytes == nullptr ? 0 : kernel.sharedBytes(t, io::sizeOf(m_input->type()), channels());
    if (std::string why = refusalOfBlock(tile, bytes, device); !why.empty()) return why;
    constexpr std::int64_t kMostBlocks = 0x7fffffff;
    // Runs are kSortTile long at least, so that at most one block more than is full falls to each.
    if (values / tile.tileWidth + values / kSortTile + 8 > kMostBlocks)
        return "needs more than 2,147,483,647 blocks: choose larger ones";
    return {};
}

std::shared_ptr<const io::Grid> MergeProblem::withSortedLists() const {
    std::vector<std::byte> planes = planesOf(*m_input);
    io::withSampleType(m_input->type(), [&]<class T>(T) {
        auto* const values = reinterpret_cast<T*>(planes.data());
        for (const Lists& lists : {firstLists(), secondLists()})
            for (std::uint64_t l = 0; l < lists.count; ++l) {
                T* const first = values + lists.first + l * lists.stride;
                std::sort(first, first + lists.length, comesBefore<T>);
            }
    });
    auto sorted = emptyOutput();
    fillFromPlanes(planes, m_input->shape().channels, *sorted);
    return sorted;
}

PlainTask MergeProblem::plainTask() const {
    PlainTask task = MergeFrame::plainTask();
    if (m_chosen.task == Task::merge && !hasNaN()) task.input = withSortedLists();
    const auto first = static_cast<std::int64_t>(firstLists().length),
               second = static_cast<std::int64_t>(secondLists().length);
    task.arguments = {{"first", first}, {"second", second}};
    task.plain =
        "// Two sorted lists lie one behind the other: first values, then second values.\n"
        "// A value's place is its own in its list, and the number of values of the other\n"
        "// list that come before it; of equal ones those of the first list do.\n"
        "__global__ void my_kernel(const pixel_t* in, result_t* out, int width, int height,\n"
        "                          int first, int second) {\n" +
        placeText() +
        "    const int i = y * width + x;\n"
        "    const bool ofFirst = i < first;\n"
        "    const pixel_t* const other = ofFirst ? in + first : in;\n"
        "    int low = 0, high = ofFirst ? second : first;\n"
        "    while (low < high) {\n"
        "        const int middle = (low + high) / 2;\n"
        "        const bool before = ofFirst ? other[middle] < in[i] : other[middle] <= in[i];\n"
        "        if (before) low = middle + 1;\n"
        "        else high = middle;\n"
        "    }\n"
        "    out[(ofFirst ? i : i - first) + low] = in[i];\n}\n";
    if (hasNaN()) task.refusal = "some values are not numbers, and have no place in an order";
    if (m_chosen.task != Task::merge) task.refusal = "sorting takes many launches: take the task merge";
    if (m_input->shape().depth > 1) task.refusal = "a list lies in several slices: take a picture";
    return task;
}

Result MergeProblem::resultOfPlanes(const std::vector<std::byte>& planes) const {
    return resultOf(MergeFrame::resultOfPlanes(planes).picture);
}

std::shared_ptr<const Table> MergeProblem::coRankSteps() const {
    const std::lock_guard lock(m_mutex);
    if (m_steps == nullptr)
        m_steps = merge::coRankSteps(*withSortedLists(), m_first, static_cast<std::uint64_t>(m_chosen.rank));
    return m_steps;
}

Result MergeProblem::resultOf(std::shared_ptr<const io::Grid> sorted) const {
    Tables tables{quantilesOf(*sorted)};
    if (task() == Task::merge && m_chosen.rank >= 0) tables.push_back(coRankSteps());
    if (task() == Task::quantiles) sorted.reset();
    return {.picture = std::move(sorted), .tables = std::move(tables)};
}

Verification MergeProblem::verify(const Result& result, const Variant& variant, std::stop_token stop) const {
    std::shared_ptr<const io::Grid> exact;
    {
        const std::lock_guard lock(m_mutex);
        if (m_exact == nullptr) m_exact = std::make_shared<const io::Grid>(sorted(*m_input, stop));
        exact = m_exact;
    }
    TableJudge judge;
    judge.compare(*result.tables.front(), *quantilesOf(*exact));
    const Verification table = judge.result();
    if (result.picture == nullptr) return table;
    Verification found = compare(*result.picture, *exact, variant.kind == Variant::Kind::kernel, stop);
    if (found.mismatches == 0) found.firstMismatch = table.firstMismatch;
    found.mismatches += table.mismatches;
    return found;
}

/// Sorted lists made one: merging, sorting by merging, and quantiles of what is sorted.
const Family& family() {
    static const FamilyOf<MergeProblem> instance(
        FamilyInfo{
            .id = "merge",
            .title = "Sorted merge",
            .group = "Count and measure",
            .task = "Sort, merge lists, find percentiles",
            .makesOtherPicture = true,
            .makesTables = true,
            .wideIntegers = true,
            .valuesMatter = true,
            .services = {{Service::quantiles, {{"task", std::string("quantiles")}}}},
        },
        parameters().list(), ladder().variants());
    return instance;
}

#if !WARPLENS_HAVE_CUDA
MergeFrame::Library cub_merge_library() { return {}; }
MergeFrame::Library cub_merge_sort_library() { return {}; }
MergeFrame::Library cub_radix_sort_library() { return {}; }
#endif

}  // namespace warplens::gpu::merge
