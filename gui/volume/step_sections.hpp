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
DockSection* makeAgreementSection(PlaybackModel& model, QWidget* parent);

}  // namespace warplens::gui
