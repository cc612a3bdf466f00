// SPDX-License-Identifier: Apache-2.0
#include "gui/window/help_windows.hpp"

#include "gui/kit/keys.hpp"
#include "gui/kit/lesson_words.hpp"
#include "gui/kit/panel.hpp"
#include "gui/window/actions.hpp"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFile>
#include <QFileInfo>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <algorithm>
#include <utility>
#include <vector>

// Outside any namespace: the resources come with a static library.
static void initialiseGuideResource() { Q_INIT_RESOURCE(docs); }

namespace warplens::gui {

namespace {

constexpr Length kTermsWidth{1080}, kTermsHeight{680}, kGlossaryWidth{560}, kAround{4};
constexpr Length kGuideWidth{880}, kGuideHeight{680}, kParagraphGap{8};
constexpr Length kHelpWidth{560}, kHelpHeight{640}, kBelow{4}, kBeside{16}, kAboutWidth{360};
const QUrl kFirst(QStringLiteral("qrc:/warplens/docs/window.md"));

QString tr(const char* text) { return QCoreApplication::translate("warplens::gui::HelpWindows", text); }

/// A window with a text and Close; never modal.
QDialog* makeWindow(const char* id, const QString& title, QWidget* text, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    setUpDialog(dialog, id, title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    fill(new QVBoxLayout(dialog), {text, buttons});
    return dialog;
}

/// One whose text scrolls.
QDialog* makeWindow(const char* id, const QString& title, QSize size, QTextBrowser* text, QWidget* parent) {
    text->setAccessibleName(title);
    QDialog* dialog = makeWindow(id, title, text, parent);
    // The frame has to fit on the screen that the window fills.
    constexpr QSize kFrame(32, 56);
    dialog->resize(parent != nullptr ? size.boundedTo(parent->window()->size() - kFrame) : size);
    return dialog;
}

QDialog* makeWindow(const char* id, const QString& title, QSize size, const QString& html, QWidget* parent) {
    auto* text = new QTextBrowser;
    text->setHtml(html);
    return makeWindow(id, title, size, text, parent);
}

/// What it is, then its name in CUDA, OpenCL, OpenACC, HIP and HSA. A row of one text is a heading.
struct Words {
    const char* what;
    const char *cuda = nullptr, *openCl = nullptr, *openAcc = nullptr, *hip = nullptr, *hsa = nullptr;
};

#define WHAT(text) QT_TRANSLATE_NOOP("warplens::gui::HelpWindows", text)
constexpr Words kWords[] = {
    {WHAT("Work")},
    {WHAT("Executes the kernel once"), "thread", "work-item", "vector lane", "thread", "work-item"},
    {WHAT("Run in lockstep"), "warp", "sub-group", "worker", "wavefront (warp)", "wavefront"},
    {WHAT("Share fast memory and wait for each other"), "block", "work-group", "gang", "block", "work-group"},
    {WHAT("All of one launch"), "grid", "NDRange", "parallel region", "grid", "grid"},
    {WHAT("Its index along x"), "blockIdx.x * blockDim.x + threadIdx.x", "get_global_id(0)", "the loop's variable",
     "blockIdx.x * blockDim.x + threadIdx.x", "workitemabsid"},
    {WHAT("What executes blocks"), "streaming multiprocessor", "compute unit", "left to the compiler", "compute unit",
     "compute unit"},
    {WHAT("Code")},
    {WHAT("Entry point on the device"), "__global__ void f()", "__kernel void f()",
     "#pragma acc parallel loop, before a loop", "__global__ void f()", "kernel &f()"},
    {WHAT("Callable on the device"), "__device__", "any function", "#pragma acc routine", "__device__",
     "function &f()"},
    {WHAT("Launch"), "f<<<grid, block>>>(a)", "clEnqueueNDRangeKernel", "reaching the directive",
     "f<<<grid, block>>>(a)", "a dispatch packet in a queue"},
    {WHAT("Compiled by"), "nvcc, NVRTC", "the driver, at run time", "the compiler: gcc -fopenacc", "hipcc, hipRTC",
     "a finalizer, or offline"},
    {WHAT("Compiled to"), "PTX, SASS", "SPIR-V, the device's code", "the device's code", "the device's code",
     "HSAIL, the device's code"},
    {WHAT("Memory")},
    {WHAT("Device memory, visible to all"), "global", "__global", "in a data region", "global", "global segment"},
    {WHAT("Shared by a block"), "shared: __shared__", "local: __local", "gang-private; cache directive",
     "shared (LDS): __shared__", "group segment"},
    {WHAT("Private to a thread"), "registers, local", "__private", "private clause", "registers, local",
     "private segment"},
    {WHAT("Read-only, the same for all"), "__constant__", "__constant", "left to the compiler", "__constant__",
     "readonly segment"},
    {WHAT("Allocation"), "cudaMalloc", "clCreateBuffer", "create clause", "hipMalloc", "hsa_amd_memory_pool_allocate"},
    {WHAT("Copy to the device"), "cudaMemcpy", "clEnqueueWriteBuffer", "copyin, update device", "hipMemcpy",
     "hsa_amd_memory_async_copy"},
    {WHAT("Copy back to the host"), "cudaMemcpy", "clEnqueueReadBuffer", "copyout, update self", "hipMemcpy",
     "hsa_amd_memory_async_copy"},
    {WHAT("One address on host and device"), "unified memory: cudaMallocManaged", "shared virtual memory: clSVMAlloc",
     "left to the compiler", "managed memory: hipMallocManaged", "always: one flat address space"},
    {WHAT("Order and time")},
    {WHAT("Barrier in a block"), "__syncthreads()", "barrier(CLK_LOCAL_MEM_FENCE)", "the end of a region",
     "__syncthreads()", "barrier"},
    {WHAT("Memory fence, without waiting"), "__threadfence()", "mem_fence(CLK_GLOBAL_MEM_FENCE)", "none",
     "__threadfence()", "memfence"},
    {WHAT("Atomic addition"), "atomicAdd", "atomic_add", "#pragma acc atomic", "atomicAdd", "atomic_add"},
    {WHAT("Work executed in order"), "stream", "command queue", "async(n)", "stream", "queue"},
    {WHAT("Wait on the host"), "cudaStreamSynchronize", "clFinish", "wait(n)", "hipStreamSynchronize",
     "hsa_signal_wait_scacquire"},
    {WHAT("Timing on the device"), "events: cudaEventElapsedTime", "events: clGetEventProfilingInfo",
     "none: the host's clock", "events: hipEventElapsedTime", "hsa_amd_profiling_get_dispatch_time"},
};
#undef WHAT

QString tableOfWords() {
    QString rows = QStringLiteral("<tr><th></th>");
    for (const char* language : {"CUDA", "OpenCL", "OpenACC", "HIP", "HSA"})
        rows += QStringLiteral("<th align='left'>%1</th>").arg(QLatin1String(language));
    rows += QStringLiteral("</tr>");
    for (const Words& words : kWords) {
        const QString what = tr(words.what).toHtmlEscaped();
        if (words.cuda == nullptr) {
            rows += QStringLiteral("<tr><td colspan='6'><h4>%1</h4></td></tr>").arg(what);
            continue;
        }
        rows += QStringLiteral("<tr><td>%1</td>").arg(what);
        for (const char* name : {words.cuda, words.openCl, words.openAcc, words.hip, words.hsa})
            rows += QStringLiteral("<td><b>%1</b></td>").arg(QString::fromUtf8(name).toHtmlEscaped());
        rows += QStringLiteral("</tr>");
    }
    return QStringLiteral("<table cellspacing='0' cellpadding='%1'>%2</table>").arg(int(kAround)).arg(rows);
}

/// The menu of the window's bar that an action hangs in, at any depth; null: in none.
const QMenu* menuAbove(const QAction& action) {
    const QMenu* found = nullptr;
    for (const QObject* object : action.associatedObjects()) {
        const auto* menu = qobject_cast<const QMenu*>(object);
        if (menu == nullptr || found != nullptr) continue;
        const auto above = menu->menuAction()->associatedObjects();
        const bool top = std::ranges::any_of(
            above, [](const QObject* bar) { return qobject_cast<const QMenuBar*>(bar) != nullptr; });
        found = top ? menu : menuAbove(*menu->menuAction());
    }
    return found;
}

/// "View"; of an action in no menu, where else it is heard.
QString groupOf(const QAction& action) {
    if (const QMenu* menu = menuAbove(action)) return plainText(*menu->menuAction());
    return action.property(Actions::kWindow).isValid() ? tr("Reports") : tr("In panes and lists");
}

/// The documents of docs/, whose links lead on; those to the web are opened by the desktop.
class GuideBrowser : public QTextBrowser {
public:
    GuideBrowser() {
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

}  // namespace

QDialog* makeGuideWindow(QWidget* parent) {
    auto* text = made(new GuideBrowser, {.id = "guide-text"});
    QDialog* dialog = makeWindow("guide-window", tr("User's guide"), {kGuideWidth, kGuideHeight}, text, parent);
    auto* back = dialog->findChild<QDialogButtonBox*>()->addButton(tr("Back"), QDialogButtonBox::ActionRole);
    back->setEnabled(false);
    QObject::connect(text, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    QObject::connect(back, &QPushButton::clicked, text, &QTextBrowser::backward);
    return dialog;
}

QDialog* makeHelpWindow(const QList<QAction*>& actions, const QString& whyNoGpu, QWidget* parent) {
    std::vector<std::pair<QString, QString>> groups;
    const auto row = [&groups](const QString& group, const QString& keys, const QString& what) {
        auto at = std::ranges::find(groups, group, &std::pair<QString, QString>::first);
        if (at == groups.end()) at = groups.insert(groups.end(), {group, {}});
        at->second +=
            QStringLiteral("<tr><td style='padding-bottom: %3px; padding-right: %4px'><b>%1</b></td><td>%2</td></tr>")
                .arg(keys.toHtmlEscaped(), what.toHtmlEscaped())
                .arg(int(kBelow))
                .arg(int(kBeside));
    };
    for (const QAction* action : actions)
        if (const QVariant keys = action->property("sheetKeys"); keys.isValid()) {
            if (!keys.toString().isEmpty())
                row(groupOf(*action), keys.toString(), action->property("sheetText").toString());
        } else if (!action->shortcut().isEmpty())
            row(groupOf(*action), QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                plainText(*action));
    const QString panes = tr("In panes and lists");
    row(panes, tr("Shift, held"), tr("Show the reference in every pane"));
    row(panes, tr("Wheel"), tr("Zoom about the cursor"));
    row(panes, tr("Drag, arrows"), tr("Move the picture"));
    row(panes, tr("Ctrl+arrows"), tr("Move the inspected pixel"));
    row(panes, tr("Double click, Enter"), tr("One pane, or all again"));
    row(panes, tr("Space"), tr("Check or uncheck a variant in the list"));
    QString html = QStringLiteral("<h3>%1</h3>").arg(tr("Keys"));
    for (const auto& [group, rows] : groups)
        html += QStringLiteral("<h4>%1</h4><table cellspacing='0' cellpadding='0'>%2</table>")
                    .arg(group.toHtmlEscaped(), rows);
    const auto answer = [&html](const QString& question, const QString& text) {
        html += QStringLiteral("<h3>%1</h3><p>%2</p>").arg(question, text);
    };
    answer(tr("Why does no variant win on the CPU?"),
           (whyNoGpu.isEmpty() ? QString() : whyNoGpu.toHtmlEscaped() + ' ') +
               tr("The CPU device runs the same kernels with CUDA's rules, so results are checked exactly as on a GPU. "
                  "Its times "
                  "order the variants differently from a GPU, for it has no warps, no shared memory and no coalescing "
                  "to gain from. "
                  "So they are shown in grey, and no variant is called faster."));
    answer(tr("What does unverified mean?"), tr("The picture is there, but has not been compared with the "
                                                "double-precision reference yet. Its time appears when it has."));
    answer(tr("What do the letters mean?"), tr("M was measured in this run, C was counted, m comes from a "
                                               "formula, R was reported by the driver, "
                                               "r was recorded earlier on the device named beside it."));
    answer(tr("Are pictures changed by opening them?"), tr("Filters work on the stored values; there is no gamma "
                                                           "change. Range, zoom and colours are for looking only."));
    return makeWindow("help-window", tr("Keys and answers"), {kHelpWidth, kHelpHeight}, html, parent);
}

QDialog* makeTermsWindow(QWidget* parent) {
    const QString note =
        tr("The variants opencl_... and acc_... are some of ours in these languages: the page Why sets each source "
           "beside CUDA's. What an entry means may differ in details; a worker and a vector lane are a warp and a "
           "thread as compilers map them to NVIDIA's GPUs.");
    return makeWindow("words-window", tr("CUDA terms in other languages"), {kTermsWidth, kTermsHeight},
                      QStringLiteral("<p>%1</p>%2").arg(note.toHtmlEscaped(), tableOfWords()), parent);
}

QDialog* makeGlossary(QWidget* parent) {
    QString html;
    for (const LessonWord& word : allWords())
        html += QStringLiteral("<p><b>%1</b>: %2.</p>").arg(word.word.toHtmlEscaped(), word.meaning.toHtmlEscaped());
    return makeWindow("glossary-window", tr("Glossary"), {kGlossaryWidth, kTermsHeight}, html, parent);
}

QDialog* makeAboutWindow(QWidget* parent) {
    auto* text =
        made(new QLabel(tr("<h3>Warplens %1</h3><p>Shows what a CUDA optimisation does to your picture.</p>"
                           "<p>Apache License 2.0. Uses Qt %2 under the LGPL, OpenCV, oneTBB, Boost, and the fonts "
                           "Noto Sans and JetBrains Mono under the SIL Open Font License.</p>")
                            .arg(QStringLiteral(WARPLENS_VERSION), QString::fromUtf8(qVersion()))),
             {.wraps = true});
    text->setFixedWidth(kAboutWidth);
    QDialog* dialog = makeWindow("about-window", tr("About Warplens"), text, parent);
    // As high as the text needs at its width; a window's own first size stops at two thirds of the screen.
    dialog->layout()->setSizeConstraint(QLayout::SetFixedSize);
    return dialog;
}

}  // namespace warplens::gui
