// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/task_key.hpp"

#include "gpu/core/fnv.hpp"
#include "gpu/run/rows.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace warplens::gpu {
namespace {

/// What is told apart, word by word.
class KeyBuilder {
public:
    void add(std::string_view text) { (m_all += text) += '\0'; }
    void add(std::int64_t value) { add(std::to_string(value)); }
    void add(const std::byte* bytes, std::size_t count) { m_all.append(reinterpret_cast<const char*>(bytes), count); }
    std::string key() const {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(fnv1a(m_all)));
        return digits;
    }

private:
    std::string m_all;
};

void addShape(KeyBuilder& words, const io::Grid& grid) {
    const io::Shape& shape = grid.shape();
    for (const std::int64_t extent : {shape.width, shape.height, shape.depth, std::int64_t{shape.channels}})
        words.add(extent);
    words.add(io::nameOf(grid.type()));
}

/// Some values, spread evenly.
void addValues(KeyBuilder& words, const io::Grid& grid) {
    constexpr std::size_t kValues = 4096;
    const std::size_t size = io::sizeOf(grid.type()), values = grid.bytes() / size;
    for (std::size_t i = 0; i < std::min(kValues, values); ++i) {
        const std::size_t at = values <= kValues ? i : i * (values / kValues) + i % (values / kValues);
        words.add(grid.data() + at * size, size);
    }
}

}  // namespace

std::string taskKey(const Family& family, const ParameterValues& parameters, const io::Grid& input,
                    const TunableValues& wanted, std::int64_t memoryCap) {
    KeyBuilder words;
    words.add(family.id());
    const auto addPicture = [&](const io::Grid& grid) {
        addShape(words, grid);
        if (family.info().valuesMatter) addValues(words, grid);
    };
    addPicture(input);
    for (const auto& [id, value] : withDefaults(family, parameters)) {
        words.add(id);
        const auto* picture = std::get_if<std::shared_ptr<const NamedGrid>>(&value);
        if (picture == nullptr)
            words.add(format(value));
        else if (*picture != nullptr && (*picture)->grid != nullptr)
            addPicture(*(*picture)->grid);
        else
            words.add("none");
    }
    for (const auto& [id, value] : wanted) {
        words.add(id);
        words.add(std::int64_t{value});
    }
    words.add(memoryCap);
    return words.key();
}

}  // namespace warplens::gpu
