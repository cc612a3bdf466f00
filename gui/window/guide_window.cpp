// SPDX-License-Identifier: Apache-2.0
#include "gui/window/guide_window.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

// Outside any namespace: the resources come with a static library.
static void initialiseGuideResource() { Q_INIT_RESOURCE(docs); }

namespace warplens::gui {

namespace {

constexpr Length kGuideWidth{880}, kGuideHeight{680}, kParagraphGap{8};
const QUrl kFirst(QStringLiteral("qrc:/warplens/docs/window.md"));

/// The documents of docs/, whose links lead on; those to the web are opened by the desktop.
class GuideBrowser : public QTextBrowser {
public:
    explicit GuideBrowser(QWidget* parent) : QTextBrowser(parent) {
        initialiseGuideResource();
        setSource(kFirst, QTextDocument::HtmlResource);
    }

protected:
    /// Documents without their pictures, which are not part of the program.
    QVariant loadResource(int type, const QUrl& name) override {
        if (type != QTextDocument::HtmlResource) return QTextBrowser::loadResource(type, name);
        QFile file(QLatin1Char(':') + name.path());
        if (!file.open(QIODevice::ReadOnly)) return {};
        static const QRegularExpression kLeftOut(
            QStringLiteral("<!--.*?-->|!\\[[^\\]]*\\]\\([^)]*\\)\\s*(\\*[^*]*\\*)?"));
        // Markdown that is read into what is shown is laid out again with each of its blocks: minutes for long tables.
        QTextDocument unseen;
        unseen.setMarkdown(QString::fromUtf8(file.readAll()).remove(kLeftOut));
        // Paragraphs come without a distance; rows of tables stay close.
        for (QTextBlock block = unseen.begin(); block.isValid(); block = block.next()) {
            QTextCursor at(block);
            if (at.currentTable() != nullptr) continue;
            QTextBlockFormat format;
            format.setBottomMargin(kParagraphGap);
            at.mergeBlockFormat(format);
        }
        return unseen.toHtml();
    }

    void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override {
        const QUrl target = source().resolved(name);
        if (target.scheme().startsWith(QStringLiteral("http"))) {
            QDesktopServices::openUrl(target);
            return;
        }
        // Sources and schemas are no part of the guide.
        if (!QFileInfo::exists(QLatin1Char(':') + target.path())) return;
        QTextBrowser::doSetSource(target, type == QTextDocument::UnknownResource ? QTextDocument::HtmlResource : type);
    }
};

/// The user's guide. Never modal.
class GuideWindow : public QDialog {
public:
    explicit GuideWindow(QWidget* parent) : QDialog(parent) {
        setObjectName(QStringLiteral("guide-window"));
        setWindowTitle(tr("User's guide"));
        setAttribute(Qt::WA_DeleteOnClose);
        const QSize wanted(kGuideWidth, kGuideHeight);
        resize(parent != nullptr ? wanted.boundedTo(parent->window()->size() - QSize(32, 56)) : wanted);
        auto* text = made(new GuideBrowser(this), {.id = "guide-text", .name = tr("User's guide")});
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
        auto* back = buttons->addButton(tr("Back"), QDialogButtonBox::ActionRole);
        back->setEnabled(false);
        connect(text, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
        connect(back, &QPushButton::clicked, text, &QTextBrowser::backward);
        connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
        auto* column = new QVBoxLayout(this);
        column->addWidget(text);
        column->addWidget(buttons);
    }
};

}  // namespace

QDialog* makeGuideWindow(QWidget* parent) { return new GuideWindow(parent); }

}  // namespace warplens::gui
