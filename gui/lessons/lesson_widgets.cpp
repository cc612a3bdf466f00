// SPDX-License-Identifier: Apache-2.0
#include "gui/lessons/lesson_widgets.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"

#include <QPainterPath>
#include <QStyleOptionButton>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kDisc = 24, kNear = 8, kFar = 12;
constexpr double kLine = 32, kShortLine = 12;  // from a step to the next, where there is room and where there is little

constexpr double kMark = kGlyphBox.plain() * kProjectorType;

constexpr double kEdge = 12, kBox = 28, kGlyph = 22, kBetween = 8, kAbove = 4, kBar = 6;
constexpr int kTarget = 44, kWide = 400;

double wide(const QString& words) { return QFontMetricsF(projectorFont(TextSize::caption)).horizontalAdvance(words); }

}  // namespace

LessonSteps::LessonSteps(QStringList names, QWidget* parent) : QWidget(parent), m_names(std::move(names)) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setCurrent(0);
}

void LessonSteps::setCurrent(int step) {
    m_current = step;
    setAccessibleName(tr("Step %1 of %2: %3").arg(step + 1).arg(m_names.size()).arg(m_names.value(step)));
    update();
}

QSize LessonSteps::sizeHint() const {
    const QFontMetricsF metrics(projectorFont(TextSize::title));
    double width = 0;
    for (const QString& name : m_names) width += kDisc + kNear + metrics.horizontalAdvance(name) + 2 * kFar + kLine;
    return {static_cast<int>(std::ceil(width - 2 * kFar - kLine)), 44};
}

QSize LessonSteps::minimumSizeHint() const {
    return sizeHint() - QSize(static_cast<int>((kLine - kShortLine) * static_cast<double>(m_names.size() - 1)), 0);
}

void LessonSteps::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(projectorFont(TextSize::title));
    const double line = kLine - (sizeHint().width() - width()) / static_cast<double>(m_names.size() - 1);
    double x = 0;
    for (int i = 0; i < m_names.size(); ++i) {
        const QRectF disc(x, (height() - kDisc) / 2, kDisc, kDisc);
        const bool done = i < m_current, now = i == m_current;
        painter.setPen(QPen(colour(now ? Role::accent : Role::text2), 2));
        painter.setBrush(now    ? QBrush(colour(Role::accentFill))
                         : done ? QBrush(colour(Role::text2))
                                : QBrush(Qt::NoBrush));
        painter.drawEllipse(disc.adjusted(1, 1, -1, -1));
        if (done) {
            QPainterPath tick(disc.topLeft() + QPointF(6.5, 12.5));
            tick.lineTo(disc.topLeft() + QPointF(10.5, 16.5));
            tick.lineTo(disc.topLeft() + QPointF(17.5, 8));
            painter.setPen(QPen(colour(Role::strip), 2.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(tick);
        } else {
            QFont number = projectorFont(TextSize::title);
            number.setPixelSize(16);  // the disc is for a projector already
            writeText(painter, disc, Qt::AlignCenter, QString::number(i + 1), now ? Role::onAccent : Role::text2,
                      number);
        }
        x += kDisc + kNear;
        painter.setFont(projectorFont(now ? TextSize::title : TextSize::body));
        painter.setPen(colour(now ? Role::text1 : Role::text2));
        // A name has room for bold letters; the line begins where the letters end.
        const double wide = metrics.horizontalAdvance(m_names[i]),
                     used = QFontMetricsF(painter.font()).horizontalAdvance(m_names[i]);
        painter.drawText(QRectF(x, 0, wide, height()), Qt::AlignLeft | Qt::AlignVCenter, m_names[i]);
        if (i + 1 < m_names.size()) {
            painter.setPen(QPen(colour(done ? Role::text2 : Role::text3), 2));
            painter.drawLine(QPointF(x + used + kFar, disc.center().y()),
                             QPointF(x + wide + kFar + line, disc.center().y()));
        }
        x += wide + 2 * kFar + line;
    }
}

LessonSources::LessonSources(QWidget* parent) : QWidget(parent) {}

void LessonSources::setSources(const QString& recorded, const QString& counted) {
    m_problem.clear();
    m_lines.clear();
    if (!recorded.isEmpty()) m_lines.push_back({recorded, Origin::recorded});
    if (!counted.isEmpty()) m_lines.push_back({counted, Origin::counted});
    QStringList all;
    for (const Line& line : m_lines) all << tr("%1 (%2)").arg(line.words, originName(line.origin));
    say(all.join('\n'));
}

void LessonSources::setProblem(const QString& problem) {
    m_lines.clear();
    m_problem = problem;
    say(problem);
}

void LessonSources::say(const QString& all) {
    setWidgetText(this, {.name = all, .tip = all});
    update();
}

void LessonSources::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    writeText(painter, rect(), Qt::AlignVCenter | Qt::TextWordWrap, m_problem, Role::text1,
              projectorFont(TextSize::caption));
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    double y = (height() - line * static_cast<double>(m_lines.size())) / 2;
    for (const Line& source : m_lines) {
        const QString words = metrics.elidedText(source.words, Qt::ElideRight, width() - kMark - kBetween);
        painter.drawText(QRectF(0, y, width(), line), Qt::AlignLeft | Qt::AlignVCenter, words);
        drawOriginGlyph(painter,
                        QRectF(metrics.horizontalAdvance(words) + kBetween, y + (line - kMark) / 2, kMark, kMark),
                        source.origin);
        y += line;
    }
}

