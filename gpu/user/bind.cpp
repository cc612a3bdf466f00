// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/bind.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace warplens::gpu::user {
namespace {

/// A number as each type has it, or nothing.
std::optional<std::uint64_t> bitsOf(const std::string& type, double value) {
    const auto bits = [](auto number) {
        std::uint64_t all = 0;
        std::memcpy(&all, &number, sizeof number);
        return all;
    };
    if (type == "unsigned char") return bits(static_cast<unsigned char>(value));
    if (type == "unsigned short") return bits(static_cast<unsigned short>(value));
    if (type == "int") return bits(static_cast<int>(value));
    if (type == "unsigned int") return bits(static_cast<unsigned>(value));
    if (type == "long long" || type == "int64_t") return bits(static_cast<long long>(value));
    if (type == "size_t" || type == "unsigned long long") return bits(static_cast<unsigned long long>(value));
    if (type == "float") return bits(static_cast<float>(value));
    if (type == "double") return bits(value);
    if (type == "bool") return bits(value != 0);
    return std::nullopt;
}

/// A parameter's value as a kernel gets it; a choice as its place in the list. Nothing for texts and pictures.
std::optional<double> numberOf(const Parameter& parameter, const std::vector<Parameter>& all,
                               const ParameterValues& values) {
    Parameter::Value value = valueOf(all, values, parameter.id);
    if (!values.contains(parameter.id) && parameter.follows != nullptr) value = parameter.follows(values);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || parameter.choices.empty()) return std::nullopt;
    const auto found = std::ranges::find(parameter.choices, *text);
    if (found == parameter.choices.end()) return std::nullopt;
    return static_cast<double>(found - parameter.choices.begin());
}

/// Names that a kernel may use, each with the number or the words behind it.
struct Offer {
    std::string name{};
    double number = 0;
    Slot::Kind kind = Slot::Kind::value;
    std::string pointer{};  ///< its type
    std::vector<std::uint32_t> words{};
};

template <class T>
std::vector<std::uint32_t> wordsOf(const std::vector<T>& values) {
    std::vector<std::uint32_t> words;
    for (const T value : values) words.push_back(std::bit_cast<std::uint32_t>(value));
    return words;
}

std::vector<Offer> offersOf(const PlainTask& task, const std::vector<Parameter>& parameters,
                            const ParameterValues& values, const TunableValues& tunables) {
    std::vector<Offer> offers;
    const auto add = [&](std::string name, double number) {
        std::ranges::replace(name, '-', '_');
        if (std::ranges::find(offers, name, &Offer::name) == offers.end()) offers.push_back({std::move(name), number});
    };
    add("width", task.width);
    add("height", task.height);
    add("channels", task.planes);
    add("pitch", task.width);
    add("output_width", task.outputWidth);
    add("output_height", task.outputHeight);
    for (const PlainArgument& one : task.arguments) {
        if (const auto* floats = std::get_if<std::vector<float>>(&one.value))
            offers.push_back({one.name, 0, Slot::Kind::words, "const float*", wordsOf(*floats)});
        else if (const auto* integers = std::get_if<std::vector<std::int32_t>>(&one.value))
            offers.push_back({one.name, 0, Slot::Kind::words, "const int*", wordsOf(*integers)});
        else if (const auto* real = std::get_if<double>(&one.value))
            add(one.name, *real);
        else
            add(one.name, static_cast<double>(std::get<std::int64_t>(one.value)));
    }
    for (const Parameter& parameter : parameters)
        if (const auto number = numberOf(parameter, parameters, values)) add(parameter.id, *number);
    for (const auto& [id, value] : tunables) add(id, value);
    if (!task.repeat) return offers;
    offers.push_back({"from", 0, Slot::Kind::before, "const result_t*", {}});
    offers.push_back({"changed", 0, Slot::Kind::changed, "int*", {}});
    offers.push_back({"step", 0, Slot::Kind::step, {}, {}});
    if (!task.repeat->frontier) return offers;
    offers.push_back({"frontier", 0, Slot::Kind::frontier, "const int*", {}});
    offers.push_back({"frontier_size", 0, Slot::Kind::frontierSize, {}, {}});
    offers.push_back({"next", 0, Slot::Kind::next, "int*", {}});
    return offers;
}

unsigned blocksOf(int extent, int tile) { return static_cast<unsigned>((extent + tile - 1) / tile); }

}  // namespace

const char* typeNameOf(io::PixelType type) {
    switch (type) {
        case io::PixelType::u8: return "unsigned char";
        case io::PixelType::u16: return "unsigned short";
        case io::PixelType::u32: return "unsigned int";
        case io::PixelType::i32: return "int";
        default: return "float";
    }
}

bool Binding::has(Slot::Kind kind) const { return std::ranges::find(slots, kind, &Slot::kind) != slots.end(); }

namespace {

/// Binds the parameters of one kernel.
class Binder {
public:
    Binder(const KernelSource& source, const PlainTask& task, std::vector<Offer> offers)
        : m_source(source), m_task(task), m_offers(std::move(offers)) {}

    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(Error::Kind::argument,
                    m_source.file + ":" + std::to_string(m_source.line) + ": " + m_source.kernel + ": " + why);
    }

