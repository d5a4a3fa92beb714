/* Processor time of a rank inside and outside of MPI, for bench/scale. A rank that waits for another one keeps its
   processor busy, so its user time says little about its own work. This library stands between the program and MPI
   (LD_PRELOAD) and measures the calls that may wait. At the end it writes both times, in seconds, into the file
   that CAROM_WAITING names, with the rank as its suffix. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double inside;

static double cpu(void)
{
  struct timespec t;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define MEASURE(name, formal, actual)                                                              \
  int MPI_##name formal                                                                            \
  {                                                                                                \
    double t = cpu();                                                                              \
    int code = PMPI_##name actual;                                                                 \
                                                                                                   \
    inside += cpu() - t;                                                                           \
    return code;                                                                                   \
  }

#define IN    const void *in, int n, MPI_Datatype type
#define OUT   void *out, int m, MPI_Datatype otype
#define COUNT const int *counts, const int *starts, MPI_Datatype

MEASURE(Allgather, (IN, OUT, MPI_Comm c), (in, n, type, out, m, otype, c))
MEASURE(Allgatherv, (IN, void *out, COUNT otype, MPI_Comm c),
        (in, n, type, out, counts, starts, otype, c))
MEASURE(Allreduce, (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm c),
        (in, out, n, type, op, c))
MEASURE(Iallreduce,
        (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm c,
         MPI_Request *r),
        (in, out, n, type, op, c, r))
MEASURE(Alltoall, (IN, OUT, MPI_Comm c), (in, n, type, out, m, otype, c))
MEASURE(Alltoallv,
        (const void *in, const int *ns, const int *from, MPI_Datatype type, void *out, COUNT otype,
         MPI_Comm c),
        (in, ns, from, type, out, counts, starts, otype, c))
MEASURE(Barrier, (MPI_Comm c), (c))
MEASURE(Bcast, (void *out, int n, MPI_Datatype type, int root, MPI_Comm c), (out, n, type, root, c))
MEASURE(Exscan, (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm c),
        (in, out, n, type, op, c))
MEASURE(Gather, (IN, OUT, int root, MPI_Comm c), (in, n, type, out, m, otype, root, c))
MEASURE(Gatherv, (IN, void *out, COUNT otype, int root, MPI_Comm c),
        (in, n, type, out, counts, starts, otype, root, c))
MEASURE(Ibarrier, (MPI_Comm c, MPI_Request *r), (c, r))
MEASURE(Iprobe, (int from, int tag, MPI_Comm c, int *flag, MPI_Status *s), (from, tag, c, flag, s))
MEASURE(Irecv, (OUT, int from, int tag, MPI_Comm c, MPI_Request *r),
        (out, m, otype, from, tag, c, r))
MEASURE(Isend, (IN, int to, int tag, MPI_Comm c, MPI_Request *r), (in, n, type, to, tag, c, r))
MEASURE(Issend, (IN, int to, int tag, MPI_Comm c, MPI_Request *r), (in, n, type, to, tag, c, r))
MEASURE(Probe, (int from, int tag, MPI_Comm c, MPI_Status *s), (from, tag, c, s))
MEASURE(Recv, (OUT, int from, int tag, MPI_Comm c, MPI_Status *s), (out, m, otype, from, tag, c, s))
MEASURE(Reduce,
        (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm c),
        (in, out, n, type, op, root, c))
MEASURE(Reduce_scatter_block,
        (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm c),
        (in, out, n, type, op, c))
MEASURE(Scan, (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm c),
        (in, out, n, type, op, c))
MEASURE(Scatter, (IN, OUT, int root, MPI_Comm c), (in, n, type, out, m, otype, root, c))
MEASURE(Scatterv, (const void *in, COUNT type, OUT, int root, MPI_Comm c),
        (in, counts, starts, type, out, m, otype, root, c))
MEASURE(Send, (IN, int to, int tag, MPI_Comm c), (in, n, type, to, tag, c))
MEASURE(Sendrecv, (IN, int to, int tag, OUT, int from, int rtag, MPI_Comm c, MPI_Status *s),
        (in, n, type, to, tag, out, m, otype, from, rtag, c, s))
MEASURE(Startall, (int n, MPI_Request r[]), (n, r))
MEASURE(Test, (MPI_Request * r, int *flag, MPI_Status *s), (r, flag, s))
MEASURE(Testall, (int n, MPI_Request r[], int *flag, MPI_Status s[]), (n, r, flag, s))
MEASURE(Wait, (MPI_Request * r, MPI_Status *s), (r, s))
MEASURE(Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
MEASURE(Waitany, (int n, MPI_Request r[], int *which, MPI_Status *s), (n, r, which, s))
MEASURE(Waitsome, (int n, MPI_Request r[], int *m, int which[], MPI_Status s[]),
        (n, r, m, which, s))

/* Collective calls that may wait inside of MPI: communicators and the files of HDF5 */
MEASURE(Init_thread, (int *n, char ***list, int wanted, int *got), (n, list, wanted, got))
MEASURE(Comm_dup, (MPI_Comm c, MPI_Comm *copy), (c, copy))
MEASURE(Comm_free, (MPI_Comm * c), (c))
MEASURE(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm *part), (c, color, key, part))
MEASURE(Comm_split_type, (MPI_Comm c, int kind, int key, MPI_Info info, MPI_Comm *part),
        (c, kind, key, info, part))
MEASURE(File_open, (MPI_Comm c, const char *path, int mode, MPI_Info info, MPI_File *file),
        (c, path, mode, info, file))
MEASURE(File_close, (MPI_File * file), (file))
MEASURE(File_set_size, (MPI_File file, MPI_Offset size), (file, size))
MEASURE(File_set_view,
        (MPI_File file, MPI_Offset start, MPI_Datatype etype, MPI_Datatype type, const char *kind,
         MPI_Info info),
        (file, start, etype, type, kind, info))
MEASURE(File_sync, (MPI_File file), (file))
MEASURE(File_read_at_all, (MPI_File file, MPI_Offset at, OUT, MPI_Status *s),
        (file, at, out, m, otype, s))
MEASURE(File_write_at_all, (MPI_File file, MPI_Offset at, IN, MPI_Status *s),
        (file, at, in, n, type, s))

int MPI_Finalize(void)
{
  const char *name = getenv("CAROM_WAITING");
  char        path[4096];
  int         rank;
  FILE       *file;

  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "%s.%d", name ? name : "waiting", rank);
  file = fopen(path, "w");
  if (file) {
    fprintf(file, "%.6f %.6f\n", cpu() - inside, inside);
    fclose(file);
  }
  return PMPI_Finalize();
}
