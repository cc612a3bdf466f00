// SPDX-License-Identifier: Apache-2.0
#include "app/cli/list_tables.hpp"

#include "app/cli/exit_status.hpp"
#include "app/cli/family_options.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/report/fields.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/text_table.hpp"
#include "io/format.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <variant>

namespace warplens::cli {

namespace {

using gpu::fields::Json;
constexpr const char* kFamilyHead = "Family";

/// Rows for people and objects for scripts, made side by side.
struct Listing {
    explicit Listing(std::initializer_list<const char*> heads) {
        for (const char* head : heads) addColumn(head);
    }
    void addColumn(const std::string& head) { table.columns.push_back({head, {}, false}); }

    /// Throws ArgumentError where rows belong to no family.
    void keepFamily(const std::string& what, const std::string& family) {
        const bool byFamily =
            !table.columns.empty() && table.columns.front().title == kFamilyHead && what != "families";
        if (!byFamily) throw ArgumentError("list " + what + " " + family + ": has no rows by family: leave it out");
        std::erase_if(table.rows, [&](const auto& row) { return row.front() != family; });
        Json kept = Json::array();
        for (Json& object : objects)
            if (object.at("family") == family) kept.push_back(std::move(object));
        objects = std::move(kept);
    }

    gpu::TextTable table{};
    Json objects = Json::array();
};

Listing families() {
    Listing list{"Family", "Title"};
    for (const gpu::Family* family : gpu::families()) {
        list.table.rows.push_back({family->id(), family->title()});
        list.objects.push_back({{"id", family->id()}, {"title", family->title()}});
    }
    return list;
}

Json tunablesOf(const gpu::Variant& variant) {
    Json all = Json::array();
    for (const gpu::Tunable& tunable : variant.tunables) {
        all.push_back({{"id", tunable.id},
                       {"default", tunable.fallback},
                       {"minimum", tunable.minimum},
                       {"maximum", tunable.maximum},
                       {"choices", tunable.choices},
                       {"help", tunable.help}});
    }
    return all;
}

Listing variants() {
    Listing list{kFamilyHead, "Variant", "Idea", "Changed from", "Kind", "Tunables"};
    for (const gpu::Family* family : gpu::families()) {
        for (const gpu::Variant& variant : family->variants()) {
            std::string tunables;
            for (const gpu::Tunable& tunable : variant.tunables)
                tunables += (tunables.empty() ? "" : ", ") + tunable.id;
            const std::string kind = gpu::nameOf(variant.kind);
            const bool kernel = variant.kind == gpu::Variant::Kind::kernel;
            list.table.rows.push_back({family->id(), variant.id, variant.sentence, variant.predecessor,
                                       kernel ? kind : kind + " on " + gpu::nameOf(variant.devices), tunables});
            list.objects.push_back({{"family", family->id()},
                                    {"id", variant.id},
                                    {"title", variant.title},
                                    {"kind", kind},
                                    {"devices", gpu::nameOf(variant.devices)},
                                    {"dims", variant.dimensions},
                                    {"predecessor", gpu::fields::textOrNull(variant.predecessor)},
                                    {"idea", gpu::nameOf(variant.idea)},
                                    {"sentence", variant.sentence},
                                    {"range", variant.range},
                                    {"citation", variant.citation},
                                    {"source", gpu::fields::textOrNull(variant.source)},
                                    {"tunables", tunablesOf(variant)}});
        }
    }
    return list;
}

const char* typeName(gpu::Parameter::Type type) {
    switch (type) {
        case gpu::Parameter::Type::integer: return "integer";
        case gpu::Parameter::Type::real: return "real";
        case gpu::Parameter::Type::flag: return "flag";
        case gpu::Parameter::Type::choice: return "choice";
        case gpu::Parameter::Type::text: return "text";
        case gpu::Parameter::Type::picture: return "picture";
    }
    return "";
}

Listing parameters() {
    Listing list{kFamilyHead, "Option", "Value", "Meaning"};
    for (const gpu::Family* family : gpu::families()) {
        for (const gpu::Parameter& parameter : family->parameters()) {
            const bool number =
                parameter.type == gpu::Parameter::Type::integer || parameter.type == gpu::Parameter::Type::real;
            list.table.rows.push_back({family->id(), "--" + parameter.id, describe(parameter), parameter.help});
            list.objects.push_back({{"family", family->id()},
                                    {"id", parameter.id},
                                    {"title", parameter.title},
                                    {"type", typeName(parameter.type)},
                                    {"default", gpu::fields::toJson(parameter.fallback)},
                                    {"minimum", number ? Json(parameter.minimum) : Json(nullptr)},
                                    {"maximum", number ? Json(parameter.maximum) : Json(nullptr)},
                                    {"unit", gpu::fields::textOrNull(parameter.unit)},
                                    {"choices", parameter.choices},
                                    {"open", parameter.open},
                                    {"help", parameter.help}});
        }
    }
    return list;
}

std::string joined(const std::vector<const char*>& names, const std::string& before) {
    std::string text;
    for (const char* name : names) text += (text.empty() ? "" : " ") + before + name;
    return text;
}

Listing formats() {
    Listing list{"Format", "Names", "Read only", "Written from", "Volumes", "Note"};
    for (const io::Format& format : io::formats()) {
        std::vector<const char*> types;
        for (const io::PixelType type : format.writes) types.push_back(io::nameOf(type));
        std::vector<const char*> readOnly = format.readAs, written = format.extensions;
        if (types.empty()) readOnly.swap(written);
        list.table.rows.push_back({format.title, joined(written, "."), joined(readOnly, "."), joined(types, ""),
                                   format.volumes ? "yes" : "no", format.note});
        list.objects.push_back({{"id", format.id},
                                {"title", format.title},
                                {"extensions", format.extensions},
                                {"read_as", format.readAs},
                                {"mime_types", format.mimeTypes},
                                {"magic", format.magic},
                                {"writes", types},
                                {"volumes", format.volumes},
                                {"geometry", format.geometry},
                                {"note", gpu::fields::textOrNull(format.note)}});
    }
    return list;
}

using Value = gpu::NameList::Value;

std::string forPeople(const Value& value) {
    if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value)) return gpu::threeDigits(*number);
    return std::get<std::string>(value);
}

