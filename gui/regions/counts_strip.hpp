// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"

#include <QTimer>
#include <QWidget>
#include <optional>

class QToolButton;

namespace warplens::gui {

class CountsCurve;
class ElidedLabel;
class OriginMark;

/// Below the pictures: how large the frontier of a flood was in each step, which plays as a film, or how many labels
/// each pass of propagation changed, which converges. Hidden where the result has no such table.
class CountsStrip : public QWidget {
    Q_OBJECT
public:
    explicit CountsStrip(QWidget* parent = nullptr);
    void setTables(const gpu::Tables& tables);
    /// Whether there is a film: more than one step.
    bool playable() const { return m_last > 0; }
    bool playing() const { return m_clock.isActive(); }
    /// Whether the steps are levels of a flood, and not passes.
    bool levels() const { return m_levels; }
    /// The step shown, from 0; none: the result.
    std::optional<std::int64_t> step() const { return m_step; }
    /// The count of that step.
    std::int64_t count() const;
    void playOrPause();
    void stepOnce();

signals:
    void stepChanged();
    void playingChanged();

private:
    void show(std::optional<std::int64_t> step);
    void advance();
    void refresh();
    void drawIcons();

    QToolButton *m_play, *m_next;
    ElidedLabel* m_sentence;
    OriginMark* m_origin;
    CountsCurve* m_curve;
    QTimer m_clock;
    gpu::Tables m_tables;
    bool m_levels = false;
    std::int64_t m_last = 0;
    std::optional<std::int64_t> m_step;
};

}  // namespace warplens::gui
