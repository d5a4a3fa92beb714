/* Reads stored Coulomb problems in the FCLIB layout of HDF5. */
#include <hdf5.h>
#include <math.h>
#include <string.h>
#include "cone/stored.h"

typedef struct {
  const char *path;
  hid_t       file;
} Source;

static PetscBool is_there(const Source *s, const char name[])
{
  char  part[128];
  char *slash;

  snprintf(part, sizeof part, "%s", name);
  for (slash = strchr(part, '/'); slash;
       slash = strchr(slash + 1, '/')) { /* every group on the way */
    *slash = 0;
    if (H5Lexists(s->file, part, H5P_DEFAULT) <= 0) return PETSC_FALSE;
    *slash = '/';
  }
  return H5Lexists(s->file, name, H5P_DEFAULT) > 0;
}

/* Length of a dataset, -1 if there is none. */
static PetscInt length(const Source *s, const char name[])
{
  hid_t    set = is_there(s, name) ? H5Dopen2(s->file, name, H5P_DEFAULT) : -1, space;
  hssize_t n = -1;

  if (set < 0) return -1;
  space = H5Dget_space(set);
  if (space >= 0) n = H5Sget_simple_extent_npoints(space), H5Sclose(space);
  H5Dclose(set);
  return n > PETSC_MAX_INT ? -1 : (PetscInt)n;
}

