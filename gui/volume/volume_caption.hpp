// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/glyphs.hpp"

#include <QWidget>
#include <optional>

namespace warplens::gui {

/// The 24 px line above a slice or the 3D view: shape of the result's idea, title, place; on the right where that is,
/// or angles and time.
class VolumeCaption : public QWidget {
    Q_OBJECT

public:
    struct Content {
        std::optional<gpu::Idea> idea;
        QString title;
        int axis = -1;  ///< the title has this axis' colour; -1: the text's
        QString detail, right;
        std::optional<double> ms;  ///< measured; after `right`
        QString tip;               ///< what the figures mean
        bool operator==(const Content&) const = default;
    };

    explicit VolumeCaption(QWidget* parent = nullptr);
    void setContent(const Content& content);
    const Content& content() const { return m_content; }
    void setCurrent(bool current);
    /// The caption as one plain sentence; accessible name.
    QString spoken() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Content m_content;
    bool m_current = false;
};

}  // namespace warplens::gui
