// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/lesson_words.hpp"

#include "gpu/lessons/measure.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <map>

namespace warplens::gui {

namespace {

struct Entry {
    QRegularExpression whole;  ///< any form of the word
    LessonWord word;
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = [] {
        QFile file(QStringLiteral(":/warplens/controls/glossary.json"));
        std::vector<Entry> read;
        if (!file.open(QIODevice::ReadOnly)) return read;
        for (const QJsonValue& one : QJsonDocument::fromJson(file.readAll()).array())
            read.push_back({QRegularExpression(QStringLiteral("\\b(%1)\\b").arg(one[QLatin1String("forms")].toString()),
                                               QRegularExpression::CaseInsensitiveOption),
                            {one[QLatin1String("word")].toString(), one[QLatin1String("meaning")].toString()}});
        return read;
    }();
    return all;
}

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
    for (const Entry& entry : entries()) words.push_back(entry.word);
    std::ranges::sort(words, [](const LessonWord& a, const LessonWord& b) {
        return a.word.compare(b.word, Qt::CaseInsensitive) < 0;
    });
    return words;
}

std::vector<LessonWord> wordsOf(const gpu::Lesson& lesson) { return wordsOf(textOf(lesson)); }

std::vector<LessonWord> wordsOf(const QString& text) {
    std::map<qsizetype, std::vector<LessonWord>> found;
    for (const Entry& entry : entries())
        if (const auto match = entry.whole.match(text); match.hasMatch())
            found[match.capturedStart()].push_back(entry.word);
    std::vector<LessonWord> words;
    for (const auto& [at, here] : found) words.insert(words.end(), here.begin(), here.end());
    return words;
}

}  // namespace warplens::gui
