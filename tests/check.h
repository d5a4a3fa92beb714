/* Macros of the test programs. A check that fails prints the value and its bound. Every program prints the number of
   checks that it made. A program that made no check has failed. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <petscsys.h>
#include "base/base.h"

static int check_count, check_failures;

static inline void check_report(int good, const char *file, int line, const char *what)
{
  check_count++;
  if (good) return;
  check_failures++;
  printf("%s:%d: FAILED: %s\n", file, line, what);
}

#define CHECK(cond) check_report(!!(cond), __FILE__, __LINE__, #cond)

#define CHECK_NEAR(value, expected, bound)                                                         \
  do {                                                                                             \
    double check_v = (value), check_e = (expected), check_b = (bound);                             \
    int    check_ok = fabs(check_v - check_e) <= check_b; /* false for NaN */                      \
    check_report(check_ok, __FILE__, __LINE__, #value " near " #expected);                         \
    if (!check_ok)                                                                                 \
      printf("    value %.17g, expected %.17g, off by %.3g, bound %.3g\n", check_v, check_e,       \
             fabs(check_v - check_e), check_b);                                                    \
  } while (0)

#define CHECK_LESS(value, bound)                                                                   \
  do {                                                                                             \
    double check_v = (value), check_b = (bound);                                                   \
    int    check_ok = check_v < check_b;                                                           \
    check_report(check_ok, __FILE__, __LINE__, #value " < " #bound);                               \
    if (!check_ok) printf("    value %.17g, bound %.3g\n", check_v, check_b);                      \
  } while (0)

#define CHECK_TEXT(value, expected)                                                                \
  do {                                                                                             \
    const char *check_v = (value), *check_e = (expected);                                          \
    int         check_ok = check_v && !strcmp(check_v, check_e);                                   \
    check_report(check_ok, __FILE__, __LINE__, #value " is " #expected);                           \
    if (!check_ok)                                                                                 \
      printf("    value \"%s\"\n    expected \"%s\"\n", check_v ? check_v : "(null)", check_e);    \
  } while (0)

/* Checks that a call succeeds. */
#define CHECK_OK(call)                                                                             \
  do {                                                                                             \
    PetscErrorCode check_c = (call);                                                               \
    check_report(check_c == PETSC_SUCCESS, __FILE__, __LINE__, #call);                             \
    if (check_c) printf("    code %d: %s\n", (int)check_c, CrErrorMessage());                      \
  } while (0)

/* Checks that a call returns the error code of a user error, with these words in the message. */
#define CHECK_REFUSED(call, words)                                                                 \
  do {                                                                                             \
    PetscErrorCode check_c;                                                                        \
    CrErrorClear();                                                                                \
    check_c = (call);                                                                              \
    check_report(check_c == CR_ERR_INPUT && strstr(CrErrorMessage(), words), __FILE__, __LINE__,   \
                 #call);                                                                           \
    if (check_c != CR_ERR_INPUT || !strstr(CrErrorMessage(), words))                               \
      printf("    code %d, message \"%s\"\n    expected \"%s\"\n", (int)check_c, CrErrorMessage(), \
             words);                                                                               \
    CrErrorClear();                                                                                \
  } while (0)

static inline int check_start(int argc, char **argv)
{
  /* programs that run alone at one time must not share Open MPI's session folder */
  if (!getenv("OMPI_COMM_WORLD_SIZE")) setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  if (PetscInitialize(&argc, &argv, NULL, NULL)) return 1;
  return PetscPushErrorHandler(CrErrorHandler, NULL);
}

static inline int check_end(void)
{
  int rank;

  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%d checks, %d failed\n", check_count, check_failures);
  if (PetscPopErrorHandler() || PetscFinalize()) return 1;
  return check_failures || !check_count;
}
