# SPDX-License-Identifier: Apache-2.0
# One kernel source, several builds: generated translation units a build, each build in a namespace of its own.
set(WARPLENS_KERNEL_MARCH "x86-64-v3" CACHE STRING "-march of the SIMT device's kernel units (x86 only)")

# Kernels are linked into programs alone, and local-exec says so: of other models the linker rewrites how an address is
# found, and UBSan's check for null then looks at a flag of the processor that nothing sets any more.
# Guarded stacks and checked calls would be part of what is timed, and of what the trace counts.
set(warplens_simt_flags -O3 -fno-stack-protector -U_FORTIFY_SOURCE -ftls-model=local-exec -fno-extern-tls-init -Wno-unknown-pragmas -Wno-unused -Wno-conversion -Wno-sign-compare -Wno-pedantic)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # clang has no such option; its thread-local wrappers vanish for constinit variables.
  list(REMOVE_ITEM warplens_simt_flags -fno-extern-tls-init)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND warplens_simt_flags "-march=${WARPLENS_KERNEL_MARCH}")
endif()

# warplens_simt_options(RESULT): how a unit of kernels is compiled for the SIMT device.
function(warplens_simt_options result)
  set(options ${warplens_simt_flags})
  # Under sanitizers optimising these takes two to eight times as long (separable_ring 206 s, at -O1 25).
  if(WARPLENS_SANITIZE)
    list(APPEND options -O1)
  elseif(WARPLENS_SLOW_DEVICE_CODE)
    # There GCC no longer sees that two loops ask the same of an element.
    list(APPEND options -O2 $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# Compiled by themselves: those that take the compiler longest, and one that has options of its own (gpu/CMakeLists.txt).
set(warplens_kernels_alone "/(scan/kernels/steps|rank/kernels/(hierarchical|packed_pairs|shared_planes))\\.cuh$")
# Reading the headers costs as much as compiling a kernel, and kernels of a family instantiate the same templates.
set(WARPLENS_KERNELS_A_UNIT 9 CACHE STRING "Kernels of a family that one translation unit of a device or the trace holds at most")

# warplens_group_kernels(RESULT FOLDER): the kernels of a family in groups that share a unit, each a name and its files
# joined by "|". Kernels of a unit share its __constant__ arrays, which are filled before each run.
function(warplens_group_kernels result folder)
  get_filename_component(family "${folder}" NAME)
  file(GLOB kernels CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${folder}/kernels/*.cuh")
  set(united "")
  if(WARPLENS_UNITY)
    set(united "${kernels}")
    list(FILTER united EXCLUDE REGEX "${warplens_kernels_alone}")
  endif()
  set(groups "")
  list(LENGTH united count)
  if(count GREATER 1)
    list(REMOVE_ITEM kernels ${united})
    math(EXPR units "(${count} + ${WARPLENS_KERNELS_A_UNIT} - 1) / ${WARPLENS_KERNELS_A_UNIT}")
    math(EXPR each "(${count} + ${units} - 1) / ${units}")
    math(EXPR last "${units} - 1")
    foreach(unit RANGE ${last})
      math(EXPR first "${unit} * ${each}")
      list(SUBLIST united ${first} ${each} files)
      list(JOIN files "|" files)
      list(APPEND groups "${family}_part${unit}|${files}")
    endforeach()
  endif()
  foreach(kernel IN LISTS kernels)
    get_filename_component(id "${kernel}" NAME_WE)
    list(APPEND groups "${family}_${id}|${kernel}")
  endforeach()
  set(${result} "${groups}" PARENT_SCOPE)
endfunction()

# warplens_write_unit(UNIT ENVIRONMENT FILES...): a unit that includes FILES (relative to the root) after ENVIRONMENT.
function(warplens_write_unit unit environment)
  list(TRANSFORM ARGN PREPEND "#include \"")
  list(JOIN ARGN "\"\n" includes)
  file(CONFIGURE OUTPUT "${unit}" CONTENT "// Generated.\n#include \"${environment}\"\n${includes}\"\n" @ONLY)
endfunction()

# warplens_add_simt_unit(TARGET NAME FILES...): builds FILES for the SIMT device in one unit.
function(warplens_add_simt_unit target name)
  set(simt "${PROJECT_BINARY_DIR}/kernels/${name}.simt.cpp")
  warplens_write_unit("${simt}" gpu/device/simt/kernel_environment.hpp ${ARGN})
  target_sources(${target} PRIVATE "${simt}")
  warplens_simt_options(flags)
  if(warplens_sanitize_gcc)
    list(APPEND flags -fsanitize=alignment)
  endif()
  set_source_files_properties("${simt}" TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${flags}")
endfunction()

# warplens_add_cuda_unit(TARGET NAME FILES...): builds FILES for CUDA, with nvcc, in one unit.
function(warplens_add_cuda_unit target name)
  if(WARPLENS_HAVE_CUDA)
    set(cuda "${PROJECT_BINARY_DIR}/kernels/${name}.cuda.cu")
    warplens_write_unit("${cuda}" gpu/device/cuda/kernel_environment.cuh ${ARGN})
    target_sources(${target} PRIVATE "${cuda}")
  endif()
endfunction()

# warplens_add_kernel_unit(TARGET NAME FILES...): builds FILES for the SIMT device and for CUDA.
function(warplens_add_kernel_unit target name)
  warplens_add_simt_unit(${target} ${name} ${ARGN})
  warplens_add_cuda_unit(${target} ${name} ${ARGN})
endfunction()

# The families of gpu/families/families.inc, in WARPLENS_FAMILIES.
set(warplens_family_rows "${PROJECT_SOURCE_DIR}/gpu/families/families.inc")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${warplens_family_rows}")
file(STRINGS "${warplens_family_rows}" WARPLENS_FAMILIES REGEX "^WARPLENS_FAMILY\\(")
list(TRANSFORM WARPLENS_FAMILIES REPLACE "^WARPLENS_FAMILY\\(([a-z0-9_]+)\\).*" "\\1")

# warplens_add_family(TARGET FOLDER): a family's own sources and a unit for each file of its kernels/. FOLDER is relative
# to the root, and its last part the family's name.
function(warplens_add_family target folder)
  get_filename_component(family "${folder}" NAME)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  target_sources(${target} PRIVATE ${sources})
  if(WARPLENS_HAVE_CUDA)
    file(GLOB cuda_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cu")
    target_sources(${target} PRIVATE ${cuda_sources})
  endif()
  warplens_group_kernels(groups "${folder}")
  foreach(group IN LISTS groups)
    string(REPLACE "|" ";" group "${group}")
    warplens_add_kernel_unit(${target} ${group})
  endforeach()
endfunction()

# warplens_add_trace_unit(TARGET NAME FILES...): adds the traced build of FILES (relative to the root) to a target, in one
# unit. It must not meet an untraced build of the same file in one program.
function(warplens_add_trace_unit target name)
  # The trace's flags: the compiler's hooks, and code laid out so that a basic block is one and nothing is moved between
  # them. Lines are all that is read of what is known for debugging; following variables takes longer than the rest.
  set(warplens_trace_flags -O1 -g1 -gdwarf-4 -fno-stack-protector -U_FORTIFY_SOURCE -fno-var-tracking
    -fno-var-tracking-assignments -fno-pie
    -fno-extern-tls-init -fno-reorder-blocks -fno-thread-jumps -fno-optimize-sibling-calls
    -fsanitize=thread -fsanitize-coverage=trace-pc "-march=${WARPLENS_KERNEL_MARCH}"
    -Wno-unknown-pragmas -Wno-unused -Wno-conversion -Wno-sign-compare -Wno-pedantic -Wno-attributes -Wno-tsan)
  set(trace "${PROJECT_BINARY_DIR}/kernels/${name}.trace.cpp")
  warplens_write_unit("${trace}" gpu/trace/kernel_environment.hpp ${ARGN})
  target_sources(${target} PRIVATE "${trace}")
  set_source_files_properties("${trace}" TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${warplens_trace_flags}")
endfunction()

# warplens_add_trace_tables(TARGET LIBRARY SOURCES...): those of LIBRARY's sources that name its builds of kernels, compiled
# for the trace. They take the place of the library's own, which therefore share an object with none but each other.
function(warplens_add_trace_tables target library)
  foreach(table IN LISTS ARGN)
    file(STRINGS "${table}" named REGEX "WARPLENS_DECLARE_BUILDS|kernel_table.inc")
    if(named)
      target_sources(${target} PRIVATE "${table}")
      set_source_files_properties("${table}" TARGET_DIRECTORY ${library} ${target}
        PROPERTIES UNITY_GROUP tables)
    endif()
  endforeach()
endfunction()

# warplens_add_trace_family(TARGET LIBRARY FOLDER): the traced build of a family that LIBRARY holds.
function(warplens_add_trace_family target library folder)
  warplens_group_kernels(groups "${folder}")
  foreach(group IN LISTS groups)
    string(REPLACE "|" ";" group "${group}")
    warplens_add_trace_unit(${target} ${group})
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  warplens_add_trace_tables(${target} ${library} ${sources})
endfunction()

# warplens_embed_kernels(TARGET): puts the sources of kernels into TARGET, of which instances are compiled when the program
# runs: for the task at hand, or to be listed.
function(warplens_embed_kernels target)
  set(kernels "")
  foreach(family IN LISTS WARPLENS_FAMILIES)
    file(GLOB files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
      "${PROJECT_SOURCE_DIR}/gpu/families/${family}/kernels/*.cuh")
    list(APPEND kernels ${files})
  endforeach()
  file(GLOB_RECURSE included CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/gpu/families/*.cuh"
    "${PROJECT_SOURCE_DIR}/gpu/families/*.hpp" "${PROJECT_SOURCE_DIR}/gpu/kernels/*.*" "${PROJECT_SOURCE_DIR}/gpu/core/*.hpp")
  list(JOIN kernels "|" kernels)
  set(output "${PROJECT_BINARY_DIR}/kernels/kernel_sources.cpp")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DKERNELS=${kernels}" "-DOUTPUT=${output}"
      -P "${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    DEPENDS ${included} "${PROJECT_SOURCE_DIR}/gpu/device/cuda/run_time_environment.cuh"
      "${PROJECT_SOURCE_DIR}/io/pixel_type.hpp" "${PROJECT_SOURCE_DIR}/cmake/embed_sources.cmake"
    COMMENT "Embedding the sources of kernels" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
