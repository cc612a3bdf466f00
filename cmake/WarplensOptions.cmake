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

# Below half a GiB GCC need not look for memory that it could use again, which takes an eighth of its time.
target_compile_options(warplens_options INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>")

# What makes a bug harder to use, in every program; packaging.hardening reads it in the programs themselves. Sanitizers
# have checks of their own instead. Programs are position independent by the compiler's default. Set by hand, for a
# distribution's compiler may bring another level; _FORTIFY_SOURCE does nothing where nothing is optimised.
if(NOT WARPLENS_SANITIZE)
  target_compile_options(warplens_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong>")
  target_link_options(warplens_options INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    string(APPEND CMAKE_CXX_FLAGS " -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2")
  endif()
endif()

foreach(sanitizer IN LISTS WARPLENS_SANITIZE)
  target_compile_options(warplens_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizer};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(warplens_options INTERFACE -fsanitize=${sanitizer})
endforeach()

# What follows makes a third of the sanitizers' compiling needless. gcc's checks of null and of objects' sizes find what the
# address sanitizer finds as well; alignment is checked in kernels (warplens_add_simt_unit), where a GPU would fault.
set(warplens_sanitize_gcc OFF)
if(WARPLENS_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(warplens_sanitize_gcc ON)
  target_compile_options(warplens_options INTERFACE -fno-sanitize=null,object-size,alignment)
endif()

# warplens_cold_code(): what this directory's targets compile from here on is seldom in a loop. -O1 takes a quarter of the
# compiler's time from it, and the address sanitizer calls its checks.
macro(warplens_cold_code)
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-O1>")
  if(warplens_sanitize_gcc)
    add_compile_options(--param=asan-instrumentation-with-call-threshold=0)
  endif()
endmacro()
