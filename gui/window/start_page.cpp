// SPDX-License-Identifier: Apache-2.0
#include "gui/window/start_page.hpp"

#include "gpu/core/length.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/session/file_jobs.hpp"
#include "gui/session/samples.hpp"
#include "io/error.hpp"
#include "io/in_space.hpp"

#include <QContextMenuEvent>
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QUrl>
#include <algorithm>
#include <array>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kWidest{1192}, kMargin{32}, kApart{20};
constexpr Length kWordsHeight{84}, kNameHeight{40}, kRow{28};
constexpr Length kLeast{500}, kTall{260};  ///< of the page, with small pictures; what is more in a tall one
constexpr int kSampleSide = 400, kMostRows = 5;

/// A button that draws itself. Arrows move among those of its group, of which Tab reaches one.
class Tile : public QAbstractButton {
public:
    using Draw = std::function<void(QPainter& painter, const QRect& place)>;
    std::function<void(int by)> stepped;
    std::function<void()> focused;
    std::function<void(QPoint)> menuWanted;
    Draw picture;
    int pictureHeight = 0;
    QString note, end;  ///< below the name or beside it, and at the right end

    Tile(const QString& text, QWidget* parent) : QAbstractButton(parent) {
        setText(text);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    void say() { setAccessibleName(note.isEmpty() ? text() : text() + QStringLiteral(", ") + note); }

protected:
    void keyPressEvent(QKeyEvent* event) override {
        const int key = event->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) return click();
        if (key == Qt::Key_Left || key == Qt::Key_Up) return stepped(-1);
        if (key == Qt::Key_Right || key == Qt::Key_Down) return stepped(1);
        if (key == Qt::Key_Space) return QAbstractButton::keyPressEvent(event);
        event->ignore();  // the page has keys of its own
    }
    void focusInEvent(QFocusEvent* event) override {
        focused();
        QAbstractButton::focusInEvent(event);
    }
    void contextMenuEvent(QContextMenuEvent* event) override {
        if (menuWanted) menuWanted(event->globalPos());
    }
    bool lit() const { return underMouse() || isDown(); }
    void frame(QPainter& painter, const QRect& place) const {
        painter.setPen(colour(lit() ? Role::accent : Role::line));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5));
    }
};

class WayTile : public Tile {
public:
    using Tile::Tile;
    QSize sizeHint() const override { return {240, pictureHeight + kWordsHeight}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRect above(0, 0, width(), pictureHeight);
        painter.fillRect(rect(), colour(Role::strip));
        painter.fillRect(above, colour(Role::field));
        painter.save();
        painter.setClipRect(above);
        picture(painter, above);
        painter.restore();
        const int margin = kDockMargin;
        const QRect words = rect().adjusted(margin, pictureHeight + margin / 2, -margin, 0);
        writeText(painter, words, Qt::AlignTop | Qt::AlignRight, end, Role::text3, textFont(TextSize::body));
        writeText(painter, words, Qt::AlignTop | Qt::AlignLeft, text(), Role::text1, boldFont(TextSize::sentence));
        writeText(painter, words.adjusted(0, kRow, 0, 0), Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, note,
                  Role::text2, textFont(TextSize::body));
        frame(painter, rect());
    }
};

class SampleTile : public Tile {
public:
    using Tile::Tile;
    QSize sizeHint() const override { return {120, pictureHeight + kNameHeight}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        const QRect above(0, 0, width(), pictureHeight);
        painter.fillRect(above, colour(Role::field));
        if (picture) picture(painter, above);
        if (lit()) frame(painter, above);
        const QRect words = rect().adjusted(0, pictureHeight + 4, 0, 0);
        writeText(painter, words, Qt::AlignTop | Qt::AlignLeft, text(), Role::text1, textFont(TextSize::body));
        writeText(painter, words, Qt::AlignBottom | Qt::AlignLeft, note, Role::text3, textFont(TextSize::caption));
    }
};

