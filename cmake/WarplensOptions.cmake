# SPDX-License-Identifier: Apache-2.0
# What every target of ours compiles with: C++20, warnings, sanitizers.
add_library(warplens_options INTERFACE)
target_compile_features(warplens_options INTERFACE cxx_std_20)
target_include_directories(warplens_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_definitions(warplens_options INTERFACE WARPLENS_VERSION="${PROJECT_VERSION}")
set(CMAKE_CXX_EXTENSIONS OFF)

set(warplens_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor)
if(WARPLENS_STRICT)
  list(APPEND warplens_warnings -Werror)
endif()
target_compile_options(warplens_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warplens_warnings}>")

foreach(sanitizer IN LISTS WARPLENS_SANITIZE)
  target_compile_options(warplens_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizer};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(warplens_options INTERFACE -fsanitize=${sanitizer})
endforeach()
