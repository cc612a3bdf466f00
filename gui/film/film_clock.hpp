// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/film/film_model.hpp"

#include <QObject>
#include <QTimer>
#include <utility>
#include <vector>

namespace warplens::gui {

/// One time for a film, or for two side by side: in a column of it each warp of either makes one request, and where
/// both have a warp of that number, both make it at the same moment.
class FilmClock : public QObject {
    Q_OBJECT
public:
    FilmClock(FilmModel& first, FilmModel& second, QObject* parent = nullptr);

    /// Whether the second film runs beside the first.
    void setBoth(bool both);
    bool both() const { return m_both; }

    /// From 0 to the number of moments less one.
    int at() const { return m_at; }
    int moments() const { return static_cast<int>(m_moments.size()); }
    /// Of the longer film.
    int columns() const;
    /// The column that is shown.
    int column() const { return m_moments.empty() ? 0 : m_moments[static_cast<std::size_t>(m_at)].first; }
    void goTo(int moment);
    /// By phases of the first film, or of the second where the first is over.
    void goByPhase(int by);
    /// The film that is not over yet; both over or one alone: the first.
    FilmModel& leading() const { return m_both && m_first.over() ? m_second : m_first; }

    void setPlaying(bool playing);
    bool playing() const { return m_timer.isActive(); }
    void setSpeed(int stepsPerSecond);
    int delayMs() const { return m_timer.interval(); }

signals:
    /// Another moment, or other films.
    void changed();
    void playingChanged();

private:
    using Moment = std::pair<int, int>;  ///< column and warp
    static Moment momentOf(const FilmModel& model, int step);
    void arrange();
    /// A film was moved by itself.
    void follow(FilmModel& moved);
    void show(const FilmModel* but = nullptr);

    FilmModel &m_first, &m_second;
    bool m_both = false, m_showing = false;
    std::vector<Moment> m_moments;  ///< ascending
    int m_at = 0;
    QTimer m_timer;
};

}  // namespace warplens::gui
