// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first where a kernel is compiled on the spot (nvrtc.hpp), by a compiler without a standard library: of that,
// and of the host's side of the program, what the files of kernels name. Their launchers are read and never called.

#define INT_MAX 0x7fffffff
#define FLT_MAX 3.402823466e38F
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fc00000)

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
template <bool B>
using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <class T>
constexpr bool is_floating_point_v = is_same_v<T, float> || is_same_v<T, double>;
template <class T>
constexpr bool is_integral_v = !is_floating_point_v<T>;
template <class T>
constexpr bool is_unsigned_v = T(-1) > T(0);
template <class T>
constexpr bool is_signed_v = !is_unsigned_v<T>;
template <bool B, class T, class F>
struct conditional {
    using type = T;
};
template <class T, class F>
struct conditional<false, T, F> {
    using type = F;
};
template <bool B, class T, class F>
using conditional_t = typename conditional<B, T, F>::type;
template <class T>
struct remove_const {
    using type = T;
};
template <class T>
struct remove_const<const T> {
    using type = T;
};
template <class T>
using remove_const_t = typename remove_const<T>::type;
template <class T>
struct remove_pointer {
    using type = T;
};
template <class T>
struct remove_pointer<T*> {
    using type = T;
};
template <class T>
using remove_pointer_t = typename remove_pointer<T>::type;
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

template <class T>
constexpr T max(initializer_list<T> all) {
    T most = *all.begin();
    for (const T& one : all) most = max(most, one);
    return most;
}
template <class T>
constexpr void swap(T& a, T& b) {
    T kept = a;
    a = b;
    b = kept;
}
template <class T>
constexpr T abs(T value) {
    return value < T(0) ? -value : value;
}
template <class To, class From>
constexpr To bit_cast(const From& from) {
    return __builtin_bit_cast(To, from);
}
template <class T>
constexpr T bit_ceil(T value) {
    T power = 1;
    while (power < value) power *= 2;
    return power;
}
using ::ceil;
using ::cos;
using ::exp2;
using ::fabs;
using ::floor;
using ::fma;
using ::frexp;
using ::isfinite;
using ::isnan;
using ::log2;
using ::pow;
using ::sin;
using ::sqrt;
template <class T>
T ldexp(T value, int exponent) {
    return static_cast<T>(::ldexp(static_cast<double>(value), exponent));
}
int ilogb(float value);

template <class T>
struct numeric_limits {
    static constexpr T max() { return static_cast<T>(is_unsigned_v<T> ? ~T() : ~(T(1) << (8 * sizeof(T) - 1))); }
    static constexpr T min() { return static_cast<T>(~max()); }
    static constexpr T lowest() { return min(); }
    static constexpr T infinity() { return T(); }
};
template <>
struct numeric_limits<float> {
    static constexpr float max() { return FLT_MAX; }
    static constexpr float min() { return 1.175494351e-38F; }
    static constexpr float lowest() { return -FLT_MAX; }
    static constexpr float infinity() { return INFINITY; }
    static constexpr float quiet_NaN() { return NAN; }
};
template <>
struct numeric_limits<double> {
    static constexpr double max() { return 1.7976931348623157e308; }
    static constexpr double lowest() { return -max(); }
    static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000LL); }
};

template <class T, size_t N>
struct array {
    T all[N];
    constexpr T& operator[](size_t i) { return all[i]; }
    constexpr const T& operator[](size_t i) const { return all[i]; }
    constexpr T* begin() { return all; }
    constexpr T* end() { return all + N; }
    constexpr const T* begin() const { return all; }
    constexpr const T* end() const { return all + N; }
    constexpr T* data() { return all; }
    constexpr const T* data() const { return all; }
    constexpr size_t size() const { return N; }
};
template <class T, class... More>
array(T, More...) -> array<T, 1 + sizeof...(More)>;
template <size_t I, class T, size_t N>
constexpr const T& get(const array<T, N>& of) {
    return of.all[I];
}
template <class T>
struct tuple_size;
template <class T, size_t N>
struct tuple_size<array<T, N>> : integral_constant<size_t, N> {};
template <class T, size_t N>
struct tuple_size<const array<T, N>> : integral_constant<size_t, N> {};
template <size_t I, class T>
struct tuple_element;
template <size_t I, class T, size_t N>
struct tuple_element<I, array<T, N>> {
    using type = T;
};
template <size_t I, class T, size_t N>
struct tuple_element<I, const array<T, N>> {
    using type = const T;
};

