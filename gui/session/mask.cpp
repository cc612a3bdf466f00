// SPDX-License-Identifier: Apache-2.0
#include "gui/session/mask.hpp"

#include "gui/kit/theme/format.hpp"

#include <QScopedValueRollback>
#include <QUndoCommand>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace warplens::gui {

/// One stroke, as the pixels of its box. It was painted already when the step is pushed.
class MaskStep : public QUndoCommand {
public:
    MaskStep(Mask& mask, const QString& what, MaskPatch patch) : m_mask(mask), m_patch(std::move(patch)) {
        setText(what);
    }
    void undo() override { m_mask.replay(m_patch, true); }
    void redo() override {
        if (m_made) m_mask.replay(m_patch, false);
        m_made = true;
    }

private:
    Mask& m_mask;
    MaskPatch m_patch;
    bool m_made = false;
};

namespace {

constexpr auto kRole = gpu::Parameter::Role::mask;

std::shared_ptr<io::Grid> blank(const io::Shape& shape) {
    auto made = std::make_shared<io::Grid>(shape, io::PixelType::u8);
    std::fill_n(made->as<std::uint8_t>(), shape.values(), 0);
    return made;
}

PixelBox whole(const io::Shape& s) { return {0, 0, 0, s.width, s.height, s.depth}; }

std::uint8_t* rowOf(io::Grid& mask, std::int64_t y, std::int64_t z) {
    const io::Shape& s = mask.shape();
    return mask.as<std::uint8_t>() + (z * s.height + y) * s.width;
}

std::int64_t floorOf(double v) { return static_cast<std::int64_t>(std::floor(v)); }

/// The box of these corners and what lies so far around them, clipped.
PixelBox around(const io::Shape& s, double x0, double y0, double x1, double y1, std::int64_t z) {
    const auto within = [](double v, std::int64_t extent) {
        return static_cast<std::int64_t>(std::clamp(std::floor(v), 0.0, static_cast<double>(extent)));
    };
    return {within(x0, s.width), within(y0, s.height), z, within(x1 + 1, s.width), within(y1 + 1, s.height), z + 1};
}

}  // namespace

Mask::Mask(RequestState& request, History& history, QObject* parent)
    : QObject(parent), m_request(request), m_history(history) {
    connect(&request, &RequestState::taskChanged, this, [this](const Task& before, const Task& now) {
        if (!before.samePicture(now)) documentChanged();
        if (before.family != now.family) {
            // What is painted goes with the user from family to family; what was chosen there comes where nothing is
            // painted.
            const gpu::NamedGrid* value = chosen();
            if (empty() && (value == nullptr || value->name != kName))
                follow();
            else
                give();
        } else if (!m_giving && !before.sameValue(now, kRole)) {
            follow();
        }
    });
}

io::Shape Mask::shape() const {
    const auto grid = m_request.document().grid();
    io::Shape shape = grid == nullptr ? io::Shape{} : grid->shape();
    shape.channels = 1;
    return shape;
}

bool Mask::at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (m_grid == nullptr) return false;
    const io::Shape& s = m_grid->shape();
    if (x < 0 || y < 0 || z < 0 || x >= s.width || y >= s.height || z >= s.depth) return false;
    return m_grid->as<std::uint8_t>()[(z * s.height + y) * s.width + x] != 0;
}

QRect Mask::bounds(std::int64_t z) const {
    QRect box;
    if (m_grid == nullptr) return box;
    const io::Shape& s = m_grid->shape();
    for (std::int64_t y = 0; y < s.height; ++y) {
        const std::uint8_t* row = m_grid->as<std::uint8_t>() + (z * s.height + y) * s.width;
        const std::uint8_t* end = row + s.width;
        const std::uint8_t* first = std::find_if(row, end, [](std::uint8_t v) { return v != 0; });
        if (first == end) continue;
        while (end[-1] == 0) --end;
        box |= QRect(static_cast<int>(first - row), static_cast<int>(y), static_cast<int>(end - first), 1);
    }
    return box;
}

void Mask::documentChanged() {
    const io::Shape now = shape();
    if (m_grid != nullptr && m_grid->shape() == now) return;
    if (m_grid == nullptr && m_left.empty()) return;
    // Another one comes back with a picture of its extents, as when a turn is taken back.
    if (m_grid != nullptr)
        m_left[{m_grid->shape().width, m_grid->shape().height, m_grid->shape().depth}] = std::move(m_grid);
    const auto kept = m_left.find({now.width, now.height, now.depth});
    m_grid = kept == m_left.end() ? nullptr : std::move(kept->second);
    if (kept != m_left.end()) m_left.erase(kept);
    m_painting = false;
    publish();
    give();
}

