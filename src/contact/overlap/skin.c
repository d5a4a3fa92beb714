/* Thickness of bodies by rays through their boundaries: see skin.h. */
#include "contact/overlap/skin.h"
#include "base/vector.h"
#include "contact/geometry/tree.h"

#define PACKED 14   /* a facet as reals: its body, number of corners, four corners */
#define BEGIN  1e-6 /* of a piece: hits that are nearer belong to the place itself */

struct CrSkin {
  const CrModel *model;  /* borrowed */
  PetscInt       n;      /* facets */
  PetscReal     *facets; /* [PACKED n], owned, as all below */
  CrTree        *tree;
  PetscInt       room, *found;
};

/* ---- gathering -------------------------------------------------------------------------------- */

static void pack(const CrModel *model, PetscInt body, const CrLocalFacet *facet, PetscReal *to)
{
  PetscInt n = CrCells[facet->type].ncorners;

  to[0] = (PetscReal)body;
  to[1] = (PetscReal)n;
  for (PetscInt a = 0; a < 4; a++)
    for (PetscInt i = 0; i < 3; i++)
      to[2 + 3 * a + i] = a < n && i < model->dim ? model->X[model->dim * facet->nodes[a] + i] : 0;
}

/* The facets that this rank counts. */
static PetscErrorCode pack_own(const CrModel *model, PetscInt *n, PetscReal **own)
{
  PetscInt most = 0;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < model->nbodies; b++)
    if (CrModelBoundary(model, b) >= 0) most += model->sets[CrModelBoundary(model, b)].nfacets;
  PetscCall(PetscMalloc1(PACKED * most, own));
  *n = 0;
  for (PetscInt b = 0; b < model->nbodies; b++) {
    PetscInt s = CrModelBoundary(model, b);

    for (PetscInt f = 0; s >= 0 && f < model->sets[s].nfacets; f++)
      if (model->sets[s].facets[f].owned)
        pack(model, b, &model->sets[s].facets[f], *own + PACKED * (*n)++);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode gather(MPI_Comm comm, PetscInt n, PetscReal *own, CrSkin *skin)
{
  PetscMPIInt size, mine = (PetscMPIInt)(PACKED * n), *counts, *starts, total = 0;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscMalloc2(size, &counts, size, &starts));
  PetscCallMPI(MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, comm));
  for (PetscMPIInt p = 0; p < size; p++) {
    starts[p] = total;
    total += counts[p];
  }
  PetscCall(PetscMalloc1(total, &skin->facets));
  PetscCallMPI(MPI_Allgatherv(own, mine, MPIU_REAL, skin->facets, counts, starts, MPIU_REAL, comm));
  skin->n = total / PACKED;
  PetscCall(PetscFree2(counts, starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_tree(CrSkin *skin)
{
  PetscInt   dim = skin->model->dim;
  PetscReal *boxes;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(2 * dim * skin->n, &boxes));
  for (PetscInt f = 0; f < skin->n; f++) {
    const PetscReal *facet = skin->facets + PACKED * f;
    PetscReal        low[3], high[3];

    v_bounds((PetscInt)facet[1], facet + 2, low, high);
    for (PetscInt i = 0; i < dim; i++) {
      boxes[2 * dim * f + i] = low[i];
      boxes[2 * dim * f + dim + i] = high[i];
    }
  }
  PetscCall(CrTreeCreate(dim, skin->n, &skin->tree));
  PetscCall(CrTreeUpdate(skin->tree, boxes));
  PetscCall(PetscFree(boxes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSkinCreate(const CrModel *model, CrSkin **skin)
{
  PetscReal *own;
  PetscInt   n;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(skin));
  (*skin)->model = model;
  PetscCall(pack_own(model, &n, &own));
  PetscCall(gather(model->comm, n, own, *skin));
  PetscCall(PetscFree(own));
  PetscCall(make_tree(*skin));
  (*skin)->room = (*skin)->n;
  PetscCall(PetscMalloc1((*skin)->room, &(*skin)->found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSkinDestroy(CrSkin **skin)
{
  PetscFunctionBeginUser;
  if (!*skin) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrTreeDestroy(&(*skin)->tree));
  PetscCall(PetscFree((*skin)->facets));
  PetscCall(PetscFree((*skin)->found));
  PetscCall(PetscFree(*skin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- rays --------------------------------------------------------------------------------------- */

/* The way along d from o until the plane through p with the normal n, if the ray leaves there; else -1. */
static PetscReal until_plane(const PetscReal o[3], const PetscReal d[3], const PetscReal p[3],
                             const PetscReal n[3])
{
  PetscReal w[3], rate = v_dot(d, n);

  v_less(p, o, w);
  return rate > 0 ? v_dot(w, n) / rate : -1;
}

static PetscReal leave_segment(const PetscReal *x, const PetscReal o[3], const PetscReal d[3])
{
  PetscReal e[3], n[3] = {0}, w[3], t, along;

  v_less(x + 3, x, e);
  n[0] = e[1], n[1] = -e[0];
  t = until_plane(o, d, x, n);
  v_less(o, x, w);
  v_add(w, t, d);
  along = v_dot(w, e);
  return along >= 0 && along <= v_dot(e, e) ? t : -1;
}

static PetscReal leave_triangle(const PetscReal *a, const PetscReal *b, const PetscReal *c,
                                const PetscReal o[3], const PetscReal d[3])
{
  const PetscReal *corner[3] = {a, b, c};
  PetscReal        s[3], r[3], n[3], x[3], t;

  v_less(b, a, s);
  v_less(c, a, r);
  v_cross(s, r, n);
  t = until_plane(o, d, a, n);
  v_copy(o, x);
  v_add(x, t, d);
  for (int k = 0; k < 3; k++) {
    PetscReal q[3];

    v_less(corner[(k + 1) % 3], corner[k], s);
    v_less(x, corner[k], r);
    v_cross(s, r, q);
    if (v_dot(q, n) < 0) return -1;
  }
  return t;
}

/* Where the ray leaves the body through facet f; -1: it does not. */
static PetscReal leave(const CrSkin *skin, PetscInt f, const PetscReal o[3], const PetscReal d[3])
{
  const PetscReal *facet = skin->facets + PACKED * f, *x = facet + 2;
  PetscReal        t;

  if (skin->model->dim == 2) return leave_segment(x, o, d);
  t = leave_triangle(x, x + 3, x + 6, o, d);
  return t < 0 && facet[1] > 3 ? leave_triangle(x, x + 6, x + 9, o, d) : t;
}

PetscReal CrSkinThickness(const CrSkin *skin, PetscInt body, const PetscReal X[3],
                          const PetscReal normal[3], PetscReal piece)
{
  const PetscInt  dim = skin->model->dim;
  const PetscReal size = skin->model->bodies[body].size;
  const PetscReal d[3] = {-normal[0], -normal[1], -normal[2]}, least = BEGIN * piece;

  for (PetscReal from = 0; from < size; from += piece, piece *= 2) {
    PetscReal box[6], nearest = size;
    PetscInt  n = 0;

    for (PetscInt i = 0; i < dim; i++) {
      PetscReal a = X[i] + from * d[i], b = X[i] + (from + piece) * d[i];

      box[i] = PetscMin(a, b);
      box[dim + i] = PetscMax(a, b);
    }
    (void)CrTreeQuery(skin->tree, box, skin->room, skin->found, &n);
    for (PetscInt k = 0; k < n; k++) {
      PetscReal t = (PetscInt)skin->facets[PACKED * skin->found[k]] == body
                        ? leave(skin, skin->found[k], X, d)
                        : -1;

      if (t > least && t < nearest) nearest = t;
    }
    if (nearest <= from + piece) return nearest;
  }
  return size;
}
