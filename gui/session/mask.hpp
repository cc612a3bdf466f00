// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/history.hpp"
#include "io/grid.hpp"

#include <QObject>
#include <QPointF>
#include <QPolygonF>
#include <QString>
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace warplens::gui {

/// Pixels from the first to before the last on each axis.
struct PixelBox {
    std::int64_t x0 = 0, y0 = 0, z0 = 0, x1 = 0, y1 = 0, z1 = 0;
    bool empty() const { return x0 >= x1 || y0 >= y1 || z0 >= z1; }
    std::int64_t pixels() const { return empty() ? 0 : (x1 - x0) * (y1 - y0) * (z1 - z0); }
    PixelBox united(const PixelBox& other) const {
        if (empty()) return other;
        if (other.empty()) return *this;
        return {std::min(x0, other.x0), std::min(y0, other.y0), std::min(z0, other.z0),
                std::max(x1, other.x1), std::max(y1, other.y1), std::max(z1, other.z1)};
    }
    bool operator==(const PixelBox&) const = default;
};

/// The pixels of a box before and after a change.
struct MaskPatch {
    io::Shape shape;  ///< of the mask that they belong to
    PixelBox box;
    std::vector<std::uint8_t> before, after;
};

/// Pixel centres within `radius` of the way from one point to another, and the pixels of both ends. Returns the box
/// that was looked at, clipped to the mask.
PixelBox drawLine(io::Grid& mask, QPointF from, QPointF to, double radius, std::int64_t z, std::uint8_t ink);
/// Pixel centres inside by the even-odd rule.
PixelBox drawPolygon(io::Grid& mask, const QPolygonF& corners, std::int64_t z, std::uint8_t ink);
std::vector<std::uint8_t> pixelsIn(const io::Grid& mask, const PixelBox& box);
void putPixels(io::Grid& mask, const PixelBox& box, const std::vector<std::uint8_t>& pixels);

/// What is painted over the open picture: u8, one channel, of its extents; 255 inside, 0 outside. It is the value of
/// parameter of that role of the family at hand, where that has one; a picture that is chosen there becomes what is
/// painted. Each stroke is a step of the window's undo. Pictures of the same extents share one.
class Mask : public QObject {
    Q_OBJECT
public:
    /// The name under which a family gets it; no file has it.
    static constexpr const char* kName = kPaintedMask;

    Mask(RequestState& request, History& history, QObject* parent = nullptr);

    /// Whether no pixel is inside.
    bool empty() const { return m_inside == 0; }
    std::int64_t inside() const { return m_inside; }
    /// As it was after the last stroke; null when empty.
    const std::shared_ptr<const io::Grid>& picture() const { return m_picture; }
    /// Whether the pixel is inside, that of a stroke under way too. It need not lie in the picture.
    bool at(std::int64_t x, std::int64_t y, std::int64_t z) const;
    /// Extents of the open picture.
    io::Shape shape() const;
    /// The least box of slice `z` that holds what is inside.
    QRect bounds(std::int64_t z) const;
    /// Grows with each change.
    int revision() const { return m_revision; }

    /// A stroke begins; what is painted until end() is one step, called `what`. Painted is `inside`, or taken away.
    void begin(const QString& what, bool inside);
    /// What a disc of `radius` pixels covers on its way, positions in the picture.
    void line(QPointF from, QPointF to, double radius, std::int64_t z);
    void polygon(const QPolygonF& corners, std::int64_t z);
    /// Every pixel whose value is `least` or more. A picture of one slice counts for slice `z`.
    void pixels(const io::Grid& values, double least, std::int64_t z);
    void fill(bool inside);
    void end();
    /// Steps of their own.
    void clear();
    void invert();
    /// Of another session: nothing is inside, and that is no step.
    void forget();
    /// Takes the last stroke back, when nothing has changed since that revision.
    void takeBack(int revision);
    bool painting() const { return m_painting; }
    /// Puts a picture in its place, as one step: what is above 0 is inside. Returns why not, or nothing.
    QString take(const io::Grid& picture);

signals:
    /// Some of it, in a stroke or not.
    void changed();
    /// A stroke ended, or was taken back.
    void painted();

private:
    friend class MaskStep;
    void documentChanged();
    void follow();
    /// The family's value of the parameter; null: none.
    const gpu::NamedGrid* chosen() const;
    void adopt(const io::Grid& picture);
    void replay(const MaskPatch& patch, bool back);
    void publish();
    void give();
    void touch(const PixelBox& box);
    std::uint8_t ink() const { return m_inks ? 255 : 0; }

    RequestState& m_request;
    History& m_history;
    std::shared_ptr<io::Grid> m_grid;  ///< what is painted on; null before the first stroke
    std::shared_ptr<const io::Grid> m_picture, m_before;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::shared_ptr<io::Grid>> m_left;  ///< by extents
    QString m_what;
    PixelBox m_touched;
    std::int64_t m_inside = 0;
    int m_revision = 0;
    bool m_painting = false, m_inks = true, m_giving = false;
};

}  // namespace warplens::gui
