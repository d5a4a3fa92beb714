# The Debian package that `make package` builds: everything that `make install` installs, under /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME carom)
set(CPACK_PACKAGE_CONTACT "The carom authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "dynamics of solids with frictional contact and an exact energy ledger")
set(CPACK_PACKAGE_DESCRIPTION "carom simulates impacts of deformable and rigid bodies and reports where the energy goes.
 The package holds the program, its library with a header for C, a Python module, and examples.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # with it, ldconfig learns about libcarom.so
# Python for the module, mpiexec for several processes, and a BLAS three times faster than the reference.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy, openmpi-bin, libopenblas0-pthread")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/scripts/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
