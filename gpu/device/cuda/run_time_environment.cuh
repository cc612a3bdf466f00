// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first where a kernel is compiled on the spot (nvrtc.hpp), by a compiler without a standard library: of that,
// and of the host's side of the program, what the files of kernels name. Their launchers are read and never called.

namespace std {

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;
using uintptr_t = unsigned long long;

template <class T, T V>
struct integral_constant {
    static constexpr T value = V;
};
template <class A, class B>
constexpr bool is_same_v = false;
template <class A>
constexpr bool is_same_v<A, A> = true;
template <class T>
struct remove_reference {
    using type = T;
};
template <class T>
struct remove_reference<T&> {
    using type = T;
};
template <class T>
struct remove_reference<T&&> {
    using type = T;
};
template <class T>
constexpr T&& forward(typename remove_reference<T>::type& value) {
    return static_cast<T&&>(value);
}
template <class T>
constexpr typename remove_reference<T>::type&& move(T&& value) {
    return static_cast<typename remove_reference<T>::type&&>(value);
}

template <class T>
constexpr const T& min(const T& a, const T& b) {
    return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
    return a < b ? b : a;
}
template <class T>
constexpr const T& clamp(const T& value, const T& least, const T& most) {
    return value < least ? least : most < value ? most : value;
}

template <size_t... I>
struct index_sequence {};
template <size_t N, size_t... I>
struct IndicesUpTo : IndicesUpTo<N - 1, N - 1, I...> {};
template <size_t... I>
struct IndicesUpTo<0, I...> {
    using type = index_sequence<I...>;
};
template <size_t N>
using make_index_sequence = typename IndicesUpTo<N>::type;

template <class T>
struct vector {
    const T* data() const;
    size_t size() const;
};
struct logic_error {
    explicit logic_error(const char*);
};

}  // namespace std

namespace warplens::gpu {

struct LaunchContext {
    void* address(std::uint64_t handle) const;
};
struct TunableValues {
    int at(const char* id) const;
};
struct CodeNeeds {
    int capability = 0;
    const void* (*kernel)() = nullptr;
};
struct Special {
    const char *family = nullptr, *file = nullptr, *kernel = nullptr, *type = "";
    int numbers[3]{};
    std::size_t count = 0;
    const char *output = "", *refusal = "";
    const std::vector<float>* weights = nullptr;
    Special with(int number) const;
};

inline namespace WARPLENS_BUILD {

template <class... P, class... A>
void launch(LaunchContext&, void (*)(P...), dim3, dim3, std::size_t, A...);
template <class F, class... A>
bool launchSpecial(LaunchContext&, const Special&, dim3, dim3, std::size_t, A...);
template <class T, std::size_t N>
void setConstant(LaunchContext&, T (&)[N], const char*, const T*, std::size_t);

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
