// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme/fonts.hpp"

#include "gui/kit/theme/metrics.hpp"

#include <QFontDatabase>
#include <cmath>

// Outside any namespace, as the macro declares a function; the static library would drop the resource otherwise.
static void initialiseFontResource() { Q_INIT_RESOURCE(fonts); }

namespace warplens::gui {

namespace {

int pixelsOf(TextSize size) {
    switch (size) {
        case TextSize::caption: return 12;
        case TextSize::body:
        case TextSize::title: return 13;
        case TextSize::sentence: return 16;
        case TextSize::figure: return 19;
    }
    return 13;
}

QFont sans(int pixels, bool bold) {
    QFont f(QStringLiteral("Noto Sans"));
    f.setStyleHint(QFont::SansSerif);
    f.setPixelSize(static_cast<int>(std::lround(pixels * typeScale())));
    f.setBold(bold);
    return f;
}

}  // namespace

bool loadFonts() {
    static const bool loaded = [] {
        initialiseFontResource();
        bool all = true;
        for (const char* name : {"NotoSans-Regular", "NotoSans-Bold", "JetBrainsMono-Regular"}) {
            all = QFontDatabase::addApplicationFont(
                      QStringLiteral(":/warplens/fonts/%1.ttf").arg(QLatin1String(name))) >= 0 &&
                  all;
        }
        return all;
    }();
    return loaded;
}

QFont textFont(TextSize size) { return sans(pixelsOf(size), size == TextSize::title); }

QFont boldFont(TextSize size) { return sans(pixelsOf(size), true); }

QFont projectorFont(TextSize size) {
    QFont f = sans(pixelsOf(size), size == TextSize::title);
    f.setPixelSize(pixelsOf(size) * 8 / 5 + 1);
    return f;
}

QFont sourceFont(int pixels) {
    QFont f(QStringLiteral("JetBrains Mono"));
    f.setStyleHint(QFont::Monospace);
    f.setFixedPitch(true);
    f.setPixelSize(static_cast<int>(std::lround(pixels * typeScale())));
    // Ligatures would draw >= as one sign; a reader of kernels wants the characters.
    f.setStyleStrategy(QFont::PreferNoShaping);
    f.setKerning(false);
    return f;
}

}  // namespace warplens::gui
