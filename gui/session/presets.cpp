// SPDX-License-Identifier: Apache-2.0
#include "gui/session/presets.hpp"

#include "gpu/core/registry.hpp"
#include "gui/session/samples.hpp"
#include "io/error.hpp"
#include "io/write.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <filesystem>
#include <span>

namespace warplens::gui {

namespace {
constexpr int kSchema = 1;
constexpr qint64 kMostBytes = 1 << 20;
}  // namespace

QString Preset::apply(ParameterState& parameters) const {
    QString refused;
    for (const gpu::Parameter& parameter : parameters.parameters()) {
        if (parameter.type == gpu::Parameter::Type::picture) continue;  // a preset holds no files
        QString why;
        const auto value = values.find(parameter.id);
        const bool taken = value == values.end() ? parameters.set(parameter.id, parameter.fallback, &why)
                                                 : parameters.setText(parameter.id, value->second, &why);
        if (!taken && refused.isEmpty()) refused = Presets::tr("Preset %1: %2").arg(name, why);
    }
    return refused;
}

bool Preset::matches(const ParameterState& parameters) const {
    return std::ranges::all_of(parameters.parameters(), [&](const gpu::Parameter& parameter) {
        if (parameter.type == gpu::Parameter::Type::picture) return true;
        const auto value = values.find(parameter.id);
        if (value == values.end()) return parameters.isDefault(parameter.id);
        return QString::fromStdString(gpu::format(parameters.value(parameter.id))) == value->second;
    });
}

Presets::Presets(const QString& path, QObject* parent) : QObject(parent), m_path(path) {
    const QString shipped = resourceFolder(QStringLiteral("families"));
    for (const gpu::Family* family : gpu::families()) {
        const QString file = shipped + u'/' + QString::fromStdString(family->id()) + QStringLiteral("/presets.json");
        if (QFileInfo::exists(file)) read(file, true);
    }
    if (QFileInfo::exists(path)) read(path, false);
}

void Presets::read(const QString& path, bool shipped) {
    QFile file(path);
    QJsonParseError error{};
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMostBytes) {
        m_problems << tr("%1: the presets cannot be read; check the file.").arg(path);
        return;
    }
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
    if (error.error != QJsonParseError::NoError || document.object().value(u"schema").toInt() != kSchema) {
        m_problems << tr("%1: these are no presets of this version; move the file away.").arg(path);
        return;
    }
    const QJsonObject families = document.object().value(u"families").toObject();
    for (auto family = families.begin(); family != families.end(); ++family) {
        for (const QJsonValue& entry : family.value().toArray()) {
            Preset preset{entry[u"name"].toString(), shipped, {}};
            const QJsonObject values = entry[u"values"].toObject();
            for (auto value = values.begin(); value != values.end(); ++value)
                preset.values[value.key().toStdString()] = value.value().toVariant().toString();  // numbers as well
            if (!preset.name.isEmpty()) m_presets[family.key().toStdString()].push_back(std::move(preset));
        }
    }
}

std::vector<Preset> Presets::of(const gpu::Family& family) const {
    const auto at = m_presets.find(family.id());
    if (at == m_presets.end()) return {};
    std::vector<Preset> sorted = at->second;
    std::ranges::stable_sort(sorted, [](const Preset& a, const Preset& b) {
        return a.shipped != b.shipped ? a.shipped : a.name.localeAwareCompare(b.name) < 0;
    });
    return sorted;
}

QString Presets::save(const QString& name, const ParameterState& parameters) {
    if (name.trimmed().isEmpty()) return tr("A preset needs a name.");
    Preset preset{name.trimmed(), false, {}};
    for (const gpu::Parameter& parameter : parameters.parameters())
        if (parameter.type != gpu::Parameter::Type::picture && !parameters.isDefault(parameter.id))
            preset.values[parameter.id] = QString::fromStdString(gpu::format(parameters.value(parameter.id)));
    auto& list = m_presets[parameters.family()->id()];
    std::erase_if(list, [&](const Preset& p) { return !p.shipped && p.name == preset.name; });
    list.push_back(std::move(preset));
    return write();
}

QString Presets::remove(const gpu::Family& family, const QString& name) {
    const auto gone =
        std::erase_if(m_presets[family.id()], [&](const Preset& p) { return !p.shipped && p.name == name; });
    return gone == 0 ? tr("%1 came with the program and stays.").arg(name) : write();
}

QString Presets::rename(const gpu::Family& family, const QString& from, const QString& to) {
    auto& list = m_presets[family.id()];
    const auto own = [&](const QString& name) {
        return std::ranges::find_if(list, [&](const Preset& p) { return !p.shipped && p.name == name; });
    };
    if (to.trimmed().isEmpty()) return tr("A preset needs a name.");
    if (own(from) == list.end()) return tr("%1 came with the program and stays.").arg(from);
    if (to != from && own(to.trimmed()) != list.end())
        return tr("There already is a preset called %1.").arg(to.trimmed());
    own(from)->name = to.trimmed();
    return write();
}

QString Presets::write() {
    QJsonObject families;
    for (const auto& [family, list] : m_presets) {
        QJsonArray entries;
        for (const Preset& preset : list) {
            if (preset.shipped) continue;
            QJsonObject values;
            for (const auto& [id, value] : preset.values) values[QString::fromStdString(id)] = value;
            entries << QJsonObject{{"name", preset.name}, {"values", values}};
        }
        if (!entries.isEmpty()) families[QString::fromStdString(family)] = entries;
    }
    const QByteArray text = QJsonDocument(QJsonObject{{"schema", kSchema}, {"families", families}}).toJson();
    emit changed();
    try {
        QDir().mkpath(QFileInfo(m_path).absolutePath());
        io::writeFileAtomically(std::filesystem::path(m_path.toStdString()),
                                std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size()))));
    } catch (const io::Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

}  // namespace warplens::gui