class FileTile : public Tile {
public:
    using Tile::Tile;
    QSize sizeHint() const override { return {240, kRow}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        if (lit()) painter.fillRect(rect(), colour(Role::selection));
        painter.setPen(colour(Role::hairline));
        painter.drawLine(rect().topLeft(), rect().topRight());
        const QRect box(0, 3, 36 * kRow / 28, height() - 5);
        if (picture) picture(painter, box);
        const QRect words = rect().adjusted(box.right() + kDockMargin, 0, -4, 0);
        const int name = words.width() * 3 / 10, when = words.width() / 6;
        const auto write = [&](const QRect& in, int flags, const QString& text, Role ink, Qt::TextElideMode mode) {
            const QString seen = painter.fontMetrics().elidedText(text, mode, in.width());
            writeText(painter, in, flags | Qt::AlignVCenter, seen, ink);
        };
        painter.setFont(textFont(TextSize::body));
        write({words.left(), 0, name - kGap, height()}, Qt::AlignLeft, text(), Role::text1, Qt::ElideMiddle);
        const Role quiet = lit() ? Role::text2 : Role::text3;
        write({words.left() + name, 0, words.width() - name - when, height()}, Qt::AlignLeft, note, quiet,
              Qt::ElideMiddle);
        write({words.right() - when, 0, when, height()}, Qt::AlignRight, end, quiet, Qt::ElideRight);
    }
};

/// Fills the place; what reaches beyond it is cut at both ends.
void drawCovering(QPainter& painter, const QRect& place, const QImage& image) {
    const QSizeF size = QSizeF(image.size()).scaled(place.size(), Qt::KeepAspectRatioByExpanding);
    const double share = image.width() / std::max(1.0, size.width());
    const QSizeF part(place.width() * share, place.height() * share);
    const QPointF from((image.width() - part.width()) / 2, (image.height() - part.height()) / 2);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(QRectF(place), image, QRectF(from, part));
}

