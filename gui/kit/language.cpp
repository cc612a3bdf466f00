// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/language.hpp"

#include <QCoreApplication>
#include <QTranslator>

// The resource lies in a static library; its initialiser is outside every namespace.
static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace warplens::gui {

void useLanguage(const QString& code) {
    static QTranslator translator;
    initTranslations();
    QCoreApplication::removeTranslator(&translator);
    if (code == QStringLiteral("de") && translator.load(QStringLiteral(":/translations/warplens_de.qm")))
        QCoreApplication::installTranslator(&translator);
}

}  // namespace warplens::gui
