// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/dock_section.hpp"
#include "gui/session/rates.hpp"
#include "gui/volume/playback_model.hpp"

class QLabel;

namespace warplens::gui {

class OriginMark;
struct RateBar;
class RateBars;
class StatusMark;

/// Beside the slices while the task iterates: how fast each variant takes a step. On a GPU as measured here, in
/// lockstep; without one as recorded, and the CPU's own clock aside, which ranks nothing.
class RateSection : public DockSection {
    Q_OBJECT
public:
    RateSection(RequestState& request, PlaybackModel& model, QWidget* parent = nullptr);
    RateBars* bars() const { return m_bars; }
    /// Takes recorded runs, which the section otherwise loads by itself.
    void setRecorded(gpu::RecordedRuns runs);

private:
    void refresh();
    void showMeasured(std::vector<RateBar>& bars, std::optional<double>& line, QString& note);
    void showRecorded(std::vector<RateBar>& bars, std::optional<double>& line, QString& note);

    RequestState& m_request;
    PlaybackModel& m_model;
    RateBars* m_bars;
    QLabel* m_note;
    OriginMark* m_origin;
    gpu::RecordedRuns m_recorded;
};

/// Whether the variants agree with the reference after the steps taken.
class AgreementSection : public DockSection {
    Q_OBJECT
public:
    AgreementSection(RequestState& request, PlaybackModel& model, QWidget* parent = nullptr);

private:
    void refresh();
    QLabel* addRow(const QString& name, const char* id, QWidget* mark = nullptr);

    RequestState& m_request;
    PlaybackModel& m_model;
    StatusMark* m_mark;
    QLabel *m_who = nullptr, *m_verdict = nullptr, *m_error = nullptr, *m_bound = nullptr, *m_share = nullptr, *m_note;
};

}  // namespace warplens::gui