template <class T, T... I>
struct integer_sequence {};
template <class T, size_t N, T... I>
struct IntegersUpTo : IntegersUpTo<T, N - 1, static_cast<T>(N - 1), I...> {};
template <class T, T... I>
struct IntegersUpTo<T, 0, I...> {
    using type = integer_sequence<T, I...>;
};
template <class T, T N>
using make_integer_sequence = typename IntegersUpTo<T, static_cast<size_t>(N)>::type;
template <size_t... I>
using index_sequence = integer_sequence<size_t, I...>;
template <size_t N>
using make_index_sequence = make_integer_sequence<size_t, N>;

// What launchers alone name: declared, and never defined.
template <class T>
struct vector {
    vector();
    explicit vector(size_t, T = T());
    bool empty() const;
    size_t size() const;
    T* data();
    const T* data() const;
    T& operator[](size_t);
    const T& operator[](size_t) const;
    const T& front() const;
    const T& back() const;
    T* begin();
    T* end();
    const T* begin() const;
    const T* end() const;
    void push_back(const T&);
};
template <class T>
struct span {
    size_t size() const;
    T& operator[](size_t) const;
    T* begin() const;
    T* end() const;
};
struct nullopt_t {};
constexpr nullopt_t nullopt{};
template <class T>
struct optional {
    optional();
    optional(nullopt_t);
    optional(const T&);
    explicit operator bool() const;
    const T& operator*() const;
    const T* operator->() const;
};
template <class T>
struct shared_ptr {
    T& operator*() const;
    T* operator->() const;
};
template <class T>
struct function;
struct stop_token {};
struct string {
    string();
    string(const char*);
    bool empty() const;
};
string operator+(const string&, const string&);
template <class T>
string to_string(T);
template <class From, class To>
To copy(From, From, To);
template <class From, class To>
To copy_n(From, size_t, To);
enum class byte : unsigned char {};
struct logic_error {
    explicit logic_error(const char*);
};

}  // namespace std

namespace warplens::io {

enum class PixelType : std::uint8_t { u8, u16, f32, u32, i32 };
constexpr std::size_t sizeOf(PixelType type) { return type == PixelType::u8 ? 1 : type == PixelType::u16 ? 2 : 4; }
template <class T>
constexpr PixelType typeOf() {
    return sizeof(T) == 1 ? PixelType::u8 : sizeof(T) == 2 ? PixelType::u16 : PixelType::f32;
}
// A launcher chooses one of all instances by it; here one is asked for by its name, and the others are not made.
template <class F>
void withSampleType(PixelType, F) {}
template <class F>
void withType(PixelType, F) {}
struct Shape {
    std::int64_t width = 0, height = 0, depth = 1;
    int channels = 1;
};
struct Geometry;
struct Grid;

}  // namespace warplens::io

namespace warplens::gpu {

struct LaunchContext {
    void* address(std::uint64_t handle) const;
};
inline void waitBetween(LaunchContext&) {}
struct TunableValues {
    struct Entry {
        std::string first;
        int second;
    };
    TunableValues();
    TunableValues(std::initializer_list<Entry>);
    bool empty() const;
    int at(const char* id) const;
    int& operator[](const char* id);
    const Entry* find(const char* id) const;
    const Entry* end() const;
    bool contains(const char* id) const;
};
struct ParameterValues;
struct DeviceInfo {
    bool ranks() const;
    int maxThreadsPerBlock;
    std::int64_t sharedBytesPerBlock;
};
float floatAtMost(double value);
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
