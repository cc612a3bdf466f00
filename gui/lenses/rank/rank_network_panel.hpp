// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/kit/paint.hpp"
#include "gui/lenses/rank/rank_network.hpp"
#include "gui/session/document.hpp"
#include "gui/session/parameter_state.hpp"
#include "gui/session/pixel_follower.hpp"

#include <QPoint>
#include <QPointer>
#include <optional>
#include <vector>

class QLabel;
class QSpinBox;

namespace warplens::gui {

/// Wires from the left to the right, a value on each, and the exchanges between them up to the present one. At the
/// left what came in, at the right what is there now.
class RankNetworkView : public Plot {
    Q_OBJECT
public:
    explicit RankNetworkView(QWidget* parent = nullptr);
    /// `steps` exchanges are made, the last of them is the present one.
    void set(const RankNetwork& network, std::vector<double> values, int steps);
    QSize sizeHint() const override;
    /// For a place as narrow as five digits: 0.498 is ".498".
    static QString text(double value);

signals:
    /// The arrow keys, Home and End: so many exchanges on or back.
    void stepped(int by);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    double wireAt(int wire) const;
    double columnAt(int column) const;
    void paintWires(QPainter& painter) const;
    void paintExchanges(QPainter& painter) const;

    RankNetwork m_network;
    std::vector<double> m_values, m_now;
    int m_steps = 0;
};

/// The sorting network of the present window with the values of the window under the cursor, exchange by exchange.
class RankNetworkPanel : public QWidget, public PixelFollower {
    Q_OBJECT
public:
    RankNetworkPanel(ParameterState& state, Document& document, QWidget* parent = nullptr);
    void follow(ViewState* view) override;
    /// What the present variant does is said where no network is drawn. Null: there is none.
    void setVariant(const gpu::Variant* variant);

private:
    void take();
    void takePixel();
    void refresh();
    /// Whether a network is drawn of what is asked for.
    bool drawn() const;
    /// What happened at the present exchange.
    QString words(const std::vector<double>& now) const;

    ParameterState& m_state;
    Document& m_document;
    QPointer<ViewState> m_view;
    std::optional<QPoint> m_pixel;  ///< the last one under the cursor, else the middle
    RankNetwork m_network;
    std::vector<double> m_values;
    QString m_variant;
    QSpinBox* m_step;
    QLabel *m_title, *m_text;
    RankNetworkView* m_wires;
};

}  // namespace warplens::gui
