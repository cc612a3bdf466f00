// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_memory.hpp"

#include "gui/kit/theme/format.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace warplens::gui {

namespace {

constexpr int kBanks = 32, kWordBytes = 4;
constexpr Length kEdge{12}, kNames{44}, kGateHeight{84}, kLowGate{30}, kMostCell{20}, kLow{260}, kLeast{170};
constexpr double kLeastCell = 6;

/// Counts as they are, all else as f32.
double numberOf(std::uint32_t bits) {
    return bits < 0x00800000U ? static_cast<double>(bits) : static_cast<double>(std::bit_cast<float>(bits));
}

}  // namespace

FilmMemory::FilmMemory(FilmModel& model, QWidget* parent) : Plot(parent), m_model(model) {
    setObjectName(QStringLiteral("film-memory"));
    setMouseTracking(true);
    connect(&model, &FilmModel::stepChanged, this, [this] { update(); });
}

void FilmMemory::setRange(const DisplayRange& range) {
    m_range = range;
    update();
}

void FilmMemory::setTileWidth(int width) {
    m_tileWidth = width;
    update();
}

bool FilmMemory::low() const { return height() < kLow; }

QRectF FilmMemory::gate() const {
    const double high = low() ? kLowGate : kGateHeight;
    return {0, height() - high, double(width()), high};
}

FilmMemory::Places FilmMemory::places() const {
    Places at;
    const gpu::Film* film = m_model.film();
    if (film == nullptr || film->arrays.empty()) return at;
    const gpu::FilmStep* step = m_model.step();
    // The array of this step, or of the last one that touched any.
    at.array = 0;
    for (int i = m_model.at(); i >= 0; --i) {
        const int array = film->steps[static_cast<std::size_t>(i)].array;
        if (array < 0) continue;
        at.array = array;
        break;
    }
    const gpu::FilmArray& array = film->arrays[static_cast<std::size_t>(at.array)];
    at.words = static_cast<int>((array.bytes + kWordBytes - 1) / kWordBytes);
    at.left = kEdge + kNames;
    at.top = (height() < kLeast ? 1 : low() ? 2 : 3) * kRowHeight;
    at.width = (width() - at.left - kEdge) / kBanks;
    const double room = gate().top() - at.top - (low() ? 4 : int(kRowHeight));
    const int all = (at.words + kBanks - 1) / kBanks;
    at.height = std::clamp(room / std::max(1, all), kLeastCell, double(kMostCell));
    at.rows = std::min(all, std::max(1, static_cast<int>(room / at.height)));
    if (at.rows < all && step != nullptr && step->array == at.array) {
        const int row =
            static_cast<int>(step->request.offset[static_cast<std::size_t>(std::countr_zero(step->request.mask))] /
                             (kWordBytes * kBanks));
        at.firstRow = std::clamp(row - at.rows / 2, 0, all - at.rows);
    }
    return at;
}

const gpu::FilmCell& FilmMemory::cellOf(const Places& at, int word) const {
    const auto& cells = m_model.state().cells(at.array);
    const int size = m_model.film()->arrays[static_cast<std::size_t>(at.array)].valueBytes;
    return cells[std::min(cells.size() - 1, static_cast<std::size_t>(word * kWordBytes / size))];
}

QColor FilmMemory::inkOfPixel(std::int64_t value) const {
    const io::Shape& shape = m_model.picture()->shape();
    const std::int64_t pixel = value % shape.pixels(), plane = shape.width * shape.height;
    const double at = m_model.picture()->value(pixel % shape.width, pixel / shape.width % shape.height, pixel / plane,
                                               static_cast<int>(value / shape.pixels()));
    const double share = (at - m_range.low) / std::max(1e-30, m_range.high - m_range.low);
    const int grey = static_cast<int>(std::lround(255 * std::clamp(std::isnan(share) ? 0 : share, 0.0, 1.0)));
    return {grey, grey, grey};
}

void FilmMemory::paintCells(QPainter& painter, const Places& at) const {
    const int first = at.firstRow * kBanks, end = std::min(at.words, (at.firstRow + at.rows) * kBanks);
    double most = 0;
    for (int word = 0; word < at.words; ++word)
        if (const gpu::FilmCell& cell = cellOf(at, word); cell.filled && cell.pixel < 0)
            most = std::max(most, std::abs(numberOf(cell.value)));
    const QColor idea = colour(m_model.variant()->idea);
    for (int word = first; word < end; ++word) {
        const gpu::FilmCell& cell = cellOf(at, word);
        const QRectF box = at.box(word).adjusted(0.5, 0.5, -0.5, -0.5);
        if (!cell.filled) {
            painter.setPen(QPen(colour(Role::line), 1, Qt::DotLine));
            painter.drawRect(box);
            continue;
        }
        painter.fillRect(box, cell.pixel >= 0 ? inkOfPixel(cell.pixel) : colour(Role::control));
        if (cell.pixel < 0 && most > 0) {
            const double part = box.height() * std::min(1.0, std::abs(numberOf(cell.value)) / most);
            painter.fillRect(QRectF(box.left(), box.bottom() - part, box.width(), part), idea);
        }
        painter.setPen(QPen(colour(Role::line), 1));
        painter.drawRect(box);
    }
    const bool tile = m_tileWidth > 0 && at.words % m_tileWidth == 0;
    for (int word = first; tile && word < end; ++word)
        if (word % m_tileWidth == 0) painter.fillRect(QRectF(at.box(word).topLeft(), QSizeF(3, at.height)), idea);
}

