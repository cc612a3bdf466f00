// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/problem.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/step_fusion.hpp"
#include "gpu/families/layout/parameters.hpp"
#include "gpu/families/layout/reference.hpp"
#include "gpu/frame/family_of.hpp"
#include "gpu/kernels/block_limits.hpp"
#include "io/in_space.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gpu::layout {
namespace {

// A tile of floats has rows of two lines: 64 values.
constexpr int kTileBytesOfFloats = 256;

std::string extentsOf(const io::Shape& s) {
    return std::to_string(s.width) + " x " + std::to_string(s.height) +
           (s.depth > 1 ? " x " + std::to_string(s.depth) : "") +
           (s.channels > 1 ? " of " + std::to_string(s.channels) + " channels" : "");
}

}  // namespace

LayoutProblem::LayoutProblem(std::shared_ptr<const io::Grid> input, const ParameterValues& values)
    : PictureProblem(std::move(input), ladder(), "to turn"), m_values(values) {
    m_case = caseOf(parseOptions(values, m_input->shape()), m_input->type());
}

// A stride reads what it keeps: what else comes with it is the lesson.
Work LayoutProblem::work() const {
    const auto size = static_cast<std::int64_t>(io::sizeOf(m_input->type()));
    const std::int64_t bytes = m_case.asked.output.values() * size;
    return {.traffic = Traffic::copy, .bytesRead = bytes, .bytesWritten = bytes};
}

PlainTask LayoutProblem::plainTask() const {
    PlainTask task = LayoutFrame::plainTask();
    const io::Shape& from = m_case.asked.input;
    const io::Shape& to = m_case.asked.output;
    if (m_case.asked.packs() || from.depth != to.depth || from.width * from.height != to.width * to.height)
        task.refusal = "it moves values between planes: take a turn, a flip or an offset of a picture";
    return task;
}

Traits LayoutProblem::traits() const {
    const LayoutOptions& asked = m_case.asked;
    const char* way = asked.packs() ? "packs" : asked.swaps() ? "turn" : asked.task == Task::stride ? "stride" : "rows";
    return {.kinds = {{"type", io::nameOf(m_input->type())},
                      {"way", way},
                      {"aligned", asked.swaps() && !m_case.aligned() ? "no" : "yes"}},
            .sizes = {{"values", {static_cast<double>(asked.output.values()), 0.5}}}};
}

std::vector<std::string> LayoutProblem::facts() const {
    const LayoutOptions& asked = m_case.asked;
    std::vector<std::string> facts;
    if (!(asked.output == asked.input)) facts.push_back(extentsOf(asked.input) + " becomes " + extentsOf(asked.output));
    if (!asked.beyond.empty()) facts.push_back(asked.beyond);
    if (asked.task == Task::reslice)
        facts.push_back(std::string("the new z, y and x are the old ") + asked.order[0] + ", " + asked.order[1] +
                        " and " + asked.order[2]);
    if (asked.readsOutOfStep()) facts.push_back("step " + std::to_string(asked.step));
    if (asked.task == Task::offset) facts.emplace_back("rows go round their end");
    if (asked.swaps() && !m_case.aligned()) facts.push_back("rows of both sides do not start at multiples of 16 bytes");
    return facts;
}

TunableValues LayoutProblem::resolved(const Variant& variant, const TunableValues& chosen,
                                      const DeviceInfo& /*device*/) const {
    TunableValues values = resolve(variant, chosen);
    if (values.contains("tile_bytes") && !chosen.contains("tile_bytes") && io::sizeOf(m_case.type) == 4)
        values["tile_bytes"] = kTileBytesOfFloats;
    return values;
}

