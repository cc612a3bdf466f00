// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/activity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

void Activity::watch(JobRunner& lane) {
    m_lanes.push_back(&lane);
    connect(&lane, &JobRunner::busyChanged, this, &Activity::busyChanged);
    connect(&lane, &JobRunner::progress, this, &Activity::progress);
}

bool Activity::busy() const { return std::ranges::any_of(m_lanes, &JobRunner::busy); }

void Activity::beginRun() {
    ++m_run;
    if (!std::exchange(m_lastJobOfRun, false)) return;
    m_lastJob.clear();
    emit lastJobChanged();
}

void Activity::note(const QString& job, bool ofRun) {
    m_lastJob = job;
    m_lastJobOfRun = ofRun;
    emit lastJobChanged();
}

QString Activity::timesOf(double seconds, double fraction) {
    constexpr double kSoon = 3, kLittle = 0.05, kMinutes = 120;
    if (seconds < kSoon) return {};
    const auto text = [](double s) {
        return s < kMinutes ? tr("%1 s").arg(std::lround(s)) : tr("%1 min").arg(std::lround(s / 60));
    };
    if (fraction < kLittle || fraction >= 1) return text(seconds);
    return tr("%1, about %2 left").arg(text(seconds), text(seconds * (1 - fraction) / fraction));
}

void Activity::report(const QString& sentence) {
    if (m_error == sentence) return;
    m_error = sentence;
    emit noticeChanged();
}

void Activity::fail(const JobFailure& failure) {
    if (failure.kind == JobFailure::Kind::cancelled)
        note(tr("Cancelled"), true);
    else
        report(failure.message);
}

void Activity::setPersistentNotice(const QString& sentence) {
    m_standing = sentence;
    emit noticeChanged();
}

void Activity::setPersistentShown(bool shown) {
    if (std::exchange(m_standingShown, shown) != shown) emit noticeChanged();
}

void Activity::instruct(const QString& sentence) {
    m_instruction = sentence;
    emit noticeChanged();
}

QString Activity::notice() const {
    if (!m_error.isEmpty()) return m_error.toHtmlEscaped();
    if (!m_instruction.isEmpty()) return m_instruction.toHtmlEscaped();
    return m_standingDismissed || !m_standingShown ? QString() : m_standing;
}

void Activity::dismissNotice() {
    if (!m_error.isEmpty())
        m_error.clear();
    else if (!m_instruction.isEmpty())
        m_instruction.clear();
    else
        m_standingDismissed = true;
    emit noticeChanged();
}

}  // namespace warplens::gui
