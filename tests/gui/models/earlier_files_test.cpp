// SPDX-License-Identifier: Apache-2.0
// Sessions and recipes as the version before wrote them, with every field away from its default.
#include "gpu/core/error.hpp"
#include "gpu/recipe/file.hpp"
#include "gui/session/session_state.hpp"
#include "tests/support/temporary_folder.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

using gpu::recipe::Source;

const std::string kFolder = std::string(WARPLENS_SOURCE_DIR) + "/tests/gui/models/earlier/";

QByteArray textOf(const char* name) { return QByteArray::fromStdString(test::readText(kFolder + name)); }

gpu::recipe::Step smooth() {
    return {.name = "smooth",
            .family = "convolution",
            .parameters = {{"filter", std::string("gaussian")},
                           {"normalise", true},
                           {"radius", std::int64_t{3}},
                           {"sigma", 1.5}},
            .variant = "naive"};
}

gpu::recipe::Step median(bool on) {
    return {.family = "rank",
            .parameters = {{"radius", std::int64_t{2}}},
            .input = {Source::Kind::input, {}, {}},
            .on = on};
}

TEST(FilesOfTheVersionBefore, ASessionIsRead) {
    const SessionDocument read = parseSession(textOf("session.warplens"), QStringLiteral("/folder/session.warplens"));
    SessionDocument whole;
    whole.input = QStringLiteral("/folder/pictures/camera.tif");
    whole.name = QStringLiteral("equalised");
    whole.choice = {2, QStringLiteral("1.2.840.10008.1"), true};
    whole.hash = QStringLiteral("fnv1a64w:91583ba03585c865");
    whole.family = QStringLiteral("convolution");
    whole.current = QStringLiteral("tiled_output@block_width=16");
    whole.baseline = QStringLiteral("naive");
    whole.reference = QStringLiteral("constant");
    whole.device = QStringLiteral("cuda:0,cuda:1");
    whole.page = QStringLiteral("volume");
    whole.halos = QStringLiteral("peer");
    whole.families["convolution"] = {
        {{"filter", QStringLiteral("file:/folder/weights.csv")}, {"radius", QStringLiteral("3")}},
        {QStringLiteral("naive"), QStringLiteral("tiled_output@block_width=16")},
        {QStringLiteral("tiled_output@block_width=16")}};
    whole.recipe.steps = {smooth(), median(false)};
    whole.at = 1;
    whole.mask = QStringLiteral("/folder/session.warplens.mask.png");
    whole.view = QJsonDocument::fromJson(textOf("session.warplens")).object()["view"].toObject();
    EXPECT_EQ(whole.view["panes"].toInt(), 4);
    whole.snapshots = {
        {.key = QStringLiteral("snapshot-3"),
         .family = QStringLiteral("convolution"),
         .variant = QStringLiteral("naive"),
         .madeOf = QStringLiteral("camera.tif, radius 4"),
         .path = QStringLiteral("/folder/session.warplens.snapshot-3-89abcdef.npy"),
         .hash = QStringLiteral("fnv1a64w:0123456789abcdef"),
         .status = QStringLiteral("wrong"),
         .reason = QStringLiteral("2 values differ"),
         .verification = {{"bound", 0.5}, {"checked_share", 1}, {"max_abs_error", 3}, {"mismatches", 2}}}};
    EXPECT_EQ(read, whole);
}

/// All that is left when a field, or one within it, is taken out; the path says which.
void withoutEach(const QJsonValue& value, const QString& path,
                 const std::function<void(const QJsonValue&, const QString&)>& then) {
    if (value.isArray()) {
        for (int i = 0; i < value.toArray().size(); ++i)
            withoutEach(value[i], path + QStringLiteral("[%1]").arg(i), [&](const QJsonValue& less, const QString& at) {
                QJsonArray all = value.toArray();
                all[i] = less;
                then(all, at);
            });
    }
    const QJsonObject object = value.toObject();
    for (const QString& key : object.keys()) {
        const QString at = path + QLatin1Char('/') + key;
        QJsonObject all = object;
        all.remove(key);
        then(all, at);
        withoutEach(object[key], at, [&](const QJsonValue& less, const QString& within) {
            all[key] = less;
            then(all, within);
        });
    }
}

TEST(FilesOfTheVersionBefore, NoFieldOfASessionIsPassedOver) {
    const QJsonObject whole = QJsonDocument::fromJson(textOf("session.warplens")).object();
    const QString path = QStringLiteral("/folder/session.warplens");
    const SessionDocument read = parseSession(textOf("session.warplens"), path);
    int fields = 0;
    withoutEach(whole, {}, [&](const QJsonValue& less, const QString& at) {
        // Who wrote it is for people; a step that names no variant takes the tuning's.
        if (at == "/warplens" || at == "/recipe/steps[1]/variant") return;
        ++fields;
        try {
            EXPECT_NE(parseSession(QJsonDocument(less.toObject()).toJson(), path), read) << at.toStdString();
        } catch (const std::exception&) {
            // Refused without it: it was asked for.
        }
    });
    EXPECT_GT(fields, 60);
}

TEST(FilesOfTheVersionBefore, ARecipeIsRead) {
    const gpu::recipe::Recipe read = gpu::recipe::parse(textOf("recipe.json").toStdString(), "recipe.json", "/folder");
    ASSERT_EQ(read.steps.size(), 4U);
    EXPECT_EQ(read.steps[0], smooth());
    EXPECT_EQ(read.steps[1], (gpu::recipe::Step{.family = "convolution",
                                                .parameters = {{"filter", std::string("/folder/weights.csv")}},
                                                .input = {Source::Kind::file, "/folder/pictures/camera.tif", {}},
                                                .variant = "tiled_output@block_width=16",
                                                .on = false}));
    EXPECT_EQ(read.steps[2], (gpu::recipe::Step{.family = "sparse",
                                                .parameters = {{"task", std::string("inpaint")}},
                                                .pictures = {{"mask", {Source::Kind::file, "/folder/mask.png", {}}}},
                                                .input = {Source::Kind::step, "smooth", {}}}));
    EXPECT_EQ(read.steps[3], median(true));
    EXPECT_EQ(gpu::recipe::toJson(read, "/folder"), textOf("recipe.json").toStdString()) << "and written so";
}

}  // namespace
}  // namespace warplens::gui
