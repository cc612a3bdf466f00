// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/timeline.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QObject>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

namespace warplens::gui {

/// A timeline as lanes of bars, the part of it that is seen, and the bar chosen. Times are seconds since its begin.
class TimelineModel : public QObject {
    Q_OBJECT
public:
    struct Bar {
        std::size_t item = 0;
        double begin = 0, end = 0;
        bool modelled = false;  ///< its duration
    };
    /// What one worker did, or one engine.
    struct Lane {
        QString name, stage;  ///< "decode 2", "decode"
        QString place;        ///< a part's device, where the stage has several
        bool part = false;    ///< of the stage before it: where its bars begin was not measured
        bool critical = false;
        int workers = 1;          ///< of its stage
        std::vector<Bar> bars{};  ///< by their begin
    };
    /// A bar by its lane and its number there.
    using Place = std::pair<int, int>;

    using QObject::QObject;

    /// `from`: measured, or recorded when a file was opened.
    void show(gpu::Timeline timeline, const QString& what, Origin from);
    bool empty() const { return m_timeline.stages.empty(); }
    const gpu::Timeline& timeline() const { return m_timeline; }
    const QString& what() const { return m_what; }
    Origin origin() const { return m_origin; }
    const std::vector<Lane>& lanes() const { return m_lanes; }
    const std::vector<gpu::StageShare>& shares() const { return m_shares; }
    const gpu::StageShare& critical() const { return m_shares[m_critical]; }
    /// When no worker of the critical stage works.
    const std::vector<std::pair<double, double>>& exposed() const { return m_exposed; }
    double exposedSeconds() const;

    double from() const { return m_from; }
    double to() const { return m_to; }
    /// Keeps `at` where it is seen; a factor above 1 sees less. What is seen stays within the run.
    void zoom(double factor, double at);
    /// By a share of what is seen; positive: later.
    void pan(double share);
    void see(double from, double to);
    void fit() { see(0, m_timeline.seconds); }

    std::optional<Place> chosen() const { return m_chosen; }
    void choose(std::optional<Place> place);
    /// The bar before or after the chosen one, or the nearest one so many lanes below; brings it into view. Without a
    /// chosen one: the first.
    void step(int bars, int lanes);
    const Bar& bar(Place place) const { return m_lanes[place.first].bars[place.second]; }
    /// The bar of the lane at that time, or within `around` seconds of it.
    std::optional<Place> at(int lane, double seconds, double around) const;

    /// "1.37 ms", "3.21 s".
    static QString text(double seconds);
    /// Stage, picture, when, how long and where that is known from, each in a line of its own.
    QStringList describe(Place place) const;

signals:
    void changed();
    /// Another part of it is seen, or another bar is chosen.
    void seen();

private:
    void makeLanes();
    void addParts(const gpu::Timeline::Stage& whole);

    gpu::Timeline m_timeline;
    QString m_what;
    Origin m_origin = Origin::measured;
    std::vector<Lane> m_lanes;
    std::vector<gpu::StageShare> m_shares;
    std::size_t m_critical = 0;
    std::vector<std::pair<double, double>> m_exposed;
    double m_from = 0, m_to = 1;
    std::optional<Place> m_chosen;
};

}  // namespace warplens::gui
