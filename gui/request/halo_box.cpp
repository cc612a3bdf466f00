// SPDX-License-Identifier: Apache-2.0
#include "gui/request/halo_box.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/session/request_state.hpp"

#include <QComboBox>
#include <QLabel>
#include <QWidget>

namespace warplens::gui {

namespace {

/// How several devices that share what is iterated give each other its halos. Hidden where none are exchanged.
class HaloBox : public QWidget {
public:
    explicit HaloBox(RequestState& request, QWidget* parent = nullptr)
        : QWidget(parent), m_request(request), m_combo(new QComboBox(this)) {
        setWidgetText(m_combo, {.id = "halos",
                                .name = tr("Halos"),
                                .tip = tr("How the devices give each other the halos of the parts that they keep.")});
        const auto add = [this](gpu::HaloExchangeMode way, const QString& name, const QString& tip) {
            m_combo->addItem(name, static_cast<int>(way));
            m_combo->setItemData(m_combo->count() - 1, tip, Qt::ToolTipRole);
        };
        add(gpu::HaloExchangeMode::overlapped, tr("behind the interior"),
            tr("Faces are computed first and copied to the neighbour while the interior is computed."));
        add(gpu::HaloExchangeMode::graph, tr("in launch graphs"),
            tr("The same, with the launches and copies of several rounds of all devices recorded once and launched as "
               "one."));
        add(gpu::HaloExchangeMode::peer, tr("peer copies"), tr("From device to device, between two sweeps."));
        add(gpu::HaloExchangeMode::host, tr("through the host"),
            tr("Down to the host's memory and up again, between two sweeps."));
        auto* label = made(new QLabel(tr("Halos"), this), {.look = "label", .of = m_combo});
        label->setMinimumWidth(kLabelWidth);
        makeRow(this, {}, kGap, {label, {m_combo, 1}});

        connect(m_combo, &QComboBox::activated, this, [this](int index) {
            m_request.devices().setHalos(static_cast<gpu::HaloExchangeMode>(m_combo->itemData(index).toInt()));
        });
        connect(&m_request.devices(), &DeviceChoice::changed, this, &HaloBox::refresh);
        connect(&m_request.parameters(), &ParameterState::familyChanged, this, &HaloBox::refresh);
        refresh();
    }

private:
    void refresh() {
        m_combo->setCurrentIndex(m_combo->findData(static_cast<int>(m_request.devices().halos())));
        setVisible(m_request.exchangesHalos());
    }

    RequestState& m_request;
    QComboBox* m_combo;
};

}  // namespace

QWidget* makeHaloBox(RequestState& request, QWidget* parent) { return new HaloBox(request, parent); }

}  // namespace warplens::gui
