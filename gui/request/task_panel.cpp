// SPDX-License-Identifier: Apache-2.0
#include "gui/request/task_panel.hpp"

#include "gui/kit/panel.hpp"
#include "gui/request/family_chooser.hpp"
#include "gui/request/launch_experiments.hpp"
#include "gui/request/task_form.hpp"
#include "gui/request/variant_list.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/picture_facts.hpp"

#include <QFrame>

namespace warplens::gui {

namespace {

/// How several devices that share what is iterated give each other its halos. Hidden where none are exchanged.
class HaloBox : public QWidget {
public:
    explicit HaloBox(RequestState& request, QWidget* parent = nullptr) : QWidget(parent), m_request(request) {
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
    QComboBox* m_combo = made(new QComboBox(this),
                              {.id = "halos",
                               .name = tr("Halos"),
                               .tip = tr("How the devices give each other the halos of the parts that they keep.")});
};

constexpr Length kRoomy{270};

constexpr int kPadding = 6;

QWidget* rule(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFixedHeight(1);
    line->setAutoFillBackground(true);
    line->setBackgroundRole(QPalette::Mid);
    return line;
}

QWidget* padded(QWidget* inner, QWidget* parent) {
    auto* outer = new QWidget(parent);
    makeColumn(outer, {kDockMargin, kPadding, kDockMargin, kPadding}, 0, {inner});
    return outer;
}

/// Where kernels run, and what that device is, each figure with its origin.
class DeviceBox : public QWidget {
public:
    explicit DeviceBox(DeviceChoice& devices, QWidget* parent = nullptr) : QWidget(parent), m_devices(devices) {
        auto* label = made(new QLabel(tr("Device"), this), {.look = "label", .of = m_combo});
        label->setMinimumWidth(kLabelWidth);
        auto* row = makeRow(nullptr, {}, kGap, {label, {m_combo, 1}});
        makeColumn(this, {}, 2, {row});

        connect(m_combo, &QComboBox::activated, this,
                [this](int index) { m_devices.choose(m_combo->itemData(index).toString().toStdString()); });
        connect(&m_devices, &DeviceChoice::listChanged, this, &DeviceBox::refreshList);
        connect(&m_devices, &DeviceChoice::changed, this, &DeviceBox::refreshFacts);
        refreshList();
        on(this, {QEvent::Resize}, [this] { indent(); });
    }

private:
    void indent() {
        // Below the choice where there is room, else from the margin: figures are never cut.
        m_facts->layout()->setContentsMargins(width() >= kRoomy ? kLabelWidth + kGap : 0, 0, 0, 0);
    }

    void refreshList() {
        m_combo->clear();
        for (const gpu::DeviceInfo& device : m_devices.list().devices) {
            const QString name = QString::fromStdString(device.name), id = QString::fromStdString(device.id);
            m_combo->addItem(device.ranks() ? QStringLiteral("%1 (%2)").arg(name, id) : name, id);
        }
        if (const std::string several = m_devices.several(); !several.empty()) {
            const QString ids = QString::fromStdString(several);
            m_combo->addItem(
                several.starts_with("cpu") ? tr("CPU as two devices") : tr("All GPUs at once (%1)").arg(ids), ids);
            m_combo->setItemData(
                m_combo->count() - 1,
                tr("They share the slices of a volume or, where a picture is iterated, its rows; and the "
                   "pictures of a folder. "
                   "Recipes, sweeps and what follows a slider run on the first one."),
                Qt::ToolTipRole);
        }
        m_combo->setEnabled(m_combo->count() > 0);
        if (m_combo->count() == 0) m_combo->setPlaceholderText(tr("looking for devices"));
        refreshFacts();
    }