std::string LayoutProblem::kernelRefusal(const KernelEntry& kernel, const TunableValues& t,
                                         const DeviceInfo& device) const {
    if (const char* why = kernel.refusal(m_case.asked)) return why;
    const Footprint tile = kernel.footprint(m_case, t);
    const std::size_t bytes = kernel.sharedBytes == nullptr ? 0 : kernel.sharedBytes(m_case, t);
    if (std::string why = refusalOfBlock(tile, bytes, device); !why.empty()) return why;
    if (m_case.asked.packs()) return {};
    const Move& move = m_case.move;
    const std::int64_t blocks = std::max(move.rows, move.columns) / std::min(tile.tileWidth, tile.tileHeight) + 2;
    if (blocks > kMostBlocksAcross && std::max(move.rows, move.columns) > kMostBlocksAcross)
        return "an extent of " + std::to_string(std::max(move.rows, move.columns)) +
               " needs more than 65,535 blocks: choose larger ones";
    if (std::int64_t{move.layers} * move.planes > kMostBlocksAcross)
        return std::to_string(std::int64_t{move.layers} * move.planes) +
               " layers in all; a grid of blocks has at most 65,535";
    return {};
}

std::string LayoutProblem::indivisibleReason() const {
    if (m_case.asked.task == Task::crop) return "only a part of the rows is kept";
    return m_case.asked.packs() && m_input->shape().depth > 1 ? "slices and channels of a volume change places" : "";
}

std::unique_ptr<Problem> LayoutProblem::makePartition(std::shared_ptr<const io::Grid> lines, std::int64_t) const {
    return std::make_unique<LayoutProblem>(std::move(lines), m_values);
}

std::unique_ptr<PartitionMerger> LayoutProblem::emptyResults() const {
    const auto& axes = m_case.asked.axis;
    const auto at = static_cast<std::size_t>(std::ranges::find(axes, cutAxis()) - axes.begin());
    return pictureOfPieces(emptyOutput(), static_cast<int>(at), m_case.asked.backwards[at]);
}

Verification LayoutProblem::verify(const Result& result, const Variant&, std::stop_token stop) const {
    return layout::verify(m_case.asked, *m_input, *result.picture, stop);
}

std::shared_ptr<io::Grid> LayoutProblem::emptyOutput() const {
    const LayoutOptions& asked = m_case.asked;
    auto output = emptyLike(*m_input, asked.output, m_input->type());
    // A picture lies nowhere in space, unless its file said so.
    const bool placed = asked.input.depth > 1 || !(m_input->geometry == io::Geometry());
    if (placed && !asked.packs()) output->geometry = geometryOf(asked, m_input->geometry);
    auto& dpi = output->metadata.dpi;
    if (dpi && asked.swaps()) std::swap((*dpi)[0], (*dpi)[1]);
    return output;
}

namespace {

class LayoutFamily final : public FamilyOf<LayoutProblem>, public StepFusion {
public:
    using FamilyOf::FamilyOf;
    /// Turns and flips of a picture that lies nowhere in space: its place would be rounded otherwise.
    std::optional<FusedStep> fused(const io::Grid& input, const ParameterValues& first,
                                   const ParameterValues& second) const override {
        if (input.shape().depth > 1 || io::hasGeometry(input.geometry)) return std::nullopt;
        const std::string task =
            composed(layout::parameters().read(first).task, layout::parameters().read(second).task);
        if (task.empty()) return std::nullopt;
        return FusedStep{.parameters = {{"task", task}}, .words = task};
    }
    const StepFusion* fuses() const override { return this; }
};

}  // namespace

/// Moves values and computes none: turns, mirrors, axes in another order, planes and pixels, reads out of step.
const Family& family() {
    static const LayoutFamily instance(
        FamilyInfo{
            .id = "layout",
            .title = "Turns and layouts",
            .group = "Rearrange",
            .task = "Turn, reslice, split channels",
            .makesPicture = true,
            .volumes = true,
            .swept = "step",
            .services = {{Service::turnLeft, {{"task", std::string("rotate270")}}},
                         {Service::turnRight, {{"task", std::string("rotate90")}}},
                         {Service::flipHorizontally, {{"task", std::string("flip-x")}}},
                         {Service::flipVertically, {{"task", std::string("flip-y")}}}},
        },
        layout::parameters().list(), ladder().variants());
    return instance;
}

}  // namespace warplens::gpu::layout
