/* Sets environment variables that MPI and its libraries read when a process starts. Variables that the user has set are
   not changed. Both the executable (app/launch.c) and the public library include this header with inline functions,
   because neither is linked to the other. */
#pragma once

#include <stdlib.h>

/* Makes the library hwloc, which MPI uses, skip its examination of processors and devices, unless the user has
   configured hwloc. The examination takes half the time of MPI_Init: hwloc runs on every processor, reads the PCI bus,
   and asks for X displays. Here MPI needs only the number of processors, because processes are not bound to
   processors. */
static inline void CrEnvironmentSpareTopology(void)
{
  static const char *const wishes[] = {"HWLOC_COMPONENTS", "HWLOC_XMLFILE", "HWLOC_SYNTHETIC",
                                       "HWLOC_FSROOT", "HWLOC_PLUGINS_PATH"};

  for (size_t k = 0; k < sizeof wishes / sizeof wishes[0]; k++)
    if (getenv(wishes[k])) return;
  setenv("HWLOC_COMPONENTS", "no_os,stop", 0);
  setenv("HWLOC_PLUGINS_PATH", "", 0);
}

static inline void CrEnvironmentForMpi(void)
{
  setenv("HWLOC_HIDE_ERRORS", "2", 0); /* hwloc prints errors if there is no /sys */
  /* without this setting rank 0 would use 32 MB of memory per file */
  setenv("OMPI_MCA_io_ompio_bytes_per_agg", "4194304", 0);
  if (getenv("OMPI_COMM_WORLD_SIZE")) return; /* the process was started by mpiexec */

  /* a single process needs no daemon of Open MPI; without daemons, start-up takes 0.06 s instead of 0.35 s */
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_btl", "self,vader", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);

  /* A single process needs no session folder of Open MPI. All single processes of a user would share this folder, so
     two processes that start and end at the same time could fail in MPI_Init. */
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  CrEnvironmentSpareTopology();
}
