// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/model/occupancy.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QWidget>
#include <optional>

class QToolButton;

namespace warplens::gui {

/// The places for warps on one multiprocessor: those taken in the colour of the variant's idea, block by block, the
/// others empty.
class OccupancyBar : public QWidget {
    Q_OBJECT
public:
    explicit OccupancyBar(QWidget* parent = nullptr);
    void setOccupancy(const gpu::Occupancy& occupancy, gpu::Idea idea);
    QSize sizeHint() const override { return {320, kRowHeight}; }
    QSize minimumSizeHint() const override { return {160, kRowHeight}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    gpu::Occupancy m_occupancy;
    gpu::Idea m_idea{};
};

/// An idea's shape as a small widget; empty without an idea.
class IdeaMark : public QWidget {
    Q_OBJECT

public:
    explicit IdeaMark(QWidget* parent = nullptr);
    void setIdea(std::optional<gpu::Idea> idea);
    QSize sizeHint() const override { return {kGlyphBox, kGlyphBox}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<gpu::Idea> m_idea;
};

/// An origin's glyph as a small widget with its name and explanation; beside every lone figure.
class OriginMark : public QWidget {
    Q_OBJECT

public:
    explicit OriginMark(Origin origin, QWidget* parent = nullptr);
    void setOrigin(Origin origin);
    QSize sizeHint() const override { return {kGlyphBox, kGlyphBox}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Origin m_origin;
};

/// A status glyph as a small widget with its name.
class StatusMark : public QWidget {
    Q_OBJECT

public:
    explicit StatusMark(QWidget* parent = nullptr);
    void setState(std::optional<ResultState> state);
    QSize sizeHint() const override { return {kGlyphBox, kGlyphBox}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ResultState> m_state;
};

/// The five origin glyphs with their words, always in the status bar; folds into one button when the window is narrow.
class OriginLegend : public QWidget {
    Q_OBJECT

public:
    explicit OriginLegend(QWidget* parent = nullptr);
    void setFolded(bool folded);
    bool folded() const { return m_folded; }

private:
    QWidget* m_open;
    QToolButton* m_button;
    bool m_folded = false;
};

}  // namespace warplens::gui