/// Before and after: soft on the left of a line, as it is on its right.
void drawWipe(QPainter& painter, const QRect& place, const QImage& image) {
    if (image.isNull()) return;
    const QImage soft = image.scaled(image.size() / 7, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    const int middle = place.center().x();
    drawCovering(painter, place, image);
    painter.save();
    painter.setClipRect(QRect(place.topLeft(), QPoint(middle, place.bottom())), Qt::IntersectClip);
    drawCovering(painter, place, soft.scaled(image.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    painter.restore();
    painter.fillRect(QRect(middle - 2, place.top(), 4, place.height()), QColor(0, 0, 0, 150));
    painter.fillRect(QRect(middle - 1, place.top(), 2, place.height()), Qt::white);
}

/// The bars of a comparison, as long as any.
void drawBars(QPainter& painter, const QRect& place) {
    constexpr std::array<std::pair<gpu::Idea, double>, 5> kBars{{{gpu::Idea::registers, 0.11},
                                                                 {gpu::Idea::workSaved, 0.21},
                                                                 {gpu::Idea::sharedTile, 0.6},
                                                                 {gpu::Idea::cache, 0.72},
                                                                 {gpu::Idea::plain, 0.96}}};
    const double row = (place.height() - 12) / 5.0, thick = std::min(16.0, row * 0.7), box = std::min(10.0, thick);
    for (std::size_t i = 0; i < kBars.size(); ++i) {
        const double y = place.top() + 6 + row * (static_cast<double>(i) + 0.5), x = place.left() + 56;
        const auto& [idea, share] = kBars[i];
        drawShape(painter, {place.left() + 30.0, y - box / 2, box, box}, idea);
        painter.fillRect(QRectF(x, y - thick / 2, share * (place.width() - 96), thick), colour(idea));
    }
}

/// A tile of the output and what is staged for it.
void drawTile(QPainter& painter, const QRect& place) {
    constexpr int kAcross = 14, kDown = 6;
    const double side = std::min((place.width() - 32.0) / kAcross, (place.height() - 12.0) / kDown);
    const QPointF corner(place.center().x() - side * kAcross / 2, place.center().y() - side * kDown / 2);
    const auto cells = [&](int x, int y, int w, int h) {
        return QRectF(corner + QPointF(x * side, y * side), QSizeF(w * side, h * side));
    };
    painter.fillRect(cells(3, 1, 8, 4), colour(Role::control));
    painter.fillRect(cells(3, 2, 8, 1), colour(Role::accentFill));
    painter.setPen(colour(Role::line));
    for (int x = 0; x <= kAcross; ++x)
        painter.drawLine(cells(x, 0, 0, kDown).topLeft(), cells(x, kDown, 0, 0).topLeft());
    for (int y = 0; y <= kDown; ++y) painter.drawLine(cells(0, y, 0, 0).topLeft(), cells(kAcross, y, 0, 0).topLeft());
    const QColor ink = colour(gpu::Idea::sharedTileRefined);
    painter.setPen(QPen(ink, 3));
    painter.drawRect(cells(3, 1, 8, 4));
    painter.setPen(QPen(ink, 2, Qt::DashLine));
    painter.drawRect(cells(2, 0, 10, 6));
}

/// Dark ones of 16 bits are seen as they are opened: by what is there.
QImage litUp(const QImage& image) {
    QImage bytes = image.convertToFormat(QImage::Format_RGB32);
    std::array<qsizetype, 256> counts{};
    for (int y = 0; y < bytes.height(); ++y)
        for (int x = 0; x < bytes.width(); ++x) ++counts[static_cast<std::size_t>(qGray(bytes.pixel(x, y)))];
    int white = 255;
    for (qsizetype above = 0; white > 1; --white) {
        above += counts[static_cast<std::size_t>(white)];
        if (above > qsizetype{bytes.width()} * bytes.height() / 200) break;
    }
    const auto lit = [white](int value) { return std::min(255, value * 255 / white); };
    for (int y = 0; y < bytes.height(); ++y)
        for (int x = 0; x < bytes.width(); ++x) {
            const QRgb at = bytes.pixel(x, y);
            bytes.setPixel(x, y, qRgb(lit(qRed(at)), lit(qGreen(at)), lit(qBlue(at))));
        }
    return bytes;
}

QString factsOf(const io::Grid& grid) {
    const io::Shape& shape = grid.shape();
    QStringList facts{format::extent(shape.width, shape.height)};
    if (shape.depth > 1) facts.front() += QStringLiteral(" × ") + format::integer(shape.depth);
    if (shape.depth > 1 && io::hasGeometry(grid.geometry)) {
        const gpu::LengthUnit unit = gpu::lengthUnitOf(grid);
        facts << QStringLiteral("%1 %2").arg(format::value(grid.geometry.spacing[0] / unit.mm),
                                             QString::fromUtf8(unit.name));
    } else if (shape.depth == 1) {
        facts << (shape.channels > 2 ? StartPage::tr("colour") : StartPage::tr("grey"));
    }
    if (grid.type() == io::PixelType::u16) facts << StartPage::tr("16 bit");
    return facts.join(QStringLiteral(", "));
}

QString dayOf(const QDateTime& when) {
    const qint64 days = when.date().daysTo(QDate::currentDate());
    if (!when.isValid()) return {};
    return days == 0   ? StartPage::tr("today")
           : days == 1 ? StartPage::tr("yesterday")
                       : format::date(when.toString(Qt::ISODate).toStdString());
}

}  // namespace

StartPage::StartPage(RecentFiles& recent, Activity& activity, QWidget* parent)
    : Page(parent), m_recent(recent), m_calm(made(new QLabel(tr("Nothing is running"), this), {.id = "start-calm"})) {
    setObjectName(QStringLiteral("page-start"));
    setLook(this, "canvas");
    setLook(m_calm, "caption");
    m_calm->setAccessibleName(m_calm->text());
    m_calm->hide();
    m_content = made(new QWidget, {.id = "start-content", .look = "canvas"});
    auto* samples = made(new QLabel(tr("Samples"), m_content), {.look = "title"});
    m_files = makeColumn(nullptr, {}, 0);
    makeColumn(m_content, {}, kGap,
               {makeHead(), spacer(kGap), makeWays(), spacer(kGap), samples, makeSamples(), spacer(kGap / 2),
                makeRecentHead(), m_files, spring()});
    auto* notice = made(new SessionNotice(activity, this, false), {.id = "start-notice"});
    connect(notice, &SessionNotice::helpWanted, this, &Page::helpWanted);
    makeColumn(this, {}, 0, {notice, {makeScroll(m_content, this), 1}});
    connect(&recent, &RecentFiles::changed, this, &StartPage::listRecent);
    listRecent();
    on(this, {QEvent::Resize}, [this] { fit(); });
    after(this, {QEvent::FontChange, QEvent::StyleChange}, [this] { fit(); });
}

void StartPage::add(Group& group, QAbstractButton* button) {
    auto* tile = static_cast<Tile*>(button);
    tile->setFocusPolicy(group.empty() ? Qt::StrongFocus : Qt::ClickFocus);
    tile->say();
    tile->stepped = [this, &group, tile](int by) { step(group, tile, by); };
    tile->focused = [&group, tile] {
        for (QAbstractButton* other : group) other->setFocusPolicy(other == tile ? Qt::StrongFocus : Qt::ClickFocus);
    };
    group.push_back(tile);
}

void StartPage::step(const Group& group, const QAbstractButton* from, int by) const {
    Group seen;
    std::ranges::copy_if(group, std::back_inserter(seen), [](const QAbstractButton* one) { return !one->isHidden(); });
    const auto at = std::ranges::find(seen, from) - seen.begin() + by;
    if (at >= 0 && at < std::ssize(seen)) seen[static_cast<std::size_t>(at)]->setFocus(Qt::TabFocusReason);
}

QLayout* StartPage::makeHead() {
    const auto button = [&](const char* id, const QString& text, const char* look, auto signal) {
        return made(new QPushButton(text, m_content),
                    {.id = id, .look = look, .does = [this, signal] { emit(this->*signal)(); }});
    };
    auto* title = made(new QLabel(tr("Open a picture or a volume"), m_content), {.look = "figure"});
    auto* hint = made(new QLabel(tr("or drop a file or a folder anywhere, or paste"), m_content), {.look = "label"});
    return makeRow(nullptr, {}, kGap,
                   {makeColumn(nullptr, {}, 2, {title, hint}), spring(),
                    button("start-paste", tr("Paste   Ctrl+V"), nullptr, &StartPage::pasteWanted),
                    button("start-folder", tr("Open folder..."), nullptr, &StartPage::folderWanted),
                    button("start-open", tr("Open...   Ctrl+O"), "primary", &StartPage::openWanted)});
}

QLayout* StartPage::makeWays() {
    auto* row = makeRow(nullptr, {}, kApart);
    const auto way = [&](Way which, const char* id, const QString& text, const QString& note, Tile::Draw draw) {
        auto* tile = made(new WayTile(text, m_content), {.id = id});
        tile->note = note;
        tile->end = QString::number(m_ways.size() + 1);
        tile->picture = std::move(draw);
        connect(tile, &QAbstractButton::clicked, this, [this, which] { emit wayChosen(which); });
        add(m_ways, tile);
        row->addWidget(tile, 1);
    };
    way(Way::filter, "way-filter", tr("Filter pictures"),
        tr("Before and after in one large picture; steps you can change and undo. Save as anything."),
        [](QPainter&, const QRect&) {});
    way(Way::compare, "way-compare", tr("Compare kernels"),
        tr("One task, all its variants: side by side, timed, verified, with the reason why."), drawBars);
    way(Way::learn, "way-learn", tr("Learn"),
        tr("Short lessons: predict, run, see why, try it on your own picture. No GPU needed."), drawTile);
    return row;
}

QLayout* StartPage::makeSamples() {
    auto* row = makeRow(nullptr, {}, kDockMargin);
    const QStringList pictures = samplePictures();
    for (const QString& input : pictures.isEmpty() ? generatedSamples() : pictures) {
        auto* tile = made(new SampleTile(QFileInfo(input).completeBaseName(), m_content),
                          {.id = QStringLiteral("sample-%1").arg(m_samples.size() + 1)});
        tile->setProperty("input", input);
        connect(tile, &QAbstractButton::clicked, this, [this, input] { emit pictureWanted(input); });
        add(m_samples, tile);
        row->addWidget(tile, 1);
    }
    return row;
}

QLayout* StartPage::makeRecentHead() {
    auto* title = made(new QLabel(tr("Recent"), m_content), {.look = "title"});
    m_none = made(new QLabel(tr("Nothing opened yet"), m_content), {.id = "recent-none", .look = "hint"});
    auto* forget = made(new QPushButton(tr("Clear list"), m_content),
                        {.id = "recent-clear", .look = "flat", .does = [this] { m_recent.forget(); }});
    connect(&m_recent, &RecentFiles::changed, forget,
            [this, forget] { forget->setVisible(!m_recent.list().isEmpty()); });
    forget->setVisible(!m_recent.list().isEmpty());
    return makeRow(nullptr, {}, kGap, {title, m_none, spring(), forget});
}

void StartPage::listRecent() {
    for (QAbstractButton* row : std::exchange(m_rows, {})) row->deleteLater();
    const QStringList files = m_recent.list();
    m_none->setVisible(files.isEmpty());
    for (const QString& path : files.first(std::min<qsizetype>(files.size(), kMostRows))) {
        const QFileInfo file(path);
        auto* tile =
            made(new FileTile(file.fileName(), m_content), {.id = QStringLiteral("recent-%1").arg(m_rows.size() + 1)});
        tile->note = QDir::toNativeSeparators(file.path());
        tile->end = dayOf(m_recent.opened(path));
        if (const QImage small = m_recent.thumbnail(path); !small.isNull())
            tile->picture = [small](QPainter& painter, const QRect& place) { drawCovering(painter, place, small); };
        tile->menuWanted = [this, path](QPoint at) { askAbout(path, at); };
        connect(tile, &QAbstractButton::clicked, this, [this, path] { emit pictureWanted(path); });
        add(m_rows, tile);
        m_files->addWidget(tile);
    }
    fit();
}

void StartPage::askAbout(const QString& file, QPoint at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto entry = [&](const QString& text, auto what) {
        connect(menu->addAction(text), &QAction::triggered, this, what);
    };
    entry(tr("&Open"), [this, file] { emit pictureWanted(file); });
    entry(tr("&Show in folder"),
          [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).absolutePath())); });
    entry(tr("&Take off the list"), [this, file] { m_recent.remove(file); });
    menu->popup(at);
}

