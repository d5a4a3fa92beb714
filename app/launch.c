/* The executable `carom`. It sets the environment variables that the libraries read when they are loaded. It then loads
   the libraries and the program itself (libcarom.so, in the same folder or installed). OpenBLAS chooses its kernels and
   threads when it is loaded. A program that is linked to OpenBLAS would have to start itself a second time, which takes
   more time than the rest of the start-up (docs/performance.md). The executable does not change environment variables
   that the user has set. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/environment.h"

/* OpenBLAS falls back to its oldest kernels on processors younger than itself: name them by what
   cpuid says (which valgrind answers too). */
static const char *blas_kernels(void)
{
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return "SKYLAKEX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "HASWELL";
#endif
  return NULL;
}

/* The value of --threads, if it stands on the command line; the program itself checks it. */
static const char *threads_asked(int argc, char **argv)
{
  for (int k = 1; k < argc && strcmp(argv[k], "--"); k++) {
    if (!strncmp(argv[k], "--threads=", 10)) return argv[k] + 10;
    if (!strcmp(argv[k], "--threads") && k + 1 < argc) return argv[k + 1];
  }
  return NULL;
}

static void prepare(int argc, char **argv)
{
  const char *threads = threads_asked(argc, argv), *kernels = blas_kernels();

  if (kernels) setenv("OPENBLAS_CORETYPE", kernels, 0);
  setenv("OPENBLAS_NUM_THREADS", threads ? threads : "1", threads != NULL);
  CrEnvironmentForMpi();
}

/* Libraries full of symbols that the program loads anyway, loaded before it: their symbols are then
   looked for among the few libraries that they need themselves, not among all hundred, which takes
   a third of the whole start-up. Names as in Debian 12; the loader does without what is not there. */
static void load_first(void)
{
  static const char *const names[] = {"libopenblas.so.0", "libtrilinos_ml.so.13.2"};

  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) dlopen(names[k], RTLD_LAZY);
  dlerror(); /* forgotten */
}

/* The program's library: beside the executable in the build tree, else where it was installed. */
static void *load(void)
{
  static const char *const places[] = {"libcarom.so", CAROM_INSTALLED};
  char                     self[PATH_MAX], path[PATH_MAX + 64];
  ssize_t                  n = readlink("/proc/self/exe", self, sizeof self - 1);
  void                    *library = NULL;

  if (n < 0) return NULL;
  self[n] = 0;
  dirname(self);
  for (int k = 0; k < 2 && !library; k++) {
    snprintf(path, sizeof path, "%s/%s", self, places[k]);
    if (access(path, R_OK)) continue;
    load_first();
    library = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
  }
  return library;
}

int main(int argc, char **argv)
{
  int (*program)(int, char **) = NULL;
  void *library;

  prepare(argc, argv);
  library = load();
  if (library) *(void **)&program = dlsym(library, "CrMain");
  if (program) return program(argc, argv);
  library = dlerror();
  fprintf(stderr, "carom: the library libcarom.so cannot be loaded: %s\n",
          library ? (char *)library : "the file is not beside the program");
  return 3;
}
