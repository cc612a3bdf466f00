// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/task_panel.hpp"

#include "gpu/core/registry.hpp"
#include "gui/lenses/lens.hpp"
#include "gui/panels/device_box.hpp"
#include "gui/panels/family_chooser.hpp"
#include "gui/panels/parameter_form.hpp"
#include "gui/panels/picture_facts.hpp"
#include "gui/panels/variant_list.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>

namespace warplens::gui {

namespace {

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
    auto* box = new QVBoxLayout(outer);
    box->setContentsMargins(kDockMargin, kPadding, kDockMargin, kPadding);
    box->addWidget(inner);
    return outer;
}

}  // namespace

TaskPanel::TaskPanel(CompareSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_count(new QLabel(this)), m_where(new QVBoxLayout) {
    setLook(this, "dock");
    auto* content = new QWidget;
    setLook(content, "dock");
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, kDockMargin - kGap, 0, kGap);
    column->setSpacing(0);
    auto* facts = new PictureFacts(session.document(), content);
    connect(facts, &PictureFacts::choiceWanted, &session, &CompareSession::readAgain);
    column->addWidget(padded(facts, content));
    column->addWidget(padded(makeFamilyChooser(session, content), content));

    auto* form = new ParameterForm(session.parameters(), content);
    for (const gpu::Family* family : gpu::families())
        for (const Lens::FormPart& part : lensOf(*family).formParts(
                 session, [this](const QString& why) { emit refused(why); }, content))
            form->setBelow(*family, part.parameter, part.widget);
    connect(form, &ParameterForm::refused, this, &TaskPanel::refused);
    connect(&session, &CompareSession::resultsChanged, form,
            [this, form] { form->setFollowedRange(m_session.countedRange()); });
    connect(form, &ParameterForm::pictureWanted, &session, &CompareSession::openParameter);
    column->addWidget(padded(form, content));

    column->addWidget(rule(content));
    auto* where = new QWidget(content);
    where->setLayout(m_where);
    m_where->setContentsMargins(0, 0, 0, 0);
    m_where->setSpacing(4);
    m_where->addWidget(new DeviceBox(session, where));
    column->addWidget(padded(where, content));
    column->addWidget(rule(content));

    auto* head = new QWidget(content);
    auto* line = new QHBoxLayout(head);
    line->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
    auto* title = new QLabel(tr("Variants"), head);
    setLook(title, "title");
    setLook(m_count, "caption");
    line->addWidget(title);
    line->addStretch(1);
    line->addWidget(m_count);
    head->setFixedHeight(kHeadHeight);
    column->addWidget(head);
    auto* list = new VariantList(session, content);
    title->setBuddy(list);
    column->addWidget(list);
    column->addStretch(1);

    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);

    connect(&session.variants(), &VariantListModel::checkedChanged, this, &TaskPanel::countVariants);
    countVariants();
}

void TaskPanel::setPageRow(QWidget* row) {
    if (m_pageRow != nullptr) m_pageRow->hide();
    m_pageRow = row;
    if (row == nullptr) return;
    m_where->addWidget(row);
    row->show();
}

void TaskPanel::countVariants() {
    m_count->setText(tr("%1 of %2").arg(m_session.variants().checkedCount()).arg(m_session.variants().rowCount()));
}

}  // namespace warplens::gui
