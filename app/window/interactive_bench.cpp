// SPDX-License-Identifier: Apache-2.0
#include "app/window/interactive_bench.hpp"

#include "app/window/interactive_report.hpp"
#include "gpu/core/registry.hpp"
#include "gui/compare/compare_page.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/window/page_stack.hpp"

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QSlider>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

namespace warplens::app {

namespace {

constexpr int kWarmUps = 10, kEvents = 100;
/// Between a picture and the next event: less than what the window takes for a rest.
constexpr int kPauseMs = 5;
constexpr int kPatienceMs = 30'000;

double since(const QElapsedTimer& clock) { return static_cast<double>(clock.nsecsElapsed()) * 1e-6; }

/// One bench: waits for the input, sends events, follows their pictures. Lives as long as the window.
class Bench : public QObject {
public:
    Bench(gui::MainWindow& window, const gpu::Family& family, QString report)
        : QObject(&window),
          m_window(window),
          m_session(window.session()),
          m_family(family),
          m_reportFile(std::move(report)) {
        m_report.family = m_family.info();
        m_patience.setSingleShot(true);
        m_patience.setInterval(kPatienceMs);
        connect(&m_patience, &QTimer::timeout, this, [this] { fail(4, tr("no picture came within 30 seconds")); });
        m_look.setInterval(20);
        connect(&m_look, &QTimer::timeout, this, &Bench::look);
        connect(&m_session.preview().frames(), &gui::LiveFrames::drawn, this, [this](const gui::LiveFrame& frame) {
            if (frame.preview.computed) m_preview = frame.preview;
        });
        connect(&m_session.preview(), &gui::LivePreview::painted, this, &Bench::painted);
        m_look.start();
        m_patience.start();
    }

private:
    enum class Stage { opening, choosing, settling, moving, checking };

    /// The present values' verified result is there.
    bool settled() const {
        const gpu::RunRecord* record = m_session.results().of(m_session.request().current());
        return record != nullptr && !m_session.results().stale(m_session.request().current()) &&
               !m_session.activity().busy() && (record->verification || record->status != gpu::Status::ok);
    }

    void look() {
        if (m_stage == Stage::opening && !m_session.document().empty() && m_session.devices().chosen() != nullptr) {
            m_stage = Stage::choosing;
            m_report.input = m_session.document().input();
            m_report.device = *m_session.devices().chosen();
            m_report.warmUps = kWarmUps;
            m_session.request().setFamily(m_family);
            showOnePane();
            // The form of the family that was there goes first: its sliders may have the same names.
            QTimer::singleShot(0, this, [this] { begin(); });
        } else if (m_stage == Stage::settling && settled()) {
            fillPane();
            m_stage = Stage::moving;
            send();
        } else if (m_stage == Stage::moving && m_waiting && settled()) {
            // On a busy machine the slider seems to rest and the whole result overtakes its frame: no picture to time.
            if (++m_overtaken > kEvents) return fail(4, tr("the machine is too busy to see a slider move"));
            --m_sent;
            send();
        } else if (m_stage == Stage::checking && settled()) {
            const gpu::RunRecord& record = *m_session.results().of(m_session.request().current());
            if (record.status != gpu::Status::ok)
                return fail(
                    1, QString::fromStdString(record.id() + ", " + gpu::nameOf(record.status) + ": " + record.reason));
            if (m_report.sliders.size() == m_moved.sliders.size()) return finish();
            begin();
        }
    }

    /// As somebody does who looks at a result closely: one pane, and nothing but the sliders beside it.
    void showOnePane() {
        m_window.pages()->setCurrent(m_window.pages()->page(QStringLiteral("compare")));
        page()->setPaneCount(1);
        for (const char* dock : {"results-dock", "source-dock"})
            m_window.findChild<QDockWidget*>(QLatin1String(dock))->hide();
    }

    /// Every pixel of the pane shows the picture, however its sides compare.
    void fillPane() {
        gui::ViewState& view = *page()->panes()->viewState();
        const QSizeF pane = page()->panes()->pane(0)->view()->size();
        const QSizeF picture = view.pictureSize();
        view.fit();
        view.setZoom(std::max(pane.width() / picture.width(), pane.height() / picture.height()));
    }

    gui::ComparePage* page() const { return m_window.findChild<gui::ComparePage*>(); }

