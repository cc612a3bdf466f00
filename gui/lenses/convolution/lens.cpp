// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gpu/families/convolution/filter.hpp"
#include "gui/lenses/convolution/filter_panel.hpp"
#include "io/error.hpp"

#include <QCoreApplication>
#include <QFile>

namespace warplens::gui {

namespace {

constexpr qint64 kMatrixBytes = 1 << 20;

/// A matrix from a text or CSV file as the custom filter. Throws gpu::Error(argument) naming row and column, or
/// io::Error.
NewValues readMatrix(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw io::Error(io::Error::Kind::unreadable,
                        path.toStdString() + ": " + file.errorString().toStdString() + "; check the name.");
    const QByteArray text = file.read(kMatrixBytes + 1);
    if (text.size() > kMatrixBytes)
        throw io::Error(io::Error::Kind::limit,
                        path.toStdString() + ": larger than any filter can be; choose a file with a matrix.");
    gpu::convolution::parseMatrix(text.toStdString(), path.toStdString());
    const QString rows = QString::fromUtf8(text.trimmed())
                             .replace(QStringLiteral("\r\n"), QStringLiteral("\n"))
                             .replace('\n', QStringLiteral("; "));
    // The matrix first: a custom filter without one is none.
    return {{"matrix", rows.toStdString()}, {"filter", std::string("custom")}};
}

/// The filter as its matrix, and matrices from files.
class ConvolutionLens : public Lens {
    Q_DECLARE_TR_FUNCTIONS(ConvolutionLens)
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse& refuse, QWidget* parent) const override {
        auto* filter = new FilterPanel(request.parameters(), parent);
        QObject::connect(filter, &FilterPanel::refused, parent, refuse);
        return {{"filter", filter}};
    }

    std::vector<ValuesFile> valuesFiles() const override {
        return {{.action = "open-matrix",
                 .text = tr("Open filter &matrix..."),
                 .title = tr("Open a filter matrix"),
                 .key = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                 .filters = {tr("Text and CSV (*.csv *.txt)"), tr("All files (*)")},
                 .read = readMatrix}};
    }
};

}  // namespace

namespace lenses {

const Lens& convolution() {
    static const ConvolutionLens lens;
    return lens;
}

}  // namespace lenses

}  // namespace warplens::gui
