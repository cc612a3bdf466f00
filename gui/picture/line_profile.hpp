// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "gpu/core/variant.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/pane_content.hpp"

#include <QPoint>
#include <QString>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// A line from the centre of one pixel to that of another. It has a pixel a step along its longer side, both ends among
/// them, so that every value read along it is one that is stored.
struct ProfileLine {
    QPoint from, to;

    bool operator==(const ProfileLine&) const = default;
    std::size_t size() const;
    /// `i` below size().
    QPoint at(std::size_t i) const;
    /// From the beginning, in pixels.
    double distance(std::size_t i) const;
    /// Its length where `picture`, which may be null, says how large a pixel is, and its angle to the x axis, counter-
    /// clockwise: "18.03 µm, 33.7°". A line of one pixel has neither.
    QString measured(const io::Grid* picture) const;
};

/// The stored values of one channel of a pane's picture along a line; NaN outside the picture.
struct ProfileCurve {
    std::string id{};                 ///< for scripts: the pane's key, or the channel: "naive", "red"
    QString name{};                   ///< for people
    std::optional<gpu::Idea> idea{};  ///< of a result of one channel
    bool current = false;             ///< of the current pane
    std::vector<double> values{};
};

/// Panes of one channel that can be compared, one curve each; the current pane alone where it has several channels or a
/// range of its own, a curve a channel, alpha left out. Empty where no picture is.
std::vector<ProfileCurve> profilesOf(const std::vector<PaneContent>& panes, int current, const ProfileLine& line,
                                     int slice);

/// Distance, position, and a column a curve.
gpu::Table profileTable(const ProfileLine& line, const std::vector<ProfileCurve>& curves);

/// The line over a picture, its beginning marked.
class LineOverlay : public ImageOverlay {
public:
    /// None: nothing is drawn.
    void setLine(const std::optional<ProfileLine>& line) { m_line = line; }
    void paint(QPainter& painter, const ImageView& view) override;

private:
    std::optional<ProfileLine> m_line;
};

}  // namespace warplens::gui