void StartPage::drawSamples() {
    if (std::exchange(m_drawn, true)) return;
    QStringList inputs;
    for (const QAbstractButton* tile : m_samples) inputs << tile->property("input").toString();
    m_jobs.start(
        this,
        [this, inputs](const JobContext& context) {
            for (qsizetype i = 0; i < inputs.size() && !context.stop().stop_requested(); ++i) try {
                    const OpenedPicture read = readPicture(inputs[i], {}, context);
                    const QImage small = thumbnailOf(*read.grid, kSampleSide);
                    const QImage image = read.grid->type() == io::PixelType::u8 ? small : litUp(small);
                    context.deliver([this, i, image, facts = factsOf(*read.grid)] {
                        auto* tile = static_cast<Tile*>(m_samples[static_cast<std::size_t>(i)]);
                        tile->note = facts;
                        tile->say();
                        tile->picture = [image](QPainter& painter, const QRect& place) {
                            drawCovering(painter, place, image);
                        };
                        tile->update();
                        auto* first = static_cast<Tile*>(m_ways.front());
                        if (!tile->text().startsWith(QStringLiteral("coffee"))) return;
                        first->picture = [image](QPainter& painter, const QRect& place) {
                            drawWipe(painter, place, image);
                        };
                        first->update();
                    });
                } catch (const io::Error&) {
                    continue;  // opening it says why
                }
            return Done{};
        },
        [](const JobResult<Done>&) {});
}