    void refreshFacts() {
        delete m_facts;
        m_facts = new QWidget(this);
        auto* row = new QHBoxLayout(m_facts);
        row->setSpacing(4);
        const auto say = [&](const QString& text, std::optional<Origin> origin) {
            row->addWidget(made(new QLabel(text, m_facts), {.look = "caption"}));
            if (origin) row->addWidget(new OriginMark(*origin, m_facts));
            row->addSpacing(4);
        };
        if (const gpu::DeviceInfo* device = m_devices.chosen()) {
            const QString ids = QString::fromStdString(m_devices.names());
            if (m_combo->findData(ids) < 0)
                m_combo->addItem(ids, ids);  // some of several, as the command line named them
            m_combo->setCurrentIndex(m_combo->findData(ids));
            if (!m_devices.beside().empty()) {
                say(tr("share comparisons and folders"), std::nullopt);
            } else if (device->ranks()) {
                say(tr("%1 SMs").arg(device->multiprocessors), Origin::reported);
                if (m_devices.limits() && m_devices.limits()->copyGbs > 0)
                    say(tr("copy %1 GB/s").arg(format::integer(std::llround(m_devices.limits()->copyGbs))),
                        Origin::measured);
                else
                    say(format::bytes(device->memoryBytes), Origin::reported);
            } else {
                say(device->multiprocessors == 1 ? tr("1 core") : tr("%1 cores").arg(device->multiprocessors),
                    Origin::reported);
                if (!m_devices.list().whyNoCuda.empty()) say(tr("no CUDA device"), std::nullopt);
            }
        }
        row->addStretch(1);
        layout()->addWidget(m_facts);
        indent();
    }

    DeviceChoice& m_devices;
    QComboBox* m_combo =
        made(new QComboBox(this),
             {.id = "device", .name = tr("Device"), .tip = tr("Device for kernels; library variants name their own.")});
    QWidget* m_facts = nullptr;
};

}  // namespace

TaskPanel::TaskPanel(RequestState& request, Results& results, InputFiles& inputs, QWidget* parent)
    : QWidget(parent), m_request(request), m_count(made(new QLabel(this), {.look = "caption"})) {
    setLook(this, "dock");
    auto* content = new QWidget;
    setLook(content, "dock");
    auto* column = makeColumn(content, {0, kDockMargin - kGap, 0, kGap}, 0);
    auto* facts = new PictureFacts(request.document(), content);
    connect(facts, &PictureFacts::choiceWanted, &inputs, &InputFiles::readAgain);
    fill(column, {padded(facts, content), padded(makeFamilyChooser(request, content), content)});

    auto* form = makeTaskForm(
        request, results, inputs, [this](const QString& why) { emit refused(why); }, FormFor::explaining, content);
    connect(form, &ParameterForm::done, this, &TaskPanel::done);
    auto* where = new QWidget(content);
    m_where = makeColumn(where, {}, 4, {new DeviceBox(request.devices(), where), new HaloBox(request, where)});
    auto* head = new QWidget(content);
    QWidget* experiments = makeExperiments(request, head);
    auto* list = new VariantList(request, results, content);
    auto* title = made(new QLabel(tr("Variants"), head), {.look = "title", .of = list});
    fill(stripRow(head, kHeadHeight, -1), {title, spring(), experiments, m_count});
    fill(column, {padded(form, content), rule(content), padded(where, content), rule(content), head, list, spring()});

    makeColumn(this, {}, 0, {makeScroll(content, this)});

    connect(&request.variants(), &VariantListModel::checkedChanged, this, &TaskPanel::countVariants);
    countVariants();
}

void TaskPanel::setPageRow(QWidget* row) {
    if (m_pageRow != nullptr) m_pageRow->hide();
    m_pageRow = row;
    if (row == nullptr) return;
    m_where->addWidget(row);
    row->show();
}

void TaskPanel::follow(ViewState* view) {
    for (QWidget* part : findChildren<QWidget*>())
        if (auto* follower = dynamic_cast<PixelFollower*>(part)) follower->follow(view);
}

void TaskPanel::countVariants() {
    m_count->setText(tr("%1 of %2").arg(m_request.variants().checkedCount()).arg(m_request.variants().rowCount()));
}

}  // namespace warplens::gui
