// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/picture/view_state.hpp"
#include "io/grid.hpp"

#include <QPointer>
#include <QToolButton>
#include <QWidget>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QAction;
class QActionGroup;
namespace warplens::io {
class Grid;
}

namespace warplens::gui {

/// "inferno ▾": the colour map that the current picture is shown in, and a menu of all of them with their colours.
class ColourMapButton : public QToolButton {
    Q_OBJECT

public:
    explicit ColourMapButton(ViewState& state, QWidget* parent = nullptr);
    /// Another state from now on; it outlives the button.
    void setViewState(ViewState& state);
    /// The picture that it names the map of, which labels have of their own; null: none.
    void setCurrent(const io::Grid* picture);

private:
    ColourMap shown() const;
    void choose(ColourMap map);
    void refresh();

    ViewState* m_state;
    bool m_ofLabels = false;
    QActionGroup* m_choices;
    QAction *m_labels = nullptr, *m_mark = nullptr;
};

/// A map's colours from left to right.
QImage colourStrip(ColourMap map, QSize size);

/// "Range LOW - HIGH, gamma, all panes", Auto and Reset. Display only: never touches data.
class RangeBar : public QWidget {
    Q_OBJECT

public:
    explicit RangeBar(QWidget* parent = nullptr);
    ~RangeBar() override;
    void setViewState(ViewState* state);
    /// Whether the range is that of all panes; it says so.
    void setShared(bool shared);
    /// A new input: shows it with its default range as soon as that is known, which Reset returns to: at once the
    /// type's range for 8 bits; without 0.1 % at each end for 16 and 32 bits. One that was `computed` of the input
    /// before keeps the present range where its values lie about there.
    void setInput(std::shared_ptr<const io::Grid> input, bool computed = false);
    /// The picture that Auto looks at: the current pane's.
    void setCurrent(std::shared_ptr<const io::Grid> picture) { m_current = std::move(picture); }
    /// A picture's statistics, worked out on another thread; nothing where that is left to the CPU.
    using Serve =
        std::function<std::optional<PictureStatistics>(const std::shared_ptr<const io::Grid>&, const std::stop_token&)>;
    /// Who works them out for Auto, asked for each time; none: the CPU.
    void setServe(std::function<Serve()> offer) { m_offer = std::move(offer); }
    /// Which of the current picture's pixels are seen, asked when Auto is pressed with Shift; none: all of them.
    void setSeen(std::function<QRect()> seen) { m_seen = std::move(seen); }
    /// Where there is little room, without words.
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

public slots:
    /// Leaves out 0.1 % of the current picture's finite values at each end. Computed on another thread; a hint over the
    /// button says by what.
    void autoRange() { autoRangeOf(std::nullopt); }
    /// The same of what is seen of it, of every slice.
    void autoRangeOfSeen();
    void reset();
    /// Shows the field for gamma, which is hidden while it is 1, and gives it the focus.
    void askGamma();

signals:
    /// Auto has ended; `nonFinite` values were ignored.
    void autoDone(qint64 nonFinite);
    /// The default range of a new input is known and was set.
    void defaultSet(warplens::gui::DisplayRange range);

private:
    int widthOf(const QWidget* part) const;
    void edited();
    void takeDefault(DisplayRange range);
    /// Keeps the range that was chosen for the picture that goes, in case that undo brings it back.
    void keepChosen();
    void show(DisplayRange range);
    void nameAuto(const QString& by);
    void autoRangeOf(std::optional<QRect> part);

    QPointer<ViewState> m_state;
    std::shared_ptr<const io::Grid> m_input;
    std::shared_ptr<const io::Grid> m_current;
    std::optional<DisplayRange> m_default;
    std::deque<std::pair<std::weak_ptr<const io::Grid>, DisplayRange>> m_chosen;  ///< the newest last
    QDoubleSpinBox* m_low;
    QDoubleSpinBox* m_high;
    QDoubleSpinBox* m_gamma;
    QLabel* m_label;
    QLabel* m_scope;
    QPushButton* m_auto;
    QPushButton* m_reset;
    std::function<Serve()> m_offer;
    std::function<QRect()> m_seen;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
