# Compile the core for Pyodide, the Python of browsers: WebAssembly, by zig's clang with the headers of Emscripten.
# tools/pyodide_core.py finds or takes all that is named here and runs CMake with this file.
foreach(needed KOMADAI_ZIG KOMADAI_EMSCRIPTEN KOMADAI_PYTHON_HEADERS KOMADAI_SOABI)
  if(NOT DEFINED ENV{${needed}}) # from the environment, since the checks of compilers inherit no variables
    message(FATAL_ERROR "${needed} is not set; run tools/pyodide_core.py")
  endif()
  set(${needed} $ENV{${needed}})
endforeach()

# A system that CMake knows, since it has no rules for Emscripten before version 4.2; it counts as Linux with clang.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # nothing can be linked but a module
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON) # there is none
set(CMAKE_CXX_COMPILER ${KOMADAI_ZIG} clang --driver-mode=g++)
set(CMAKE_CXX_COMPILER_TARGET wasm32-unknown-emscripten)
set(CMAKE_CXX_ARCHIVE_CREATE "\"${KOMADAI_ZIG}\" ar qc <TARGET> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "\"${KOMADAI_ZIG}\" ranlib <TARGET>")

cmake_path(GET KOMADAI_ZIG PARENT_PATH zig)
set(folders lib/libcxx/include include/compat include lib/libc/musl/arch/emscripten lib/libc/musl/arch/generic
            lib/libc/musl/include lib/libcxxabi/include)
list(TRANSFORM folders PREPEND "-isystem ${KOMADAI_EMSCRIPTEN}/")
list(JOIN folders " " includes)
# Pyodide's exceptions are those of WebAssembly in their older encoding; its libc++ has the namespace __2.
string(
  CONCAT CMAKE_CXX_FLAGS_INIT
         "-nostdinc -nostdinc++ ${includes} -isystem ${zig}/lib/include "
         "-fwasm-exceptions -mllvm -wasm-enable-eh -mllvm -wasm-use-legacy-eh "
         "-D__EMSCRIPTEN_SHARED_LIBRARY__ -D_LIBCPP_ABI_NAMESPACE=__2 -Wno-unused-command-line-argument")

# A module leaves what it lacks to be found in Pyodide's main module when it is loaded. clang wants the linker as a program.
set(linker ${CMAKE_BINARY_DIR}/wasm-ld)
file(WRITE ${linker} "#!/bin/sh\nexec \"${KOMADAI_ZIG}\" wasm-ld \"$@\"\n")
file(CHMOD ${linker} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
string(
  CONCAT CMAKE_CXX_CREATE_SHARED_MODULE
         "<CMAKE_CXX_COMPILER> --target=${CMAKE_CXX_COMPILER_TARGET} -nostdlib -fuse-ld=${linker} "
         "-Wl,-shared,--experimental-pic,--import-memory,--no-entry,--no-export-dynamic,-O2 "
         "-Wl,--export=PyInit__core,--export-if-defined=__wasm_apply_data_relocs "
         "-Wl,--export-if-defined=__wasm_call_ctors,--unresolved-symbols=import-dynamic "
         "<LINK_FLAGS> -o <TARGET> <OBJECTS> <LINK_LIBRARIES>")
