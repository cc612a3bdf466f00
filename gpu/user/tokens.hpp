// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace warplens::gpu::user {

struct Token {
    std::string text;
    int line = 0;
};

/// Whether a name may hold it.
bool isWord(char c);
/// Words, numbers and single characters of C++; comments, literals and preprocessor lines are left out.
std::vector<Token> tokensOf(const std::string& text);

}  // namespace warplens::gpu::user