static PetscErrorCode get(const Source *s, const char name[], hid_t type, PetscInt n, void *data)
{
  hid_t    set;
  herr_t   good = -1;
  PetscInt found = length(s, name);

  PetscFunctionBeginUser;
  if (found < 0) CrInputFail("%s: \"%s\" is missing", s->path, name);
  if (found != n)
    CrInputFail("%s: \"%s\" has %" PetscInt_FMT " numbers, expected %" PetscInt_FMT, s->path, name,
                found, n);
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  set = H5Dopen2(s->file, name, H5P_DEFAULT);
  if (set >= 0) good = H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), H5Dclose(set);
  if (good < 0) CrInputFail("%s: \"%s\" cannot be read: truncated or damaged", s->path, name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_reals(const Source *s, const char name[], PetscInt n, ConeReals *values)
{
  PetscFunctionBeginUser;
  PetscCall(ConeRealsFit(values, n));
  PetscCall(get(s, name, H5T_NATIVE_DOUBLE, n, values->data));
  for (PetscInt k = 0; k < n; k++)
    if (!isfinite(values->data[k]))
      CrInputFail("%s: \"%s\" contains %g", s->path, name, values->data[k]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_ints(const Source *s, const char name[], PetscInt n, ConeInts *values)
{
  PetscFunctionBeginUser;
  PetscCall(ConeIntsFit(values, n));
  PetscCall(
      get(s, name, sizeof(PetscInt) == 8 ? H5T_NATIVE_INT64 : H5T_NATIVE_INT32, n, values->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_int(const Source *s, const char name[], PetscInt *value)
{
  return get(s, name, sizeof(PetscInt) == 8 ? H5T_NATIVE_INT64 : H5T_NATIVE_INT32, 1, value);
}

/* ---- matrices ------------------------------------------------------------------------------ */

typedef struct {
  PetscInt  nz, n; /* storage; entries */
  ConeInts  p, i;
  ConeReals x;
} Raw;

/* nz >= 0: triplets, i rows, p columns; -1: compressed columns; -2: compressed rows. */
static PetscErrorCode get_raw(const Source *s, const char name[], Raw *raw, ConeTriplets *t)
{
  char     part[128];
  PetscInt lines;

  PetscFunctionBeginUser;
  snprintf(part, sizeof part, "%s/m", name);
  PetscCall(get_int(s, part, &t->rows));
  snprintf(part, sizeof part, "%s/n", name);
  PetscCall(get_int(s, part, &t->cols));
  snprintf(part, sizeof part, "%s/nz", name);
  PetscCall(get_int(s, part, &raw->nz));
  if (t->rows < 0 || t->cols < 0 || raw->nz < -2)
    CrInputFail("%s: the matrix \"%s\" has invalid sizes (%" PetscInt_FMT " by %" PetscInt_FMT
                ") or an unknown storage format %" PetscInt_FMT,
                s->path, name, t->rows, t->cols, raw->nz);
  lines = raw->nz >= 0 ? raw->nz : (raw->nz == -1 ? t->cols : t->rows) + 1;
  snprintf(part, sizeof part, "%s/p", name);
  if (raw->nz >= 0) lines = PetscMax(lines, length(s, part)); /* room kept for more entries */
  PetscCall(get_ints(s, part, lines, &raw->p));
  raw->n = raw->nz >= 0 ? raw->nz : raw->p.data[lines - 1];
  snprintf(part, sizeof part, "%s/i", name);
  if (raw->n < 0 || raw->n > length(s, part))
    CrInputFail("%s: \"%s\" has fewer than %" PetscInt_FMT " numbers", s->path, part, raw->n);
  PetscCall(get_ints(s, part, length(s, part), &raw->i));
  snprintf(part, sizeof part, "%s/x", name);
  if (raw->n > length(s, part))
    CrInputFail("%s: \"%s\" has fewer than %" PetscInt_FMT " numbers", s->path, part, raw->n);
  PetscCall(get_reals(s, part, length(s, part), &raw->x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add(const Source *s, const char name[], ConeTriplets *t, PetscInt i,
                          PetscInt j, PetscReal x)
{
  PetscFunctionBeginUser;
  if (i < 0 || i >= t->rows || j < 0 || j >= t->cols)
    CrInputFail("%s: \"%s\": entry (%" PetscInt_FMT ", %" PetscInt_FMT ") lies outside the matrix",
                s->path, name, i, j);
  PetscCall(ConeTripletsAdd(t, i, j, x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode unpack(const Source *s, const char name[], const Raw *raw, ConeTriplets *t)
{
  const PetscInt *p = raw->p.data, *i = raw->i.data;

  PetscFunctionBeginUser;
  if (raw->nz >= 0) {
    for (PetscInt k = 0; k < raw->nz; k++) PetscCall(add(s, name, t, i[k], p[k], raw->x.data[k]));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt line = 0; line < (raw->nz == -1 ? t->cols : t->rows); line++) {
    if (p[line] < 0 || p[line] > p[line + 1] || p[line + 1] > raw->n)
      CrInputFail("%s: the column offsets \"%s/p\" do not ascend", s->path, name);
    for (PetscInt k = p[line]; k < p[line + 1]; k++)
      PetscCall(add(s, name, t, raw->nz == -1 ? i[k] : line, raw->nz == -1 ? line : i[k],
                    raw->x.data[k]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_matrix(const Source *s, const char name[], ConeTriplets *t)
{
  Raw            raw = {0};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = get_raw(s, name, &raw, t);
  if (!code) code = unpack(s, name, &raw, t);
  PetscCall(PetscFree(raw.p.data));
  PetscCall(PetscFree(raw.i.data));
  PetscCall(PetscFree(raw.x.data));
  PetscFunctionReturn(code);
}

/* ---- problems ------------------------------------------------------------------------------ */

/* Bilateral constraints beside the contacts are no part of the problem that is solved here. */
static PetscErrorCode refuse_bilateral(const Source *s, const char name[])
{
  char part[128];

  PetscFunctionBeginUser;
  snprintf(part, sizeof part, "%s/m", name);
  if (length(s, part) > 0)
    CrInputFail("%s: \"%s\": problems with bilateral constraints are not supported", s->path, name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_contacts(const Source *s, const char group[], ConeStored *stored)
{
  char     name[64];
  PetscInt n;

  PetscFunctionBeginUser;
  snprintf(name, sizeof name, "%s/spacedim", group);
  PetscCall(get_int(s, name, &stored->dim));
  if (stored->dim != 2 && stored->dim != 3)
    CrInputFail("%s: \"%s\" is %" PetscInt_FMT ", but must be 2 or 3", s->path, name, stored->dim);
  snprintf(name, sizeof name, "%s/vectors/mu", group);
  n = length(s, name);
  if (n < 0) CrInputFail("%s: \"%s\" is missing", s->path, name);
  stored->contacts = n;
  PetscCall(get_reals(s, name, n, &stored->mu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_local(const Source *s, ConeStored *stored)
{
  const PetscInt *n = &stored->W.rows;

  PetscFunctionBeginUser;
  PetscCall(get_contacts(s, "fclib_local", stored));
  PetscCall(refuse_bilateral(s, "fclib_local/R"));
  PetscCall(get_matrix(s, "fclib_local/W", &stored->W));
  if (*n != stored->dim * stored->contacts || stored->W.cols != *n)
    CrInputFail("%s: \"fclib_local/W\" is %" PetscInt_FMT " by %" PetscInt_FMT
                ", but there are %" PetscInt_FMT " contacts in %" PetscInt_FMT " dimensions",
                s->path, *n, stored->W.cols, stored->contacts, stored->dim);
  PetscCall(get_reals(s, "fclib_local/vectors/q", *n, &stored->q));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_global(const Source *s, ConeStored *stored)
{
  const PetscInt *n = &stored->W.rows;

  PetscFunctionBeginUser;
  stored->global = PETSC_TRUE;
  PetscCall(get_contacts(s, "fclib_global", stored));
  PetscCall(refuse_bilateral(s, "fclib_global/G"));
  PetscCall(get_matrix(s, "fclib_global/M", &stored->W));
  PetscCall(get_matrix(s, "fclib_global/H", &stored->H));
  if (stored->W.cols != *n || stored->H.rows != *n ||
      stored->H.cols != stored->dim * stored->contacts)
    CrInputFail("%s: the sizes of M, H and mu are inconsistent: M %" PetscInt_FMT
                " by %" PetscInt_FMT ", H %" PetscInt_FMT " by %" PetscInt_FMT ", %" PetscInt_FMT
                " contacts",
                s->path, *n, stored->W.cols, stored->H.rows, stored->H.cols, stored->contacts);
  PetscCall(get_reals(s, "fclib_global/vectors/f", *n, &stored->f));
  PetscCall(get_reals(s, "fclib_global/vectors/w", stored->H.cols, &stored->q));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ConeReadHdf5(const char path[], ConeStored *stored)
{
  Source         s = {path, -1};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  s.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (s.file < 0) CrInputFail("%s: is a truncated or damaged HDF5 file", path);
  if (is_there(&s, "fclib_local"))
    code = get_local(&s, stored);
  else if (is_there(&s, "fclib_global"))
    code = get_global(&s, stored);
  else
    code = CrInputError("%s: has neither \"fclib_local\" nor \"fclib_global\"", path);
  H5Fclose(s.file);
  PetscFunctionReturn(code);
}