void FilmMemory::paintTouched(QPainter& painter, const Places& at) const {
    const gpu::FilmStep* step = m_model.step();
    if (step == nullptr || step->array != at.array) return;
    const gpu::Film& film = *m_model.film();
    const int size = film.arrays[static_cast<std::size_t>(at.array)].valueBytes;
    std::map<int, int> lanes;
    for (const auto& [lane, cell] : cellsTouched(film, *step)) ++lanes[static_cast<int>(cell * size / kWordBytes)];
    painter.setFont(textFont(TextSize::caption));
    for (const auto& [word, count] : lanes) {
        if (word / kBanks < at.firstRow || word / kBanks >= at.firstRow + at.rows) continue;
        const QRectF box = at.box(word);
        painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
        painter.drawRect(box.adjusted(1, 1, -1, -1));
        // Lanes that queue on one cell, as far as there is room for their number.
        if (count < 2 || film.siteOf(*step).operation != gpu::Operation::atomic || at.height < 14) continue;
        painter.fillRect(box.adjusted(2, 2, -2, -2), colour(Role::accentFill));
        writeText(painter, box, Qt::AlignCenter, QString::number(count), Role::onAccent);
    }
}

void FilmMemory::paintGate(QPainter& painter) const {
    const gpu::Film& film = *m_model.film();
    const QRectF box = gate();
    painter.setPen(QPen(colour(Role::hairline), 1));
    painter.drawLine(box.topLeft(), box.topRight());
    const int epoch = m_model.step()->epoch;
    const QRectF title = QRectF(kEdge, box.top() + (low() ? 0 : 6), width() - 2 * kEdge, kRowHeight);
    if (epoch >= static_cast<int>(film.barriers.size())) {
        return writeText(painter, title, Qt::AlignLeft | Qt::AlignVCenter,
                         film.barriers.empty() ? tr("No barrier: no warp waits for another")
                                               : tr("No further barrier: no warp waits for another"),
                         Role::text2, textFont(TextSize::body));
    }
    std::vector<int> works, waits;
    for (int warp = 0; warp < film.warps(); ++warp)
        (m_model.doing(warp) == gpu::FilmState::Warp::waits ? waits : works).push_back(warp);
    writeText(painter, title, Qt::AlignLeft | Qt::AlignVCenter,
              tr("Barrier, line %1").arg(film.barriers[static_cast<std::size_t>(epoch)].line), Role::text1,
              boldFont(TextSize::body));
    const double after = painter.fontMetrics().horizontalAdvance(tr("Barrier, line %1").arg(8888)) + 2 * kGap;
    const double left = low() ? kEdge + after : double(kEdge);
    if (!low())
        writeText(painter, title.adjusted(after, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                  tr("%1 of %2 warps wait").arg(waits.size()).arg(film.warps()), Role::text2,
                  textFont(TextSize::caption));
    const double most = (width() - left - kEdge - 70.0) / std::max(1, film.warps());
    const double side = std::clamp(most - 4, 3.0, double(Length(26)));
    const double top = low() ? title.top() + 2 : title.bottom() + 6, high = low() ? Length(22) : Length(26);
    double x = left;
    painter.setFont(boldFont(TextSize::caption));
    const auto draw = [&](int warp, bool waiting) {
        const QRectF one(x, top, side, high);
        const bool now = warp == m_model.step()->warp;
        painter.fillRect(one, now ? colour(Role::accent) : colour(Role::field));
        if (waiting) painter.fillRect(one, QBrush(colour(Role::text3), Qt::BDiagPattern));
        painter.setPen(QPen(colour(now ? Role::accent : Role::text3), 1));
        painter.drawRect(one);
        if (side >= Length(16))
            writeText(painter, one, Qt::AlignCenter, QString::number(warp), now ? Role::field : Role::text1);
        x += side + 4;
    };
    for (const int warp : works) draw(warp, false);
    writeText(painter, QRectF(x, top, 30, high), Qt::AlignCenter, QStringLiteral("→"), Role::text2);
    x += 32;
    for (const int warp : waits) draw(warp, true);
    for (const double bar : {6.0, 11.0}) painter.fillRect(QRectF(x + bar, top - 3, 3, high + 6), colour(Role::text1));
}

void FilmMemory::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(Role::dock));
    if (m_model.step() == nullptr) return;
    const Places at = places();
    const int left = kEdge;
    const QRectF title(left, 4, width() - 2 * kEdge, kRowHeight);
    if (at.array < 0) {
        writeText(painter, title, Qt::AlignLeft | Qt::AlignVCenter, tr("This kernel keeps nothing in shared memory"),
                  Role::text2, textFont(TextSize::body));
        return paintGate(painter);
    }
    const gpu::FilmArray& array = m_model.film()->arrays[static_cast<std::size_t>(at.array)];
    const auto& cells = m_model.state().cells(at.array);
    const auto filled = std::ranges::count_if(cells, &gpu::FilmCell::filled);
    const QString name = QString::fromStdString(array.name);
    writeText(painter, title, Qt::AlignLeft | Qt::AlignVCenter,
              name == QStringLiteral("shared") ? tr("Shared memory") : tr("Shared memory, %1").arg(name), Role::text1,
              boldFont(TextSize::body));
    writeText(painter, low() ? title : title.translated(0, kRowHeight - 4),
              (low() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
              tr("%1 of %2 cells filled, %3 bytes")
                  .arg(format::integer(filled), format::integer(static_cast<std::int64_t>(cells.size())),
                       format::integer(array.bytes)),
              Role::text2, textFont(TextSize::caption));
    for (const int bank : {0, 8, 16, 24, 31})
        if (height() >= kLeast)
            writeText(
                painter,
                QRectF(at.box(at.firstRow * kBanks + bank).center().x() - 20, at.top - kRowHeight, 40, kRowHeight),
                Qt::AlignCenter, QString::number(bank), Role::text3);
    if (height() >= kLeast)
        writeText(painter, QRectF(left, at.top - kRowHeight, kNames, kRowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                  tr("bank"), Role::text3);
    const int every = std::max(1, static_cast<int>(std::ceil(Length(16) / at.height)));
    for (int row = at.firstRow; row < at.firstRow + at.rows; row += every)
        writeText(painter, QRectF(left, at.box(row * kBanks).center().y() - 10, kNames - 6, 20),
                  Qt::AlignRight | Qt::AlignVCenter, format::integer(row * kBanks), Role::text3);
    paintCells(painter, at);
    paintTouched(painter, at);
    paintGate(painter);
}

int FilmMemory::wordAt(QPoint place) const {
    if (m_model.step() == nullptr) return -1;
    const Places at = places();
    if (at.array < 0 || place.x() < at.left || place.y() < at.top) return -1;
    const int column = static_cast<int>((place.x() - at.left) / at.width);
    const int row = static_cast<int>((place.y() - at.top) / at.height);
    const int word = (at.firstRow + row) * kBanks + column;
    return column < kBanks && row < at.rows && word < at.words ? word : -1;
}

QString FilmMemory::tipAt(QPoint place) const {
    const int word = wordAt(place);
    if (word < 0) return {};
    const gpu::FilmCell& cell = cellOf(places(), word);
    QStringList parts{tr("word %1, bank %2").arg(word).arg(word % kBanks)};
    if (!cell.filled) return (parts << tr("not filled yet")).join(QStringLiteral("; "));
    parts << tr("%1, by warp %2, lane %3")
                 .arg(QString::fromStdString(gpu::textOfBits(cell.value)))
                 .arg(cell.warp)
                 .arg(cell.lane);
    if (cell.pixel >= 0) {
        const io::Shape& shape = m_model.picture()->shape();
        parts << tr("pixel x %1 y %2").arg(cell.pixel % shape.width).arg(cell.pixel / shape.width % shape.height);
    }
    if (cell.atomics > 0) parts << tr("%1 atomics").arg(cell.atomics);
    return parts.join(QStringLiteral("; "));
}

void FilmMemory::mousePressEvent(QMouseEvent* event) {
    const int word = wordAt(event->pos());
    if (word < 0) return;
    const gpu::Film& film = *m_model.film();
    const Places at = places();
    const int size = film.arrays[static_cast<std::size_t>(at.array)].valueBytes;
    for (int i = 0; i < m_model.steps(); ++i) {
        const gpu::FilmStep& step = film.steps[static_cast<std::size_t>(i)];
        if (step.array != at.array || film.siteOf(step).operation == gpu::Operation::load) continue;
        for (const auto& [lane, cell] : cellsTouched(film, step))
            if (cell == word * kWordBytes / size) return m_model.goTo(i);
    }
}

}  // namespace warplens::gui
