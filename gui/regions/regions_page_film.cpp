// SPDX-License-Identifier: Apache-2.0
// The part of RegionsPage that plays: the steps of a flood, the passes of propagation.
#include "gui/picture/pane.hpp"
#include "gui/regions/counts_strip.hpp"
#include "gui/regions/regions_page.hpp"
#include "gui/session/propagation_replay.hpp"

#include <limits>

namespace warplens::gui {

bool RegionsPage::watchable() const { return m_counts->playable(); }

bool RegionsPage::playing() const { return m_counts->playing(); }

void RegionsPage::playOrPause() { m_counts->playOrPause(); }

void RegionsPage::step() { m_counts->stepOnce(); }

std::int64_t RegionsPage::lastStep() const {
    return m_counts->step().value_or(std::numeric_limits<std::int64_t>::max());
}

void RegionsPage::refreshPass() {
    const auto step = m_counts->step();
    if (!step || m_counts->levels() || m_final == nullptr || m_final->type() != io::PixelType::u32) {
        m_jobs.discard();
        if (m_passed == nullptr) return;
        m_passed.reset();
        return showResult();
    }
    // A film leaves out what it has no time for, but shows something.
    if (m_counts->playing() && m_jobs.busy()) return;
    if (m_replay == nullptr) {
        const auto* neighbours = m_session.parameters().valueFor<std::string>(gpu::Parameter::Role::connectivity);
        const bool corners = neighbours == nullptr || (*neighbours != "4" && *neighbours != "6");
        m_replay = std::make_shared<PropagationReplay>(m_final, corners);
    }
    const std::int64_t pass = *step + 1;
    m_jobs.start(
        this,
        [replay = m_replay, pass](const JobContext& context) {
            replay->go(pass, context.stop());
            return replay->picture();
        },
        [this, pass](const JobResult<std::shared_ptr<const io::Grid>>& result) {
            if (result) takePass(pass, result.value());
        });
}

void RegionsPage::takePass(std::int64_t pass, const std::shared_ptr<const io::Grid>& picture) {
    const auto step = m_counts->step();
    if (!step) return;
    m_passed = picture;
    m_pass = pass;
    showResult();
    refreshKept();
    if (pass != *step + 1) QMetaObject::invokeMethod(this, &RegionsPage::refreshPass, Qt::QueuedConnection);
}

}  // namespace warplens::gui
