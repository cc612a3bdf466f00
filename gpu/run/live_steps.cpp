// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/live_steps.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/moments.hpp"
#include "gpu/core/partitionable.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/rows.hpp"

namespace warplens::gpu {
namespace {

/// Whether it is posed by the extents and the type of its input alone, as pieces of a picture are.
bool posedWithoutValues(const Problem& problem) {
    const Partitionable* pieces = problem.inPieces();
    return pieces != nullptr && !pieces->foundOverAll() && pieces->indivisibleReason().empty();
}

bool isSame(const Request& before, const Request& now, const DevicePicture& from) {
    return before.family == now.family && before.parameters == now.parameters && before.variants == now.variants &&
           before.tunables == now.tunables && before.memoryCap == now.memoryCap &&
           before.input->shape() == from.shape && before.input->type() == from.type;
}

/// Memory that nobody touches takes addresses alone.
std::shared_ptr<const io::Grid> withoutValues(const DevicePicture& picture, const io::Grid& like) {
    auto grid = std::make_shared<io::Grid>(picture.shape, picture.type);
    grid->geometry = like.geometry;
    grid->metadata = like.metadata;
    return grid;
}

}  // namespace

bool LiveSteps::opens(Link& link, const Describe& describe) try {
    link.problem = familyOf(link.step.family).pose(link.step.input, link.step.parameters);
    if (!posedWithoutValues(*link.problem)) return false;
    std::tie(link.variant, link.described) = describe(link.step, *link.problem);
    if (link.described.status != Status::ok || onHost(*link.variant)) return false;
    link.resident.grid = link.step.input;
    link.resident.planes = m_device.allocate(link.step.input->bytes());
    link.session = link.problem->open(m_device, link.resident);
    return link.session->picture().has_value();
} catch (const Error& error) {
    // Why not is for the run to say, which has the values and may cut them into pieces.
    if (error.kind() == Error::Kind::cancelled || error.kind() == Error::Kind::fault) throw;
    return false;
}

void LiveSteps::pass(Link& link, const DevicePicture& from) {
    // Links of a family share its constants, so that each is prepared anew.
    StageLog::during(StageLog::kLayout, [&] {
        if (m_copies == nullptr) m_copies = overlappingOf(m_device).createStream();
        m_device.synchronize();
        m_copies->copy(link.resident.planes, 0, *from.planes, 0, link.resident.planes.bytes());
        m_copies->markUntimed()->wait();
        link.resident.padded = {};  // of the values before
        link.resident.pitch = 0;
    });
    link.session->prepare(*link.variant, link.described.tunables);
    link.session->poisonOutput();
    StageLog::during(StageLog::kKernel, [&] { link.session->pass(m_device); });
    m_device.takeLaunchFacts();
}

std::optional<DevicePicture> LiveSteps::run(const DevicePicture& first, bool fresh, const io::Grid& like,
                                            const std::vector<Request>& steps, const Describe& describe) {
    if (m_links.size() > steps.size()) m_links.resize(steps.size());
    DevicePicture from = first;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i < m_links.size() && !isSame(m_links[i]->step, steps[i], from)) m_links.resize(i);
        if (i == m_links.size()) {
            auto link = std::make_unique<Link>();
            link->step = steps[i];
            link->step.input = withoutValues(from, like);
            if (!opens(*link, describe)) return std::nullopt;
            m_links.push_back(std::move(link));
            fresh = true;
        }
        if (fresh) pass(*m_links[i], from);
        from = *m_links[i]->session->picture();
    }
    return from;
}

}  // namespace warplens::gpu