    /// From the same values with every slider.
    void begin() {
        m_stage = Stage::settling;
        for (const auto& [id, value] : m_moved.from) m_session.parameters().set(id, value);
        const QString parameter = QString::fromStdString(m_moved.sliders[m_report.sliders.size()].parameter);
        m_slider = m_window.findChild<QSlider*>(parameter + QStringLiteral("-slider"));
        m_slider->setFocus();
        m_report.sliders.push_back({parameter, {}, {}, {}});
        m_sent = 0;
        m_patience.start();
    }

    void send() {
        m_patience.start();
        m_preview.reset();
        m_waiting = true;
        const bool up = m_sent / m_moved.sliders[m_report.sliders.size() - 1].steps % 2 == 0;
        ++m_sent;
        m_clock.start();
        for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
            QKeyEvent key(type, up ? Qt::Key_Right : Qt::Key_Left, Qt::NoModifier);
            QApplication::sendEvent(m_slider, &key);
            if (type == QEvent::KeyPress) m_answerMs = since(m_clock);
        }
    }

    void painted(double paintMs) {
        if (!m_waiting || !m_preview) return;
        m_waiting = false;
        // What else the same turn of the event loop paints belongs to the picture as well.
        QMetaObject::invokeMethod(
            this,
            [this, paintMs] {
                const double total = since(m_clock);
                const gpu::Preview& preview = *m_preview;
                const double upload = *preview.record.uploadMs + *preview.record.layoutMs;
                InteractiveReport::Slider& slider = m_report.sliders.back();
                if (m_sent > kWarmUps)
                    slider.events.push_back({total, m_answerMs, preview.record.time->medianMs,
                                             preview.seen->transferMs + upload, preview.seen->colourMs, paintMs});
                slider.variant = QString::fromStdString(preview.record.id());
                slider.seen = QSize(preview.seen->width, preview.seen->height);
                if (m_sent < kWarmUps + kEvents)
                    return QTimer::singleShot(kPauseMs, Qt::PreciseTimer, this, [this] { send(); });
                m_stage = Stage::checking;
                m_patience.start();
            },
            Qt::QueuedConnection);
    }

    void finish() {
        m_look.stop();
        m_patience.stop();
        std::fputs(qPrintable(textOf(m_report)), stdout);
        std::fflush(stdout);
        if (!m_reportFile.isEmpty() && !writeReport(m_report, m_reportFile))
            return fail(3, tr("%1 could not be written; choose another name or folder").arg(m_reportFile));
        QApplication::exit(0);
    }

    void fail(int status, const QString& why) {
        m_look.stop();
        m_patience.stop();
        const QString notice = m_session.activity().noticeIsError()
                                   ? QStringLiteral(" (") + m_session.activity().notice() + u')'
                                   : QString();
        std::fprintf(stderr, "warplens: --bench-interactive: %s%s.\n", qPrintable(why), qPrintable(notice));
        QApplication::exit(status);
    }

    gui::MainWindow& m_window;
    gui::CompareSession& m_session;
    const gpu::Family& m_family;
    const gpu::SliderBenchmark& m_moved = *m_family.info().moved;
    QString m_reportFile;
    Stage m_stage = Stage::opening;
    QTimer m_look, m_patience;
    QSlider* m_slider = nullptr;
    QElapsedTimer m_clock;
    std::optional<gpu::Preview> m_preview;
    bool m_waiting = false;
    int m_sent = 0, m_overtaken = 0;
    double m_answerMs = 0;
    InteractiveReport m_report;
};

}  // namespace

void openBenchInput(gui::MainWindow& window) {
    QObject::connect(
        &window.session().devices(), &gui::DeviceChoice::changed, &window,
        [&window] {
            const bool cuda = window.session().devices().ranking();
            window.openInput(cuda ? "gen:noise:4096x4096:f32" : "gen:noise:512x512:f32");
        },
        Qt::SingleShotConnection);
}

const gpu::Family* benchFamily(const QString& id) {
    const auto& all = gpu::families();
    const auto found = std::ranges::find_if(all, [&](const gpu::Family* family) {
        return family->info().moved && (id.isEmpty() || family->id() == id.toStdString());
    });
    return found == all.end() ? nullptr : *found;
}

QString benchFamilies() {
    QStringList ids;
    for (const gpu::Family* family : gpu::families())
        if (family->info().moved) ids << QString::fromStdString(family->id());
    return ids.join(QStringLiteral(", "));
}

void benchInteractive(gui::MainWindow& window, const gpu::Family& family, const QString& report) {
    new Bench(window, family, report);
}

}  // namespace warplens::app
