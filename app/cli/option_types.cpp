// SPDX-License-Identifier: Apache-2.0
#include "app/cli/option_types.hpp"

#include <string>

namespace warplens::cli {

CLI::Option* namesFile(CLI::Option* option, const char* type) {
    const auto named = [](const std::string& text) {
        return text.empty() ? std::string("the name is empty; give one, or leave the option out") : std::string();
    };
    return option->type_name(type)->check(CLI::Validator(named, ""));
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
