// SPDX-License-Identifier: Apache-2.0
#include "gui/film/film_export.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <filesystem>
#include <span>

namespace warplens::gui {

FilmExport::FilmExport(FilmClock& clock, QObject* parent) : QObject(parent), m_clock(clock) {
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &FilmExport::next);
}

void FilmExport::start(const QString& path, bool frames, const std::vector<QWidget*>& parts,
                       std::function<QString()> caption) {
    if (busy() || m_clock.moments() == 0) return;
    m_clock.setPlaying(false);
    m_path = path;
    m_parts.assign(parts.begin(), parts.end());
    m_caption = std::move(caption);
    m_first = m_clock.moments() <= kMostFrames ? 0 : m_clock.at();
    m_frames = std::min(kMostFrames, m_clock.moments() - m_first);
    m_done = 0;
    m_film = frames ? nullptr : std::make_unique<AnimatedPng>(m_frames, m_clock.delayMs());
    m_timer.start();
}

void FilmExport::stop() {
    if (busy()) finish(tr("Not saved: stopped at step %1 of %2").arg(m_done).arg(m_frames));
}

QImage FilmExport::frame() const {
    const int caption = kRowHeight;
    QSize size(m_parts.front()->width(), caption);
    for (const auto& part : m_parts)
        if (part != nullptr && part->isVisible()) size.rheight() += part->height();
    QImage image(size, QImage::Format_RGB32);
    image.fill(colour(Role::dock));
    QPainter painter(&image);
    int top = 0;
    for (const auto& part : m_parts) {
        if (part == nullptr || !part->isVisible()) continue;
        part->render(&painter, QPoint(0, top));
        top += part->height();
        if (part != m_parts.front()) continue;
        writeText(painter, QRectF(kDockMargin, top, size.width() - 2 * kDockMargin, caption),
                  Qt::AlignLeft | Qt::AlignVCenter, m_caption(), Role::text1, textFont(TextSize::caption));
        top += caption;
    }
    return image;
}

void FilmExport::next() {
    if (m_parts.front() == nullptr || m_clock.moments() < m_first + m_frames)
        return finish(tr("Not saved: the film is another one by now"));
    m_clock.goTo(m_first + m_done);
    const QImage image = frame();
    if (m_done++ == 0) m_size = image.size();
    if (image.size() != m_size) return finish(tr("Not saved: the window changed its size meanwhile"));
    if (m_film != nullptr) {
        m_film->add(image);
    } else {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        image.save(&buffer, "PNG");
        const QFileInfo name(m_path);
        const QString number = QStringLiteral("%1").arg(m_done, 4, 10, QLatin1Char('0'));
        if (!write(name.path() + u'/' + name.completeBaseName() + u'-' + number + QStringLiteral(".png"), bytes))
            return;
    }
    if (m_done < m_frames) return emit told(tr("Saving step %1 of %2; Esc stops").arg(m_done).arg(m_frames));
    if (m_film != nullptr && !write(m_path, m_film->file())) return;
    QString text = m_film != nullptr ? tr("Saved %1 steps to %2").arg(m_frames).arg(QFileInfo(m_path).fileName())
                                     : tr("Saved %1 pictures").arg(m_frames);
    if (m_frames < m_clock.moments())
        text += tr(", from step %1 on, of %2").arg(m_first + 1).arg(format::integer(m_clock.moments()));
    finish(text);
}

bool FilmExport::write(const QString& path, const QByteArray& bytes) {
    try {
        io::writeFileAtomically(std::filesystem::path(path.toStdString()),
                                std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        return true;
    } catch (const io::Error& error) {
        finish(QString::fromUtf8(error.what()));
        return false;
    }
}

void FilmExport::finish(const QString& text) {
    m_timer.stop();
    m_film.reset();
    emit told(text);
}

}  // namespace warplens::gui