const gpu::NamedGrid* Mask::chosen() const {
    const auto* value = m_request.parameters().valueFor<std::shared_ptr<const gpu::NamedGrid>>(kRole);
    return value == nullptr ? nullptr : value->get();
}

void Mask::follow() {
    const gpu::NamedGrid* value = chosen();
    if (value != nullptr && value->grid != nullptr) return adopt(*value->grid);
    if (empty() || m_request.parameters().findRole(kRole) == nullptr) return;
    m_grid.reset();
    publish();
}

void Mask::adopt(const io::Grid& picture) {
    const io::Shape s = shape();
    if (picture.shape() != s) return;  // the family says what is wrong with it
    auto made = blank(s);
    for (std::int64_t i = 0; i < s.values(); ++i) made->as<std::uint8_t>()[i] = picture.value(i, 0) > 0 ? 255 : 0;
    m_grid = std::move(made);
    publish();
}

void Mask::begin(const QString& what, bool inside) {
    if (m_request.document().empty()) return;
    end();
    if (m_grid == nullptr) m_grid = blank(shape());
    m_what = what;
    m_inks = inside;
    m_painting = true;
    m_touched = {};
    m_before = m_picture;
}

void Mask::touch(const PixelBox& box) {
    m_touched = m_touched.united(box);
    emit changed();
}

void Mask::line(QPointF from, QPointF to, double radius, std::int64_t z) {
    if (m_painting) touch(drawLine(*m_grid, from, to, radius, z, ink()));
}

void Mask::polygon(const QPolygonF& corners, std::int64_t z) {
    if (m_painting) touch(drawPolygon(*m_grid, corners, z, ink()));
}

void Mask::pixels(const io::Grid& values, double least, std::int64_t z) {
    if (!m_painting) return;
    const io::Shape &s = m_grid->shape(), &from = values.shape();
    if (from.width != s.width || from.height != s.height || (from.depth != s.depth && from.depth != 1)) return;
    const std::int64_t first = from.depth == s.depth ? 0 : z * s.width * s.height;
    for (std::int64_t i = 0; i < from.pixels(); ++i)
        if (values.value(i, 0) >= least) m_grid->as<std::uint8_t>()[first + i] = ink();
    touch(whole(s));
}

void Mask::fill(bool inside) {
    if (!m_painting) return;
    std::fill_n(m_grid->as<std::uint8_t>(), m_grid->shape().values(), inside ? 255 : 0);
    touch(whole(m_grid->shape()));
}

void Mask::invert() {
    begin(tr("inverted mask"), true);
    if (!m_painting) return;
    std::uint8_t* pixels = m_grid->as<std::uint8_t>();
    for (std::int64_t i = 0; i < m_grid->shape().values(); ++i) pixels[i] = pixels[i] != 0 ? 0 : 255;
    touch(whole(m_grid->shape()));
    end();
}

void Mask::end() {
    if (!std::exchange(m_painting, false)) return;
    MaskPatch patch{.shape = m_grid->shape(), .box = m_touched, .before = {}, .after = pixelsIn(*m_grid, m_touched)};
    patch.before = m_before == nullptr ? std::vector<std::uint8_t>(patch.after.size()) : pixelsIn(*m_before, m_touched);
    m_before.reset();
    if (patch.before == patch.after) return emit changed();
    publish();
    give();
    m_history.stack().push(new MaskStep(*this, m_what, std::move(patch)));
    emit painted();
}

void Mask::clear() {
    begin(tr("cleared mask"), false);
    fill(false);
    end();
}

void Mask::forget() {
    m_painting = false;
    m_grid.reset();
    publish();
    give();
}

void Mask::takeBack(int revision) {
    if (revision == m_revision && m_history.stack().canUndo()) m_history.stack().undo();
}

QString Mask::take(const io::Grid& picture) {
    const io::Shape s = shape();
    io::Shape flat = picture.shape();
    flat.channels = 1;
    if (flat != s)
        return tr("A mask for this picture is %1, not %2; open one of its size.")
            .arg(format::extent(s.width, s.height), format::extent(flat.width, flat.height));
    begin(tr("mask from a file"), true);
    std::uint8_t* pixels = m_grid->as<std::uint8_t>();
    for (std::int64_t i = 0; i < s.values(); ++i) pixels[i] = picture.value(i, 0) > 0 ? 255 : 0;
    touch(whole(s));
    end();
    return {};
}

void Mask::replay(const MaskPatch& patch, bool back) {
    if (patch.shape != shape()) return;  // of a picture that is not open any more
    if (m_grid == nullptr) m_grid = blank(patch.shape);
    putPixels(*m_grid, patch.box, back ? patch.before : patch.after);
    m_painting = false;
    publish();
    give();
    emit painted();
}

