// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/lesson_words.hpp"

#include "gpu/lessons/measure.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace warplens::gui {

namespace {

struct Entry {
    const char* forms;  ///< a regular expression of whole words
    const char* meaning;
    const char* word = nullptr;  ///< null: the forms without "s?"
};

QString wordOf(const Entry& entry) {
    if (entry.word != nullptr) return QCoreApplication::translate("LessonWords", entry.word);
    return QString::fromLatin1(entry.forms).chopped(2);
}

// Each meaning builds on C alone, or on words that have an entry themselves.
constexpr Entry kEntries[] = {
    {"kernels?", QT_TRANSLATE_NOOP("LessonWords", "a function that runs on the GPU, once for each of its threads")},
    {"threads?",
     QT_TRANSLATE_NOOP("LessonWords",
                       "one execution of the kernel with an index of its own; it mostly computes one pixel or cell")},
    {"blocks?",
     QT_TRANSLATE_NOOP("LessonWords", "some hundred threads that can wait for each other and share a small memory")},
    {"launch(es)?", QT_TRANSLATE_NOOP("LessonWords", "starting a kernel from the program"), "launch"},
    {"streams?", QT_TRANSLATE_NOOP("LessonWords",
                                   "a queue of copies and kernels that the GPU does in their order; several streams "
                                   "may overlap")},
    {"page-locked",
     QT_TRANSLATE_NOOP(
         "LessonWords",
         "memory of the host that is never paged out, so that the GPU can copy it by itself; also pinned"),
     "page-locked memory"},
    {"warps?", QT_TRANSLATE_NOOP("LessonWords",
                                 "32 threads of a block that go through the code together, one instruction at a time")},
    {"lanes?", QT_TRANSLATE_NOOP("LessonWords", "one of the 32 threads of a warp")},
    {"requests?", QT_TRANSLATE_NOOP("LessonWords", "one load or store of a whole warp")},
    {"sectors?",
     QT_TRANSLATE_NOOP("LessonWords",
                       "32 contiguous bytes; memory is accessed in whole sectors, however few bytes of one are used")},
    {"coalesc(ing|ed)",
     QT_TRANSLATE_NOOP(
         "LessonWords",
         "neighbouring lanes of a warp accessing neighbouring addresses, so that few sectors serve them all"),
     "coalescing"},
    {"global memory",
     QT_TRANSLATE_NOOP("LessonWords",
                       "the GPU's own large memory, where the picture lies; far away and slow to answer"),
     "global memory"},
    {"shared memory",
     QT_TRANSLATE_NOOP("LessonWords", "a small fast memory that each block has for itself; its threads fill it"),
     "shared memory"},
    {"banks?",
     QT_TRANSLATE_NOOP(
         "LessonWords",
         "the 32 parts of shared memory; a bank delivers one word per wavefront, so lanes that access two "
         "words of one bank need two wavefronts: a bank conflict"),
     "banks"},
    {"wavefronts?",
     QT_TRANSLATE_NOOP("LessonWords", "what shared memory delivers in one cycle; bank conflicts add wavefronts")},
    {"constant memory",
     QT_TRANSLATE_NOOP("LessonWords",
                       "a small read-only memory, which gives all lanes of a warp the same word at once"),
     "constant memory"},
    {"registers?",
     QT_TRANSLATE_NOOP("LessonWords",
                       "where a thread keeps its local variables; the fastest storage, private to the thread")},
    {"barriers?", QT_TRANSLATE_NOOP("LessonWords", "a line at which the threads of a block wait until all are there")},
    {"stag(e|es|ed|ing)",
     QT_TRANSLATE_NOOP("LessonWords", "to copy from global into shared memory, before the threads of a block use it"),
     "to stage"},
    {"coarsen(ed|ing)", QT_TRANSLATE_NOOP("LessonWords", "of a kernel: each thread does the work of several"),
     "coarsened"},
    {"tiles?", QT_TRANSLATE_NOOP("LessonWords", "the rectangle of the picture that a block loads or computes")},
    {"halo", QT_TRANSLATE_NOOP("LessonWords", "the pixels around a tile that its outermost results also need"), "halo"},
    {"filters?",
     QT_TRANSLATE_NOOP("LessonWords", "a weighted sum of the pixels around each pixel, which makes a new picture")},
    {"radius", QT_TRANSLATE_NOOP("LessonWords", "how far a filter reaches: with radius 2 a result needs 5 × 5 pixels"),
     "radius"},
    {"multiprocessors?",
     QT_TRANSLATE_NOOP("LessonWords", "one of the GPU's many processors; several blocks are resident on it at a time")},
    {"atomics?",
     QT_TRANSLATE_NOOP("LessonWords",
                       "an update that no other thread can interrupt; those to one address are serialised")},
    {"gradients?", QT_TRANSLATE_NOOP("LessonWords", "a picture that brightens evenly from one side to the other")},
    {"bins?", QT_TRANSLATE_NOOP("LessonWords", "a counter of the histogram: how many pixels have a certain value")},
    {"cells?", QT_TRANSLATE_NOOP("LessonWords", "one value of a volume, as a pixel is one of a picture")},
    {"slices?", QT_TRANSLATE_NOOP("LessonWords", "a layer of a volume, one cell thick")},
    {"stencils?",
     QT_TRANSLATE_NOOP("LessonWords", "a rule that computes each cell again from its neighbours, step after step")},
    {"diverg(e|es|ed|ing|ent|ence)",
     QT_TRANSLATE_NOOP("LessonWords", "lanes of a warp taking different branches; the warp walks through both"),
     "divergence"},
};

QString textOf(const gpu::Lesson& lesson) {
    QStringList parts{QString::fromStdString(lesson.title)};
    for (const std::string& paragraph : lesson.text) parts << QString::fromStdString(paragraph);
    parts << QString::fromStdString(lesson.question);
    for (const gpu::LessonAnswer& answer : lesson.answers) parts << QString::fromStdString(answer.text);
    for (const std::string& paragraph : lesson.explanation) parts << QString::fromStdString(paragraph);
    for (const gpu::LessonMeasure& measure : lesson.measures)
        parts << QString::fromUtf8(gpu::figureOf(measure.figure)->name);
    return parts.join(QStringLiteral(" | "));
}

}  // namespace

std::vector<LessonWord> allWords() {
    std::vector<LessonWord> words;
    for (const Entry& entry : kEntries)
        words.push_back({wordOf(entry), QCoreApplication::translate("LessonWords", entry.meaning)});
    std::ranges::sort(words, {}, &LessonWord::word);
    return words;
}

std::vector<LessonWord> wordsOf(const gpu::Lesson& lesson) { return wordsOf(textOf(lesson)); }

std::vector<LessonWord> wordsOf(const QString& text) {
    std::vector<std::pair<qsizetype, const Entry*>> found;
    for (const Entry& entry : kEntries) {
        const QRegularExpression whole(QStringLiteral("\\b(%1)\\b").arg(QLatin1String(entry.forms)),
                                       QRegularExpression::CaseInsensitiveOption);
        if (const auto match = whole.match(text); match.hasMatch()) found.emplace_back(match.capturedStart(), &entry);
    }
    std::ranges::sort(found);
    std::vector<LessonWord> words;
    for (const auto& [at, entry] : found)
        words.push_back({wordOf(*entry), QCoreApplication::translate("LessonWords", entry->meaning)});
    return words;
}

}  // namespace warplens::gui