void StartPage::fit() {
    // What is left beside words and two files goes to the pictures, then to more files.
    const int spare = height() - kLeast;
    const bool tall = spare >= kTall;
    const auto high = [spare](int least, int most, int share) {
        return std::clamp(least + spare * share / 100, least, most);
    };
    for (QAbstractButton* way : m_ways) static_cast<Tile*>(way)->pictureHeight = high(84, 172, 40);
    for (QAbstractButton* sample : m_samples) static_cast<Tile*>(sample)->pictureHeight = high(72, 124, 25);
    const std::size_t rows = tall ? kMostRows : 2;
    for (std::size_t i = 0; i < m_rows.size(); ++i) m_rows[i]->setVisible(i < rows);
    for (const Group* group : {&m_ways, &m_samples, &m_rows})
        for (QAbstractButton* tile : *group) tile->updateGeometry();
    const int beside = std::max<int>(kMargin, (width() - kWidest) / 2);
    m_content->layout()->setContentsMargins(beside, tall ? kMargin : kDockMargin, beside, kGap);
}

void StartPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (event->spontaneous()) return;
    drawSamples();
    m_ways.front()->setFocus(Qt::OtherFocusReason);
}

void StartPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return emit backWanted();
    const int number = event->key() - Qt::Key_1;
    if (number >= 0 && number < std::ssize(m_ways) && event->modifiers() == Qt::NoModifier)
        return m_ways[static_cast<std::size_t>(number)]->click();
    Page::keyPressEvent(event);
}

QWidget* StartPage::statusWidget() { return m_calm; }

}  // namespace warplens::gui
