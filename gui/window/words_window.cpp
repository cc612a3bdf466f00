// SPDX-License-Identifier: Apache-2.0
#include "gui/window/words_window.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/lesson_words.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace warplens::gui {

namespace {

constexpr Length kTermsWidth{1080}, kGlossaryWidth{560}, kTermsHeight{680}, kAround{4};

/// What it is, then its name in CUDA, OpenCL, OpenACC, HIP and HSA. A row of one text is a heading.
struct Words {
    const char* what;
    const char *cuda = nullptr, *openCl = nullptr, *openAcc = nullptr, *hip = nullptr, *hsa = nullptr;
};

#define WHAT(text) QT_TRANSLATE_NOOP("warplens::gui::WordsWindow", text)
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
        const QString what = QCoreApplication::translate("warplens::gui::WordsWindow", words.what).toHtmlEscaped();
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

}  // namespace

WordsWindow::WordsWindow(const char* name, const QString& title, QSize size, const QString& html, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QString::fromUtf8(name));
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    // The frame has to fit on the screen that the window fills.
    constexpr QSize kFrame(32, 56);
    resize(parent != nullptr ? size.boundedTo(parent->window()->size() - kFrame) : size);
    auto* text = made(new QTextBrowser(this), {.name = title});
    text->setHtml(html);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text);
    column->addWidget(buttons);
}

WordsWindow* WordsWindow::ofOtherLanguages(QWidget* parent) {
    const QString note =
        tr("The variants opencl_... and acc_... are some of ours in these languages: the page Why sets each source "
           "beside CUDA's. What an entry means may differ in details; a worker and a vector lane are a warp and a "
           "thread as compilers map them to NVIDIA's GPUs.");
    return new WordsWindow("words-window", tr("CUDA terms in other languages"), {kTermsWidth, kTermsHeight},
                           QStringLiteral("<p>%1</p>%2").arg(note.toHtmlEscaped(), tableOfWords()), parent);
}

WordsWindow* WordsWindow::glossary(QWidget* parent) {
    QString html;
    for (const LessonWord& word : allWords())
        html += QStringLiteral("<p><b>%1</b>: %2.</p>").arg(word.word.toHtmlEscaped(), word.meaning.toHtmlEscaped());
    return new WordsWindow("glossary-window", tr("Glossary"), {kGlossaryWidth, kTermsHeight}, html, parent);
}

}  // namespace warplens::gui
