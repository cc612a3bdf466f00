// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/separating_level.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/regions/region_strip.hpp"
#include "gui/session/request_state.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kLevelField{84}, kNeighbours{30}, kLeastSlider{30};
constexpr int kStops = 1000;  // of a slider over other values than bytes
constexpr auto kLevel = gpu::Parameter::Role::level, kConnectivity = gpu::Parameter::Role::connectivity;

class RegionQuestions : public QWidget {
public:
    RegionQuestions(RequestState& request, QWidget* parent, std::function<void(const QString& why)> refused)
        : QWidget(parent), m_request(request), m_refused(std::move(refused)) {
        setLook(m_levelLabel, "caption");
        setWidgetText(m_slider, {.id = "regions-level-slider", .name = tr("Level, slider")});
        setWidgetText(m_level, {.id = "regions-level", .name = tr("Level"), .tip = tr("What is above it is inside.")});
        m_level->setFixedWidth(kLevelField);
        m_level->setKeyboardTracking(true);
        setWidgetText(m_separate, {.id = "regions-auto-level",
                                   .look = "flat",
                                   .name = tr("Automatic level"),
                                   .tip = tr("The level that separates the picture's values best, by Otsu's method."),
                                   .checkable = true});
        connect(m_separate, &QPushButton::clicked, this, [this] {
            set(kLevel, std::string(gpu::kAutomatic));
            refresh();  // it stays down, whatever the click did
        });
        setWidgetText(m_few, {.id = "regions-few", .look = "segment"});
        setWidgetText(m_many, {.id = "regions-many", .look = "segment"});
        for (QPushButton* button : {m_few, m_many}) {
            button->setCheckable(true);
            button->setFixedWidth(kNeighbours);
            connect(button, &QPushButton::clicked, this,
                    [this, button] { set(kConnectivity, button->text().toStdString()); });
        }
        makeRow(
            this, {kDockMargin, 0, kGap, 0}, 6,
            {m_levelLabel, {m_slider, 1}, m_level, m_separate, spring(0), makeRow(nullptr, {}, 0, {m_few, m_many})});
        setFixedHeight(kStripHeight);
        m_slider->setMinimumWidth(kLeastSlider);
        connect(m_slider, &QSlider::valueChanged, this, [this](int position) { set(kLevel, levelAt(position)); });
        connect(m_level, &QDoubleSpinBox::valueChanged, this, [this](double level) { set(kLevel, level); });
        connect(&request.parameters(), &ParameterState::changed, this, &RegionQuestions::refresh);
        connect(&request.parameters(), &ParameterState::familyChanged, this, &RegionQuestions::refresh);
        connect(&request.document(), &Document::changed, this, [this] {
            const auto grid = m_request.document().grid();
            if (grid != nullptr) {
                const PictureStatistics none;
                const DisplayRange range = grid->type() == io::PixelType::u8 || grid->type() == io::PixelType::u16
                                               ? defaultRange(grid->type(), none)
                                               : sampledRange(*grid);
                m_low = range.low;
                m_high = range.high > range.low ? range.high : range.low + 1;
                m_automatic.reset();
            }
            refresh();
        });
        refresh();
    }

private:
    void refresh() {
        const ParameterState& parameters = m_request.parameters();
        const bool level = parameters.findRole(kLevel) != nullptr;
        m_separate->setChecked(parameters.valueFor<std::string>(kLevel) != nullptr);
        for (QWidget* widget : std::initializer_list<QWidget*>{m_levelLabel, m_slider, m_level, m_separate})
            widget->setVisible(level);
        const QSignalBlocker quietSlider(m_slider), quietLevel(m_level);
        const bool bytes = m_low == 0 && m_high == 255;
        m_slider->setRange(0, bytes ? 255 : kStops);
        if (level) {
            const double value = levelNow();
            const double share = std::clamp((value - m_low) / (m_high - m_low), 0.0, 1.0);
            m_slider->setValue(static_cast<int>(std::lround(share * m_slider->maximum())));
            m_level->setValue(value);
        }
        const auto* connectivity = parameters.valueFor<std::string>(kConnectivity);
        const auto grid = m_request.document().grid();
        const bool volume = grid != nullptr && grid->shape().depth > 1;
        m_few->setText(volume ? QStringLiteral("6") : QStringLiteral("4"));
        m_many->setText(volume ? QStringLiteral("26") : QStringLiteral("8"));
        for (QPushButton* button : {m_few, m_many}) {
            button->setVisible(connectivity != nullptr);
            setWidgetText(button, {.name = tr("%1 neighbours").arg(button->text()),
                                   .tip = tr("A pixel is connected to %1 neighbours.").arg(button->text())});
        }
        if (connectivity == nullptr) return;
        m_few->setChecked(*connectivity == m_few->text().toStdString());
        m_many->setChecked(*connectivity == m_many->text().toStdString() || *connectivity == "all");
    }

    /// The level that is taken: the number, or the one that separates best.
    double levelNow() {
        if (const auto* number = m_request.parameters().valueFor<double>(kLevel)) return *number;
        const auto grid = m_request.document().grid();
        if (grid == nullptr) return m_low;
        if (!m_automatic) m_automatic = gpu::otsuThreshold(*grid);
        return *m_automatic;
    }

    void set(gpu::Parameter::Role role, const gpu::Parameter::Value& value) {
        QString why;
        if (!m_request.parameters().set(m_request.parameters().findRole(role)->id, value, &why)) m_refused(why);
    }

    double levelAt(int position) const { return m_low + (m_high - m_low) * position / m_slider->maximum(); }

    RequestState& m_request;
    std::function<void(const QString& why)> m_refused;  ///< a value was not taken
    QLabel* m_levelLabel = new QLabel(tr("Level"), this);
    QSlider* m_slider = new QSlider(Qt::Horizontal, this);
    ValueSpin* m_level = new ValueSpin(this);
    QPushButton *m_separate = new QPushButton(tr("Auto"), this), *m_few = new QPushButton(this),
                *m_many = new QPushButton(this);
    double m_low = 0, m_high = 255;     ///< the slider's ends
    std::optional<double> m_automatic;  ///< of the picture at hand, once it was asked for
};

}  // namespace

QWidget* makeRegionQuestions(RequestState& request, QWidget* parent, std::function<void(const QString& why)> refused) {
    return new RegionQuestions(request, parent, std::move(refused));
}

}  // namespace warplens::gui