Json forScripts(const Value& value) {
    if (const auto* number = std::get_if<double>(&value)) return gpu::fields::number(*number);
    return std::visit([](const auto& v) { return Json(v); }, value);
}

Listing listingOf(const gpu::NameList& names) {
    Listing list{};
    for (const auto& column : names.columns) list.addColumn(column.title);
    for (const auto& values : names.rows()) {
        std::vector<std::string> cells;
        Json object = Json::object();
        auto value = values.begin();
        for (const auto& column : names.columns) {
            std::string cell;
            for (const std::string& id : column.ids) {
                cell += (cell.empty() ? "" : " \u00d7 ") + forPeople(*value);
                object[id] = forScripts(*value++);
            }
            cells.push_back(std::move(cell));
        }
        list.table.rows.push_back(std::move(cells));
        list.objects.push_back(std::move(object));
    }
    return list;
}

/// By name, in the order of help: what every program has, then what the families call by name.
const std::vector<std::pair<std::string, std::function<Listing()>>>& listings() {
    static const auto all = [] {
        std::vector<std::pair<std::string, std::function<Listing()>>> list{
            {"families", families}, {"variants", variants}, {"parameters", parameters}, {"formats", formats}};
        for (const gpu::Family* family : gpu::families())
            for (const gpu::NameList& names : family->lists())
                list.emplace_back(names.id, [names] { return listingOf(names); });
        return list;
    }();
    return all;
}

}  // namespace

const std::vector<std::string>& listNames() {
    static const auto names = [] {
        std::vector<std::string> list;
        for (const auto& listing : listings()) list.push_back(listing.first);
        return list;
    }();
    return names;
}

std::string listOf(const std::string& what, const std::string& family, ListFormat format, std::size_t width) {
    const auto found = std::ranges::find(listings(), what, [](const auto& listing) { return listing.first; });
    if (found == listings().end()) throw std::out_of_range("no list " + what);
    Listing list = found->second();
    if (!family.empty()) list.keepFamily(what, gpu::familyOf(family).id());
    switch (format) {
        case ListFormat::json: return list.objects.dump(2) + "\n";
        case ListFormat::markdown: return gpu::markdownTable(list.table);
        case ListFormat::text: break;
    }
    return list.table.rows.empty() ? "This version has no " + what + ".\n" : gpu::alignedRows(list.table, width);
}

}  // namespace warplens::cli
