/* Readers of stored problems: a small unsymmetric problem with a known answer in every format. A reader that
   transposes W, or mixes up the parts of the global form, misses the answer. */
#include <hdf5.h>
#include <unistd.h>
#include "check.h"
#include "cone/cone.h"

/* W = [2 1; 0 3], q = (-1, 5), mu = 0.1: slip with r_t = -0.1 r_n, since z_t > 0; z_n = 2 r_n + r_t - 1 = 0 gives
   r_n = 1/1.9. */
static const PetscReal answer[2] = {1 / 1.9, -0.1 / 1.9};

static char path[] = "/tmp/carom-cone-XXXXXX";

static void write_text(const char text[])
{
  FILE *f = fopen(path, "w");

  CHECK(f && fputs(text, f) >= 0);
  if (f) fclose(f);
}

static void check_answer(const char what[])
{
  CrCone   *cone = NULL;
  PetscReal eps = 1, eta = 1, r[2] = {0};

  printf("%s\n", what);
  CHECK_OK(CrConeRead(path, &cone));
  if (!cone) return;
  CHECK(CrConeDimension(cone) == 2 && CrConeContacts(cone) == 1);
  CHECK_OK(CrConeErrors(cone, answer, &eps, &eta));
  CHECK_LESS(eps, 1e-15);
  CHECK_LESS(eta, 1e-15);
  CHECK_OK(CrConeErrors(cone, r, &eps, &eta)); /* zero is no answer */
  CHECK(eps > 0.1);
  CHECK_OK(CrConeDestroy(&cone));
}

static void check_texts(void)
{
  static const struct {
    const char *what, *text;
  } all[] = {
      {"dense", "2 1  0 2 2  2 2  2 0 1 3  -1 5  0.1\n"},
      {"blocks", "2 1  1 2 2  1 1 1  2  2  2 1  0 1  0  0  2 0 1 3  -1 5  0.1 1\n"},
      {"blocks of size 1",
       "2 1  1 2 2  3 2 2  1 2  1 2  3 3  0 2 3  0 1 1  0 2  1 1  2 3  -1 5  0.1\n"},
      {"triplets, a double one",
       "2 1\n2 2 2\n1\nbanner\ntriplet: 2-by-2, nzmax: 4 nnz: 4\n0 0 : 1\n0 1 : 1\n"
       "1 1 : 3\n0 0 : 1\n-1 5\n0.1\n"},
      {"columns", "2 1\n2 2 2\n2\nbanner\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 4\ncol 0 : locations 0 "
                  "to 0\n0 : 2\n"
                  "col 1 : locations 1 to 2\n0 : 1\n1 : 3\n-1 5\n0.1\n"},
      {NULL, NULL},
  };

  for (int k = 0; all[k].text; k++) {
    write_text(all[k].text);
    check_answer(all[k].what);
  }
}

/* Three velocities, M = diag(1, 1/2, 1/4) with a coupling, H = [1 0; 0 1; 1 1]. The condensed matrix by hand:
   M^-1 = [1 -2 0; 0 2 0; 0 0 4], H^T M^-1 H = [1 + 4, -2 + 4; 4, 2 + 4] = [5 2; 4 6];
   f = (1, 1, 1): H^T M^-1 f = H^T (-1, 2, 4) = (3, 6). With b = (-4, -1): q = (-1, 5). mu = 0.1, z_t > 0:
   r_n (5 - 0.2) = 1. */
static void check_global(void)
{
  const PetscReal r[2] = {1 / 4.8, -0.1 / 4.8};
  CrCone         *cone = NULL;
  PetscReal       eps = 1, eta = 1;

  write_text(
      "2 1  0 3 3  3 3  1 0 0  1 0.5 0  0 0 0.25  0 3 2  3 2  1 0 1  0 1 1  1 1 1  -4 -1  0.1");
  CHECK_OK(CrConeRead(path, &cone));
  if (!cone) return;
  CHECK_OK(CrConeErrors(cone, r, &eps, &eta));
  CHECK_LESS(eps, 1e-15);
  CHECK_LESS(eta, 1e-15);
  CHECK_OK(CrConeDestroy(&cone));
}

/* ---- HDF5 ---------------------------------------------------------------------------------- */

static void put(hid_t at, const char name[], hid_t type, hsize_t n, const void *data)
{
  hid_t space = H5Screate_simple(1, &n, NULL);
  hid_t set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  CHECK(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  H5Dclose(set);
  H5Sclose(space);
}

/* nz: 3 triplets, -1 columns, -2 rows; d: the dimension that is claimed */
static void write_hdf5(int nz, int d, int friction)
{
  const int    two = 2, row[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 1, 1}};
  const int    p[3][3] = {{0, 1, 1}, {0, 1, 3}, {0, 2, 3}}, k = nz >= 0 ? 0 : -nz;
  const double x[3] = {2, 1, 3}, q[2] = {-1, 5}, mu = 0.1;
  hid_t        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), local, W, vectors;

  local = H5Gcreate2(file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  W = H5Gcreate2(local, "W", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  vectors = H5Gcreate2(local, "vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put(local, "spacedim", H5T_NATIVE_INT, 1, &d);
  put(W, "m", H5T_NATIVE_INT, 1, &two);
  put(W, "n", H5T_NATIVE_INT, 1, &two);
  put(W, "nz", H5T_NATIVE_INT, 1, &nz);
  put(W, "p", H5T_NATIVE_INT, 3, p[k]);
  put(W, "i", H5T_NATIVE_INT, 3, row[k]);
  put(W, "x", H5T_NATIVE_DOUBLE, 3, x);
  put(vectors, "q", H5T_NATIVE_DOUBLE, 2, q);
  if (friction) put(vectors, "mu", H5T_NATIVE_DOUBLE, 1, &mu);
  H5Gclose(vectors);
  H5Gclose(W);
  H5Gclose(local);
  H5Fclose(file);
}

static void check_hdf5(void)
{
  CrCone *cone;
  hid_t   file;

  write_hdf5(3, 2, 1);
  check_answer("HDF5, triplets");
  write_hdf5(-1, 2, 1);
  check_answer("HDF5, columns");
  write_hdf5(-2, 2, 1);
  check_answer("HDF5, rows");
  write_hdf5(3, 3, 1);
  CHECK_REFUSED(CrConeRead(path, &cone), "is 2 by 2, but there are 1 contacts in 3 dimensions");
  write_hdf5(3, 4, 1);
  CHECK_REFUSED(CrConeRead(path, &cone), "\"fclib_local/spacedim\" is 4, but must be 2 or 3");
  write_hdf5(3, 2, 0);
  CHECK_REFUSED(CrConeRead(path, &cone), "\"fclib_local/vectors/mu\" is missing");
  file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  CHECK_REFUSED(CrConeRead(path, &cone), "has neither \"fclib_local\" nor \"fclib_global\"");
}

int main(int argc, char **argv)
{
  int file;

  if (check_start(argc, argv)) return 1;
  file = mkstemp(path);
  CHECK(file >= 0);
  if (file >= 0) close(file);
  check_texts();
  check_global();
  check_hdf5();
  unlink(path);
  return check_end();
}
