// SPDX-License-Identifier: Apache-2.0
#include "gui/reports/kept_comparisons.hpp"

#include "gpu/history/earlier.hpp"

#include <QSettings>

namespace warplens::gui {

namespace {

const QString kKeep = QStringLiteral("history/keep");

}  // namespace

KeptComparisons::KeptComparisons(RunControl& control, Results& results, Activity& activity, QSettings& settings,
                                 QObject* parent)
    : QObject(parent), m_results(results), m_activity(activity), m_settings(settings) {
    connect(&control, &RunControl::compared, this, &KeptComparisons::keep);
    connect(&results, &Results::changed, this, [this] {
        if (m_results.report() == nullptr) setSlower({});
    });
}

bool KeptComparisons::keeping() const { return m_settings.value(kKeep, true).toBool(); }
void KeptComparisons::setKeeping(bool on) { m_settings.setValue(kKeep, on); }

QString KeptComparisons::refusal() const {
    if (!gpu::history::enabled()) return tr("Nothing is kept: WARPLENS_HISTORY switches the history off.");
    if (gpu::history::defaultFile().empty()) return tr("History is off: set XDG_DATA_HOME or HOME.");
    return {};
}

void KeptComparisons::keep() {
    const gpu::Report* report = m_results.report();
    setSlower({});
    if (report == nullptr || report->interrupted || report->runs.empty() || !keeping() || !refusal().isEmpty()) return;
    with(
        this,
        [report = *report](gpu::history::Store& store) {
            const auto slower = gpu::history::slowerThanBefore(report, store.alike(report));
            store.add(report);
            return std::pair(report.environment.date + report.input.hash,
                             QString::fromStdString(gpu::history::sentenceOf(slower)));
        },
        [this](const std::pair<std::string, QString>& kept) {
            // Only of the comparison that is still shown.
            const gpu::Report* now = m_results.report();
            if (now != nullptr && now->environment.date + now->input.hash == kept.first) setSlower(kept.second);
            emit added();
        });
}

void KeptComparisons::setSlower(const QString& sentence) {
    if (m_slower == sentence) return;
    m_slower = sentence;
    emit slowerChanged();
}

void KeptComparisons::tell(const std::vector<std::string>& notices, const JobContext& context) {
    for (const std::string& notice : notices)
        context.deliver([this, words = QString::fromStdString(notice)] { m_activity.report(words); });
}

}  // namespace warplens::gui
