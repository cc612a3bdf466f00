// SPDX-License-Identifier: Apache-2.0
#include "app/window/interactive_report.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace warplens::app {

namespace {

using Event = InteractiveReport::Event;

/// A figure of every event: its key in JSON, its name on a terminal.
struct Figure {
    const char* key;
    const char* name;
    std::function<double(const Event&)> of;
};

const std::vector<Figure>& figures() {
    static const std::vector<Figure> all{
        {"event_to_picture_ms", "event to picture", [](const Event& e) { return e.total; }},
        {"kernel_ms", "kernel", [](const Event& e) { return e.kernel; }},
        {"transfer_ms", "transfer", [](const Event& e) { return e.transfer; }},
        {"display_ms", "display", [](const Event& e) { return e.colour + e.paint; }},
        {"colour_ms", "  colours, on the device", [](const Event& e) { return e.colour; }},
        {"paint_ms", "  painting the pane", [](const Event& e) { return e.paint; }},
        {"answer_ms", "answering the event", [](const Event& e) { return e.answer; }},
        {"rest_ms", "queues, launches, window",
         [](const Event& e) { return e.total - e.answer - e.kernel - e.transfer - e.colour - e.paint; }}};
    return all;
}

/// The value that `share` of all events do not exceed.
double quantile(const std::vector<Event>& events, const std::function<double(const Event&)>& of, double share) {
    std::vector<double> values;
    for (const Event& event : events) values.push_back(of(event));
    std::ranges::sort(values);
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

QString textOf(const InteractiveReport& report) {
    QString text = QStringLiteral("%1: %2, %3 on %4 (%5)\n")
                       .arg(report.input, QString::fromStdString(report.family.id),
                            QString::fromStdString(report.family.moved->words),
                            QString::fromStdString(report.device.name), QString::fromStdString(report.device.id));
    for (const InteractiveReport::Slider& slider : report.sliders) {
        text +=
            QStringLiteral("%1 events of the %2 slider after %3 to warm up; %4; %5 x %6 pixels seen; measured, ms\n")
                .arg(slider.events.size())
                .arg(slider.parameter)
                .arg(report.warmUps)
                .arg(slider.variant)
                .arg(slider.seen.width())
                .arg(slider.seen.height());
        text += QStringLiteral("%1%2%3\n").arg(QString(), -26).arg("median", 9).arg("p95", 9);
        for (const Figure& figure : figures())
            text += QStringLiteral("%1%2%3\n")
                        .arg(QString::fromLatin1(figure.name), -26)
                        .arg(quantile(slider.events, figure.of, 0.5), 9, 'f', 3)
                        .arg(quantile(slider.events, figure.of, 0.95), 9, 'f', 3);
    }
    return text;
}

bool reportWritable(const QString& path) {
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly);  // without a commit nothing stays
}

bool writeReport(const InteractiveReport& report, const QString& path) {
    QJsonArray sliders;
    for (const InteractiveReport::Slider& slider : report.sliders) {
        QJsonObject times;
        for (const Figure& figure : figures())
            times[QLatin1String(figure.key)] = QJsonObject{{"median", quantile(slider.events, figure.of, 0.5)},
                                                           {"p95", quantile(slider.events, figure.of, 0.95)}};
        sliders.append(
            QJsonObject{{"parameter", slider.parameter},
                        {"variant", slider.variant},
                        {"pixels_seen", QJsonObject{{"width", slider.seen.width()}, {"height", slider.seen.height()}}},
                        {"events", static_cast<int>(slider.events.size())},
                        {"times", times}});
    }
    const QJsonObject document{{"warplens", QStringLiteral(WARPLENS_VERSION)},
                               {"input", report.input},
                               {"family", QString::fromStdString(report.family.id)},
                               {"device", QJsonObject{{"id", QString::fromStdString(report.device.id)},
                                                      {"name", QString::fromStdString(report.device.name)},
                                                      {"kind", QLatin1String(gpu::nameOf(report.device.kind))}}},
                               {"warm_ups", report.warmUps},
                               {"origin", "measured"},
                               {"sliders", sliders}};
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(document).toJson()) >= 0 && file.commit();
}

}  // namespace warplens::app