void Mask::publish() {
    m_inside = 0;
    if (m_grid != nullptr)
        m_inside = m_grid->shape().values() -
                   std::count(m_grid->as<std::uint8_t>(), m_grid->as<std::uint8_t>() + m_grid->shape().values(), 0);
    m_picture = m_inside == 0 ? nullptr : std::make_shared<const io::Grid>(m_grid->clone());
    ++m_revision;
    emit changed();
}

void Mask::give() {
    ParameterState& parameters = m_request.parameters();
    const gpu::Parameter* parameter = parameters.findRole(kRole);
    if (parameter == nullptr) return;
    std::shared_ptr<const gpu::NamedGrid> named;
    if (m_picture != nullptr) named = std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{kName, m_picture});
    const QScopedValueRollback giving(m_giving, true);
    m_history.quietly([&] { parameters.set(parameter->id, named); });
}

PixelBox drawLine(io::Grid& mask, QPointF from, QPointF to, double radius, std::int64_t z, std::uint8_t ink) {
    const io::Shape& s = mask.shape();
    if (z < 0 || z >= s.depth) return {};
    const QPointF way = to - from;
    const double length = QPointF::dotProduct(way, way), reach = std::max(radius, 0.5);
    const PixelBox box = around(s, std::min(from.x(), to.x()) - reach, std::min(from.y(), to.y()) - reach,
                                std::max(from.x(), to.x()) + reach, std::max(from.y(), to.y()) + reach, z);
    for (std::int64_t y = box.y0; y < box.y1; ++y) {
        std::uint8_t* row = rowOf(mask, y, z);
        for (std::int64_t x = box.x0; x < box.x1; ++x) {
            const QPointF at = QPointF(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5) - from;
            const double share = length == 0 ? 0 : std::clamp(QPointF::dotProduct(at, way) / length, 0.0, 1.0);
            const QPointF off = at - share * way;
            if (QPointF::dotProduct(off, off) <= radius * radius) row[x] = ink;
        }
    }
    // However small the brush, the pixel under it is painted.
    for (const QPointF end : {from, to}) {
        const std::int64_t x = floorOf(end.x()), y = floorOf(end.y());
        if (x >= 0 && x < s.width && y >= 0 && y < s.height) rowOf(mask, y, z)[x] = ink;
    }
    return box;
}

PixelBox drawPolygon(io::Grid& mask, const QPolygonF& corners, std::int64_t z, std::uint8_t ink) {
    const io::Shape& s = mask.shape();
    if (corners.size() < 3 || z < 0 || z >= s.depth) return {};
    const QRectF whole = corners.boundingRect();
    const PixelBox box = around(s, whole.left(), whole.top(), whole.right(), whole.bottom(), z);
    std::vector<double> cuts;
    for (std::int64_t y = box.y0; y < box.y1; ++y) {
        const double level = static_cast<double>(y) + 0.5;
        cuts.clear();
        for (qsizetype i = 0; i < corners.size(); ++i) {
            const QPointF a = corners[i], b = corners[(i + 1) % corners.size()];
            if ((a.y() <= level) == (b.y() <= level)) continue;
            cuts.push_back(a.x() + (level - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
        }
        std::sort(cuts.begin(), cuts.end());
        std::uint8_t* row = rowOf(mask, y, z);
        for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
            // Centres, a half further than their pixels begin, from one cut to before the next.
            for (auto x = std::max(box.x0, static_cast<std::int64_t>(std::ceil(cuts[i] - 0.5)));
                 x < box.x1 && static_cast<double>(x) + 0.5 < cuts[i + 1]; ++x)
                row[x] = ink;
    }
    return box;
}

std::vector<std::uint8_t> pixelsIn(const io::Grid& mask, const PixelBox& box) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(static_cast<std::size_t>(box.pixels()));
    const io::Shape& s = mask.shape();
    for (std::int64_t z = box.z0; z < box.z1; ++z)
        for (std::int64_t y = box.y0; y < box.y1; ++y) {
            const std::uint8_t* row = mask.as<std::uint8_t>() + (z * s.height + y) * s.width;
            pixels.insert(pixels.end(), row + box.x0, row + box.x1);
        }
    return pixels;
}

void putPixels(io::Grid& mask, const PixelBox& box, const std::vector<std::uint8_t>& pixels) {
    const std::uint8_t* from = pixels.data();
    const auto width = static_cast<std::size_t>(box.x1 - box.x0);
    for (std::int64_t z = box.z0; z < box.z1; ++z)
        for (std::int64_t y = box.y0; y < box.y1; ++y, from += width)
            std::memcpy(rowOf(mask, y, z) + box.x0, from, width);
}

}  // namespace warplens::gui
