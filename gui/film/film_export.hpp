// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/film/film_clock.hpp"
#include "gui/kit/animated_png.hpp"

#include <QImage>
#include <QObject>
#include <QPointer>
#include <QSize>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

class QWidget;

namespace warplens::gui {

/// Writes a film as it is shown, step by step between two events of the window: one animated PNG, or NAME-0001.png and
/// so on. Of a longer film, so many steps from the one shown on.
class FilmExport : public QObject {
    Q_OBJECT
public:
    static constexpr int kMostFrames = 1000;

    explicit FilmExport(FilmClock& clock, QObject* parent = nullptr);
    /// A frame is made of these widgets as far as they are shown, one below the other, with `caption` below the first.
    /// A film that is being written already goes on.
    void start(const QString& path, bool frames, const std::vector<QWidget*>& parts, std::function<QString()> caption);
    /// Leaves it: nothing is kept of an animation.
    void stop();
    bool busy() const { return m_timer.isActive(); }

signals:
    /// What is done so far, what came of it, or why it failed.
    void told(const QString& text);

private:
    void next();
    void finish(const QString& text);
    bool write(const QString& path, const QByteArray& bytes);
    QImage frame() const;

    FilmClock& m_clock;
    QTimer m_timer;
    QString m_path;
    std::vector<QPointer<QWidget>> m_parts;
    std::function<QString()> m_caption;
    std::unique_ptr<AnimatedPng> m_film;  ///< null: a file per step
    QSize m_size;
    int m_first = 0, m_frames = 0, m_done = 0;
};

}  // namespace warplens::gui
