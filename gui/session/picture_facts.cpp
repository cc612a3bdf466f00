// SPDX-License-Identifier: Apache-2.0
#include "gui/session/picture_facts.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

namespace warplens::gui {

namespace {
constexpr Length kThumbnail{64};
}

PictureFacts::PictureFacts(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_thumbnail(made(new QLabel(this), {.name = tr("Thumbnail of the input")})),
      m_name(made(new QLabel(this), {.look = "title"})),
      m_facts(made(new QLabel(this), {.look = "caption", .wraps = true})),
      m_choices(new QWidget(this)),
      m_frameLabel(new QLabel(m_choices)),
      m_frameCount(made(new QLabel(m_choices), {.look = "caption"})),
      m_seriesLabel(new QLabel(tr("Series"), m_choices)),
      m_frame(made(new QSpinBox(m_choices), {.id = "read-frame"})),
      m_series(made(new QComboBox(m_choices),
                    {.id = "read-series", .name = tr("Series of the folder"), .focus = true, .letters = 8})) {
    m_thumbnail->setFixedSize(kThumbnail, kThumbnail);
    m_thumbnail->setAlignment(Qt::AlignCenter);
    m_name->setTextFormat(Qt::PlainText);
    m_facts->setTextFormat(Qt::PlainText);
    m_name->setMinimumWidth(40);
    auto* lines = makeColumn(nullptr, {}, 0, {m_name, m_facts, spring()});
    auto* row = makeRow(nullptr, {}, kDockMargin, {{m_thumbnail, 0, Qt::AlignTop}, {lines, 1}});
    makeColumn(this, {}, 4, {row, m_choices});
    makeChoices();
    connect(&m_document, &Document::changed, this, &PictureFacts::refresh);
    connect(&m_document, &Document::choiceRejected, this, &PictureFacts::refreshChoices);
    refresh();
    // Projector mode has a larger one.
    on(this, {QEvent::StyleChange}, [this] { showThumbnail(); });
    on(this, {QEvent::Resize}, [this] { elide(); });
}

void PictureFacts::makeChoices() {
    auto* choices = new QGridLayout(m_choices);
    choices->setContentsMargins(0, 0, 0, 0);
    choices->setHorizontalSpacing(kGap);
    choices->setVerticalSpacing(4);
    choices->setColumnStretch(2, 1);
    for (QLabel* label : {m_frameLabel, m_seriesLabel}) setLook(label, "label");
    m_frame->setKeyboardTracking(false);
    m_frame->setFocusPolicy(Qt::StrongFocus);
    m_frameLabel->setBuddy(m_frame);
    m_seriesLabel->setBuddy(m_series);
    choices->addWidget(m_seriesLabel, 0, 0);
    choices->addWidget(m_series, 0, 1, 1, 2);
    choices->addWidget(m_frameLabel, 1, 0);
    choices->addWidget(m_frame, 1, 1);
    choices->addWidget(m_frameCount, 1, 2);
    connect(m_frame, &QSpinBox::valueChanged, this, &PictureFacts::choose);
    connect(m_series, &QComboBox::activated, this, [this] {
        // Another series need not have as many frames.
        const QSignalBlocker quiet(m_frame);
        m_frame->setValue(m_frame->minimum());
        choose();
    });
}

void PictureFacts::choose() {
    const ReadChoice& now = m_document.choice();
    const bool seriesKept = m_series->count() < 2 || m_series->currentIndex() == m_seriesRead;
    ReadChoice wanted = now;
    wanted.frame = m_frame->isHidden() ? 0 : m_frame->value();
    if (!seriesKept) wanted.series = m_series->currentData().toString();
    emit choiceWanted(wanted);
}

void PictureFacts::refreshChoices() {
    const io::Metadata none;
    const bool choosable = !m_document.empty() && !m_document.derived();
    const io::Metadata& metadata = choosable ? m_document.grid()->metadata : none;
    const bool several = metadata.series.size() > 1;
    // Pages of a TIFF are slices, unless one of them is asked for or they differ.
    const bool stack = metadata.format == "tiff" && (m_document.choice().frame > 0 || metadata.page == 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_frameLabel, m_frame, m_frameCount})
        widget->setVisible(metadata.pages > 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_seriesLabel, m_series}) widget->setVisible(several);
    m_choices->setVisible(several || metadata.pages > 1);
    const QSignalBlocker quietFrame(m_frame), quietSeries(m_series);
    m_frame->setRange(stack ? 0 : 1, std::max(1, metadata.pages));
    m_frame->setSpecialValueText(stack ? tr("all") : QString());
    m_frame->setValue(metadata.page);
    m_frameLabel->setText(stack ? tr("Page") : tr("Frame"));
    m_frame->setAccessibleName(stack ? tr("Page of the file") : tr("Frame of the volume"));
    m_frameCount->setText(tr("of %1").arg(metadata.pages));
    m_series->clear();
    m_seriesRead = 0;
    for (std::size_t i = 0; i < metadata.series.size(); ++i) {
        const io::Series& one = metadata.series[i];
        const QString uid = QString::fromStdString(one.uid), name = QString::fromStdString(one.description);
        const QString what = name.isEmpty() ? uid : name;
        m_series->addItem(one.files == 1 ? tr("%1, 1 file").arg(what) : tr("%1, %2 files").arg(what).arg(one.files),
                          uid);
        m_series->setItemData(static_cast<int>(i), uid, Qt::ToolTipRole);
        // Without a choice the largest was read, the first of several.
        const QString& wanted = m_document.choice().series;
        if (wanted.isEmpty() ? one.files > metadata.series[static_cast<std::size_t>(m_seriesRead)].files
                             : uid == wanted)
            m_seriesRead = static_cast<int>(i);
    }
    m_series->setCurrentIndex(m_seriesRead);
}

void PictureFacts::showThumbnail() {
    if (m_document.thumbnail().isNull()) return;
    const double ratio = devicePixelRatioF();
    QImage image = m_document.thumbnail().scaled(QSize(kThumbnail, kThumbnail) * ratio, Qt::KeepAspectRatio,
                                                 Qt::SmoothTransformation);
    image.setDevicePixelRatio(ratio);
    m_thumbnail->setPixmap(QPixmap::fromImage(image));
}

void PictureFacts::refresh() {
    refreshChoices();
    m_facts->setText(m_document.empty() ? tr("Open a picture, or drop\none on the window.")
                                        : m_document.facts().join('\n'));
    const QStringList tip = QStringList{m_document.input()} + m_document.geometry() + m_document.notes();
    m_name->setToolTip(tip.join('\n'));
    m_facts->setToolTip(tip.join('\n'));
    showThumbnail();
    elide();
}

void PictureFacts::elide() {
    const QString name = m_document.empty() ? tr("No picture") : m_document.name();
    m_name->setText(m_name->fontMetrics().elidedText(name, Qt::ElideMiddle, width() - kThumbnail - kDockMargin));
    m_name->setAccessibleName(name);
}

}  // namespace warplens::gui
