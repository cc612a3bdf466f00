// SPDX-License-Identifier: Apache-2.0
#include "gui/session/document.hpp"

#include "gpu/core/length.hpp"
#include "gui/kit/theme/format.hpp"
#include "io/in_space.hpp"

#include <QCoreApplication>
#include <QStringList>

namespace warplens::gui {

namespace {

/// The same, with at most `most` pictures behind it.
std::shared_ptr<const Document::State> withSources(const Document::State& state, int most) {
    if (most == 0) return nullptr;
    auto copy = std::make_shared<Document::State>(state);
    copy->source = state.source == nullptr ? nullptr : withSources(*state.source, most - 1);
    return copy;
}

}  // namespace

void Document::set(const QString& input, const OpenedPicture& picture, const ReadChoice& choice) {
    restore({input, picture, choice, false, nullptr, {}});
}

void Document::derive(const QString& name, const OpenedPicture& picture) {
    restore({name, picture, {}, true, withSources(m_state, kMostSources), {}});
}

bool Document::unturns(const Orientation& by) const {
    return m_state.orientation != Orientation() && m_state.orientation.then(by) == Orientation();
}

void Document::turn(const Orientation& by, const OpenedPicture& picture) {
    if (unturns(by)) return restore(*m_state.source);
    const bool turned = m_state.orientation != Orientation();
    const auto source = turned ? m_state.source : withSources(m_state, kMostSources);
    const Orientation now = m_state.orientation.then(by);
    const QString how = picture.grid->shape().depth > 1 ? tr("each slice %1").arg(now.words()) : now.words();
    restore({QStringLiteral("%1, %2").arg(source->name(), how), picture, {}, true, source, now});
}

void Document::restore(const State& state) {
    m_state = State(state);  // a copy first: it may belong to what is replaced
    emit changed();
}

QString Document::leavesRecipe() const {
    return m_state.place == nullptr ? QString() : tr("; the recipe's steps are left, undo brings them back");
}

QString Document::State::name() const {
    return input.startsWith(QStringLiteral("gen:")) ? input : input.section('/', -1);
}

QStringList Document::facts() const {
    if (empty()) return {};
    const io::Grid& grid = *m_state.picture.grid;
    const io::Shape& shape = grid.shape();
    QString extent = format::extent(shape.width, shape.height);
    if (shape.depth > 1) extent += QStringLiteral(" × ") + format::integer(shape.depth);
    const QString type = QString::fromStdString(grid.sourceType());
    const QString stored = QString::fromUtf8(io::nameOf(grid.type()));
    QStringList lines{
        shape.channels == 1 ? tr("%1, 1 channel").arg(extent) : tr("%1, %2 channels").arg(extent).arg(shape.channels),
        (type == stored ? type : tr("%1, computed as %2").arg(type, stored)) + QStringLiteral(", ") +
            format::bytes(static_cast<std::int64_t>(grid.bytes())),
    };
    const gpu::LengthUnit unit = gpu::lengthUnitOf(grid);
    const QString name = QString::fromUtf8(unit.name);
    QStringList each;
    for (int axis = 0; axis < (shape.depth > 1 ? 3 : 2); ++axis)
        each << format::value(grid.geometry.spacing[static_cast<std::size_t>(axis)] / unit.mm);
    if (!io::hasGeometry(grid.geometry)) {
        if (shape.depth > 1) lines << tr("no pixel size in the file");
    } else if (shape.depth > 1) {
        lines << (each.count(each.front()) == 3 ? tr("spacing %1 %2 each way").arg(each.front(), name)
                                                : tr("spacing %1 %2").arg(each.join(QStringLiteral(" × ")), name));
    } else {
        lines << tr("pixel size %1 %2").arg(each.join(QStringLiteral(" × ")), name);
    }
    if (grid.metadata.pages > 1 && grid.metadata.page > 0 && m_state.derived)
        lines << tr("from %1 of %2").arg(grid.metadata.page).arg(grid.metadata.pages);
    lines << tr("pixel values as stored (no gamma applied)");
    return lines;
}

QStringList Document::geometry() const {
    if (empty() || grid()->shape().depth == 1 || !io::hasGeometry(grid()->geometry)) return {};
    const io::Geometry& g = grid()->geometry;
    const auto triple = [](double a, double b, double c) {
        return QStringList{format::value(a), format::value(b), format::value(c)}.join(QStringLiteral(", "));
    };
    QStringList lines{tr("origin %1 mm").arg(triple(g.origin[0], g.origin[1], g.origin[2]))};
    for (std::size_t axis = 0; axis < 3; ++axis)
        lines << tr("%1 axis points to %2")
                     .arg(QChar("xyz"[axis]))
                     .arg(triple(g.direction[axis], g.direction[3 + axis], g.direction[6 + axis]));
    lines << tr("positions as in DICOM (LPS): x to the patient's left, y to the back, z to the head");
    return lines;
}

QStringList Document::notes() const {
    QStringList list;
    if (!empty())
        for (const std::string& note : m_state.picture.grid->metadata.notes) list << QString::fromStdString(note);
    return list;
}

using gpu::Service;

Orientation Orientation::then(Service step) const {
    switch (step) {
        case Service::turnRight: return {flipped, (quarters + 1) % 4};
        case Service::turnLeft: return {flipped, (quarters + 3) % 4};
        // A flip turns the other way what was turned before it.
        case Service::flipHorizontally: return {!flipped, (4 - quarters) % 4};
        case Service::flipVertically: return {!flipped, (6 - quarters) % 4};
        default: break;
    }
    return *this;
}

Orientation Orientation::then(const Orientation& next) const {
    Orientation result = *this;
    for (const Service step : next.steps()) result = result.then(step);
    return result;
}

std::vector<Service> Orientation::steps() const {
    if (flipped && quarters == 2) return {Service::flipVertically};
    std::vector<Service> list;
    if (flipped) list.push_back(Service::flipHorizontally);
    if (quarters == 3) list.push_back(Service::turnLeft);
    for (int i = 0; i < quarters && quarters < 3; ++i) list.push_back(Service::turnRight);
    return list;
}

QString Orientation::words() const {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Orientation", text); };
    if (quarters == 2) return flipped ? tr("flipped vertically") : tr("turned by 180°");
    QStringList words;
    if (flipped) words << tr("flipped horizontally");
    if (quarters == 1) words << tr("turned right");
    if (quarters == 3) words << tr("turned left");
    return words.join(QStringLiteral(", "));
}

}  // namespace warplens::gui
