# Flags that turn many memory errors into an immediate end of the program, without loss of speed. tests/cli/test_hardening.py
# looks for their traces. Sanitizers have checks of their own, and _FORTIFY_SOURCE needs optimisation.
if(NOT DUALKPCA_SANITIZE)
  target_compile_options(dualkpca_build_flags INTERFACE -fstack-protector-strong
                                                        $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(dualkpca_build_flags INTERFACE -fcf-protection=full)
  endif()
  # The table of function addresses is filled at the start of the program and read-only from then on.
  target_link_options(dualkpca_build_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()
