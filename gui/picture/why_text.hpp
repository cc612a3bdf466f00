// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/why.hpp"
#include "gui/kit/paint.hpp"

#include <cmath>
#include <vector>

namespace warplens::gui {

/// Sentences at 16 px, wrapped, numbers bold with the glyph of their origin behind them; a note in small type below.
class WhyText : public Plot {
    Q_OBJECT
public:
    explicit WhyText(QWidget* parent = nullptr);
    void setSentences(std::vector<gpu::WhySentence> sentences, const QString& note);
    /// Everything 1.6 times as large, for a projector.
    void setProjector(bool on);
    /// Shown in place of sentences.
    void setMessage(const QString& message);
    /// All of it as plain text, origins in words.
    QString spoken() const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override {
        return static_cast<int>(std::ceil(layOut(width, nullptr, nullptr)));
    }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {240, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    struct Glyph {
        QRectF box;
        gpu::Origin origin;
    };
    /// Lays everything out in a width; draws where there is a painter, notes glyphs where there is a list. Returns the
    /// height.
    double layOut(double width, QPainter* painter, std::vector<Glyph>* glyphs) const;

    std::vector<gpu::WhySentence> m_sentences;
    QString m_note, m_message;
    bool m_projector = false;
};

}  // namespace warplens::gui
