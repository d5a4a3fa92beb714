/* Arrays of zeros. The operating system provides memory pages of these arrays only when they are first written. */
#include "base/lazy.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAD 64 /* bytes before the array, which hold its size; arrays are aligned like this */

PetscErrorCode CrLazyAllocate(size_t n, size_t size, void *array)
{
  const size_t bytes = HEAD + n * size;
  char        *pages;

  PetscFunctionBeginUser;
  pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  PetscCheck(pages != MAP_FAILED, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for %zu bytes", bytes);
#ifdef MADV_NOHUGEPAGE
  (void)madvise(pages, bytes, MADV_NOHUGEPAGE);
#endif
  memcpy(pages, &bytes, sizeof bytes);
  pages += HEAD;
  memcpy(array, &pages, sizeof pages);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLazyFree(void *array)
{
  char  *pages;
  size_t bytes;

  PetscFunctionBeginUser;
  memcpy(&pages, array, sizeof pages);
  if (!pages) PetscFunctionReturn(PETSC_SUCCESS);
  memcpy(&bytes, pages - HEAD, sizeof bytes);
  PetscCheck(munmap(pages - HEAD, bytes) == 0, PETSC_COMM_SELF, PETSC_ERR_MEMC, "not an array");
  memset(array, 0, sizeof pages);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrLazyDrop(void *range, size_t bytes)
{
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)range;
  const uintptr_t first = (begin + page - 1) / page * page, end = (begin + bytes) / page * page;

  /* If this call fails, the pages keep their zeros. */
  if (first < end) (void)madvise((char *)range + (first - begin), end - first, MADV_DONTNEED);
}
