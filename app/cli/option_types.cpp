// SPDX-License-Identifier: Apache-2.0
#include "app/cli/option_types.hpp"

#include "gpu/device/device_names.hpp"

#include <string>

namespace warplens::cli {

CLI::Option* namesFile(CLI::Option* option, const char* type) {
    const auto named = [](const std::string& text) {
        return text.empty() ? std::string("the name is empty; give one, or leave the option out") : std::string();
    };
    return option->type_name(type)->check(CLI::Validator(named, ""));
}

CLI::Option* takesDevice(CLI::App& command, std::string& device, bool several) {
    const std::string one = "Where kernels run: cpu, cuda, cuda:N or a UUID; default: the first GPU, else cpu";
    if (several)
        return command.add_option("--device", device,
                                  one + "; several with commas between them, or cuda:all, share the work");
    const auto single = [name = command.get_name()](const std::string& given) {
        if (!gpu::namesSeveral(given)) return std::string();
        return "'" + given + "': " + name + " works on one device: name one";
    };
    return command.add_option("--device", device, one)->check(CLI::Validator(single, ""));
}

CLI::Option* takesSeconds(CLI::Option* option, double least, double most) {
    // CLI::Range lets NaN pass, which is neither below nor above anything.
    const auto within = [=](const std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return std::string();
        return "'" + text + "': give seconds from " + CLI::detail::to_string(least) + " to " +
               CLI::detail::to_string(most);
    };
    return option->type_name("S")->check(CLI::Validator(within, ""));
}

}  // namespace warplens::cli
