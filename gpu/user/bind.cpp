// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/bind.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>
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

/// Names that a kernel may use, each with the number or the floats behind it.
struct Offer {
    std::string name{};
    double number = 0;
    std::vector<float> floats{};
    bool pointer = false;
};

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
            offers.push_back({one.name, 0, *floats, true});
        else if (const auto* real = std::get_if<double>(&one.value))
            add(one.name, *real);
        else
            add(one.name, static_cast<double>(std::get<std::int64_t>(one.value)));
    }
    for (const Parameter& parameter : parameters)
        if (const auto number = numberOf(parameter, parameters, values)) add(parameter.id, *number);
    for (const auto& [id, value] : tunables) add(id, value);
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

Binding bind(const KernelSource& source, const PlainTask& task, const std::vector<Parameter>& parameters,
             const ParameterValues& values, const TunableValues& tunables) {
    if (!task.refusal.empty())
        throw Error(Error::Kind::unsupported,
                    source.file + ": one launch on plain pointers cannot do it: " + task.refusal);
    const std::string where = source.file + ":" + std::to_string(source.line) + ": " + source.kernel + ": ";
    const auto refuse = [&](const std::string& why) { throw Error(Error::Kind::argument, where + why); };
    const auto offers = offersOf(task, parameters, values, tunables);
    Binding binding;
    bool all = false, in = false, out = false;
    for (const KernelParameter& parameter : source.parameters) {
        Slot slot;
        const auto& [type, name] = parameter;
        const auto takes = [&](const std::string& needed, const char* alias) {
            if (type != needed && type != alias)
                refuse(name + " is a '" + needed + "' here (or " + alias + "), not a '" + type + "'");
        };
        if (name == "in" || name == "input") {
            takes(std::string("const ") + typeNameOf(task.input->type()) + "*", "const pixel_t*");
            slot.kind = Slot::Kind::input;
            in = true;
        } else if (name == "out" || name == "output") {
            takes(std::string(typeNameOf(task.outputType)) + "*", "result_t*");
            slot.kind = Slot::Kind::output;
            out = true;
        } else {
            const auto offer = std::ranges::find(offers, name, &Offer::name);
            if (offer == offers.end()) {
                std::string names = "in, out";
                for (const Offer& one : offers) names += ", " + one.name;
                refuse("there is no '" + name + "' here: a parameter is one of " + names);
            }
            if (offer->pointer) {
                takes("const float*", "const float*");
                slot.kind = Slot::Kind::floats;
                slot.floats = offer->floats;
            } else if (const auto bits = bitsOf(type, offer->number)) {
                slot.bits = *bits;
            } else {
                refuse(name + " is a number: declare it int, float, double, bool or unsigned, not '" + type + "'");
            }
            all = all || name == "channels";
        }
        binding.slots.push_back(std::move(slot));
    }
    if (!in || !out)
        refuse(std::string("it needs a parameter ") + (in ? "out" : "in") + " to " + (in ? "write to" : "read from"));
    const auto of = [&](const char* id) {
        const auto found = tunables.find(id);
        return found == tunables.end() ? 1 : found->second;
    };
    const int width = of("block_width"), height = of("block_height");
    if (width * height > 1024)
        throw Error(Error::Kind::unsupported, source.file + ": a block of " + std::to_string(width) + " x " +
                                                  std::to_string(height) +
                                                  " has more than 1,024 threads: set block_width and block_height");
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
