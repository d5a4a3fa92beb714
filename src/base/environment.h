/* The environment that MPI and the libraries below it read when a process starts. Settings of the user are never
   replaced. The small executable and the public library share this; neither can link the other. */
#pragma once

#include <stdlib.h>

/* hwloc examines processors and devices one by one: it moves to every processor, reads the PCI bus, and asks for X
   displays. This costs half the time of MPI_Init, and a process that is not bound to processors does not need it. The
   number of processors is enough. */
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
  /* rank 0 would use 32 MB of memory per file */
  setenv("OMPI_MCA_io_ompio_bytes_per_agg", "4194304", 0);
  if (getenv("OMPI_COMM_WORLD_SIZE")) return; /* started by mpiexec */

  /* a single process needs none of Open MPI's daemons: start-up falls from 0.35 s to 0.06 s */
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_btl", "self,vader", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);

  /* nor its session folder, which is the same for all processes that run alone: two that start and
     end at a time trip over each other in MPI_Init */
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  CrEnvironmentSpareTopology();
}