    Slot slotOf(const KernelParameter& parameter) const {
        const auto& [type, name] = parameter;
        const std::string pixels = std::string("const ") + typeNameOf(m_task.input->type()) + "*",
                          results = std::string(typeNameOf(m_task.outputType)) + "*";
        if (name == "in" || name == "input") {
            need(parameter, pixels, "const pixel_t*");
            return {.kind = Slot::Kind::input};
        }
        if (name == "out" || name == "output") {
            need(parameter, results, "result_t*");
            return {.kind = Slot::Kind::output};
        }
        const auto offer = std::ranges::find(m_offers, name, &Offer::name);
        if (offer == m_offers.end()) {
            std::string names = "in, out";
            for (const Offer& one : m_offers) names += ", " + one.name;
            refuse("there is no '" + name + "' here: a parameter is one of " + names);
        }
        Slot slot{.kind = offer->kind, .words = offer->words};
        if (slot.kind == Slot::Kind::before) {
            need(parameter, "const " + results, offer->pointer);
        } else if (!offer->pointer.empty()) {
            need(parameter, offer->pointer, offer->pointer);
        } else if (slot.kind != Slot::Kind::value) {
            need(parameter, "int", "int");
        } else if (const auto bits = bitsOf(spelledOut(type), offer->number)) {
            slot.bits = *bits;
        } else {
            refuse(name + " is a number: declare it int, float, double, bool or unsigned, not '" + type + "'");
        }
        return slot;
    }

private:
    /// What stands for the picture's own types may be a number's as well.
    std::string spelledOut(const std::string& type) const {
        return type == "pixel_t"    ? typeNameOf(m_task.input->type())
               : type == "result_t" ? typeNameOf(m_task.outputType)
                                    : type;
    }
    void need(const KernelParameter& parameter, const std::string& type, const std::string& alias) const {
        if (parameter.type != type && parameter.type != alias)
            refuse(parameter.name + " is a '" + type + "' here" + (type == alias ? "" : " (or " + alias + ")") +
                   ", not a '" + parameter.type + "'");
    }

    const KernelSource& m_source;
    const PlainTask& m_task;
    std::vector<Offer> m_offers;
};

}  // namespace

Binding bind(const KernelSource& source, const PlainTask& task, const std::vector<Parameter>& parameters,
             const ParameterValues& values, const TunableValues& tunables) {
    if (!task.refusal.empty())
        throw Error(Error::Kind::unsupported,
                    source.file + ": a kernel on plain pointers cannot do it: " + task.refusal);
    const Binder binder(source, task, offersOf(task, parameters, values, tunables));
    Binding binding;
    bool all = false;
    for (const KernelParameter& parameter : source.parameters) {
        binding.slots.push_back(binder.slotOf(parameter));
        all = all || parameter.name == "channels";
    }
    const bool out = binding.has(Slot::Kind::output);
    if (!out || (!task.repeat && !binding.has(Slot::Kind::input)))
        binder.refuse(std::string("it needs a parameter ") + (out ? "in" : "out") + " to " +
                      (out ? "read from" : "write to"));
    binding.repeated = binding.has(Slot::Kind::changed);
    binding.listed = binding.has(Slot::Kind::frontier);
    if (binding.has(Slot::Kind::next) && !binding.repeated)
        binder.refuse("next is filled by places that changed counts: it needs a parameter changed (int*)");
    if (binding.listed && binding.repeated && !binding.has(Slot::Kind::next))
        binder.refuse("the next launch takes its frontier from next: it needs a parameter next (int*)");
    const auto of = [&](const char* id) {
        const auto found = tunables.find(id);
        return found == tunables.end() ? 1 : found->second;
    };
    const int width = of("block_width"), height = of("block_height");
    if (width * height > 1024)
        throw Error(Error::Kind::unsupported, source.file + ": a block of " + std::to_string(width) + " x " +
                                                  std::to_string(height) +
                                                  " has more than 1,024 threads: set block_width and block_height");
    if (binding.listed && height > 1)
        binder.refuse("a frontier is one row of threads: declare '// tunable block_height = 1 (1)'");
    binding.block = {static_cast<unsigned>(width), static_cast<unsigned>(height), 1};
    binding.grid = {blocksOf(task.threadsOfInput ? task.width : task.outputWidth, width * of("columns_per_thread")),
                    blocksOf(task.threadsOfInput ? task.height : task.outputHeight, height * of("rows_per_thread")), 1};
    binding.launches = all ? 1 : task.planes;
    return binding;
}

std::vector<Offered> offeredNames(const PlainTask& task, const std::vector<Parameter>& parameters,
                                  const ParameterValues& values) {
    std::vector<Offered> names;
    for (const Offer& offer : offersOf(task, parameters, values, {})) names.push_back({offer.name, offer.pointer});
    return names;
}

std::string prologueOf(const KernelSource& source, const PlainTask& task, const TunableValues& tunables) {
    std::string text = std::string("using pixel_t = ") + typeNameOf(task.input->type()) +
                       ";\nusing result_t = " + typeNameOf(task.outputType) + ";\n";
    for (const std::string& id : source.declared)
        text += "constexpr int " + id + " = " + std::to_string(tunables.at(id)) + ";\n";
    return text;
}

std::string callerOf(const KernelSource& source) {
    std::string call, types;
    for (std::size_t i = 0; i < source.parameters.size(); ++i) {
        const std::string between = i > 0 ? ", " : "", &type = source.parameters[i].type;
        call += between + "*static_cast<" + type + "*>(arguments[" + std::to_string(i) + "])";
        types += between + type;
    }
    // Of what may have several functions by its name.
    const std::string address = "static_cast<void (*)(" + types + ")>(&" + source.kernel + ")";
    return std::string("extern \"C\" __attribute__((no_sanitize_thread, no_sanitize_coverage)) void ") + kCaller +
           "(void* const* arguments) { " + source.kernel + "(" + call + "); }\nextern \"C\" void* const " + kAddress +
           " = reinterpret_cast<void*>(" + address + ");\n";
}

}  // namespace warplens::gpu::user