AnswerButton::AnswerButton(QWidget* parent) : QPushButton(parent) {
    setLook(this, "answer");
    setProperty("projector", true);
    setCheckable(true);
    QSizePolicy policy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void AnswerButton::setAnswer(int key, const QString& words, bool chosen, bool right) {
    m_key = key;
    m_words = words;
    m_chosen = chosen;
    m_right = right;
    say();
}

void AnswerButton::setVotes(int votes, int all) {
    m_votes = votes;
    m_asked = all;
    say();
}

void AnswerButton::say() {
    QString text = QStringLiteral("%1   %2").arg(m_key).arg(m_words);
    if (m_asked > 0) text += tr("   – %1 of %2 votes").arg(m_votes).arg(m_asked);
    if (m_chosen) text += tr("   – you");
    if (m_right) text += tr("   – right");
    setText(text);
    setAccessibleName(text.simplified());
    updateGeometry();
    update();
}

QFont AnswerButton::wordsFont() const { return projectorFont(m_right ? TextSize::title : TextSize::caption); }

QRectF AnswerButton::wordsBox(const QSizeF& size) const {
    QRectF box = QRectF(QPointF(), size).adjusted(2 * kEdge + kBox, 0, -kEdge, 0);
    if (m_right) box.setRight(box.right() - wide(tr("right")) - kGlyph - 3 * kBetween);
    if (m_chosen) box.setRight(box.right() - wide(tr("you")) - kBetween);
    if (m_asked > 0) box.setRight(box.right() - wide(QString::number(m_votes)) - kBetween);
    return box;
}

QSize AnswerButton::sizeHint() const { return {kWide, heightForWidth(kWide)}; }

QSize AnswerButton::minimumSizeHint() const { return {1, kTarget}; }

int AnswerButton::heightForWidth(int width) const {
    const QRectF room = wordsBox(QSizeF(width, 10'000));
    const QRectF words = QFontMetricsF(wordsFont()).boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, m_words);
    return std::max(kTarget, static_cast<int>(std::ceil(words.height() + 2 * kAbove)));
}

void AnswerButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    style()->drawControl(QStyle::CE_PushButton, &option, &painter, this);
    const QColor weak = colour(isChecked() ? Role::text1 : Role::text2);
    const double middle = QRectF(rect()).center().y();
    const QRectF box(kEdge, middle - kBox / 2, kBox, kBox);
    painter.setPen(QPen(weak, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 2, 2);
    writeText(painter, box, Qt::AlignCenter, QString::number(m_key), Role::text1, projectorFont(TextSize::caption));
    // Whose answer it is stands at the right end; the words have what is left.
    QRectF end = QRectF(rect()).adjusted(0, 0, -kEdge, 0);
    painter.setPen(weak);
    const auto say = [&](const QString& word) {
        painter.drawText(end, Qt::AlignRight | Qt::AlignVCenter, word);
        end.setRight(end.right() - wide(word) - kBetween);
    };
    if (m_right) {
        say(tr("right"));
        drawStatusGlyph(painter, QRectF(end.right() - kGlyph, middle - kGlyph / 2, kGlyph, kGlyph),
                        ResultState::verified);
        end.setRight(end.right() - kGlyph - 2 * kBetween);
    }
    if (m_chosen) say(tr("you"));
    if (m_asked > 0) {
        say(QString::number(m_votes));
        painter.fillRect(QRectF(0, height() - kBar, width() * static_cast<double>(m_votes) / m_asked, kBar),
                         colour(Role::accent));
    }
    writeText(painter, wordsBox(size()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, m_words, Role::text1,
              wordsFont());
}

}  // namespace warplens::gui
