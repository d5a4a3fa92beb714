/* Computes the thickness of bodies by rays through their boundaries (skin.h). */
#include "contact/overlap/skin.h"
#include "base/mail.h"
#include "base/vector.h"
#include "contact/geometry/tree.h"

#define PACKED 14   /* a facet as reals: its body, number of corners, four corners */
#define BEGIN  1e-6 /* of a piece: hits that are nearer belong to the place itself */

struct CrSkin {
  const CrModel *model;  /* borrowed */
  PetscInt       n;      /* facets of this rank */
  PetscReal     *facets; /* [PACKED n], owned, as all below */
  CrTree        *tree;
  PetscInt      *found; /* [n] */
  PetscMPIInt    ranks;
  PetscReal     *boxes; /* [2 dim ranks] around the facets of each rank */
};

/* ---- collecting -------------------------------------------------------------------------------- */

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
  PetscFunctionBeginUser;
  *n = 0;
  for (PetscInt b = 0; b < model->nbodies; b++) {
    PetscInt s = CrModelBoundary(model, b);

    for (PetscInt f = 0; s >= 0 && f < model->sets[s].nfacets; f++)
      *n += model->sets[s].facets[f].owned;
  }
  PetscCall(PetscMalloc1(PACKED * *n, own));
  *n = 0;
  for (PetscInt b = 0; b < model->nbodies; b++) {
    PetscInt s = CrModelBoundary(model, b);

    for (PetscInt f = 0; s >= 0 && f < model->sets[s].nfacets; f++)
      if (model->sets[s].facets[f].owned)
        pack(model, b, &model->sets[s].facets[f], *own + PACKED * (*n)++);
  }
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
  CrTreeUpdate(skin->tree, boxes);
  PetscCall(PetscFree(boxes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSkinCreate(const CrModel *model, CrSkin **out)
{
  const int width = 2 * (int)model->dim;
  CrSkin   *skin;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&skin));
  *out = skin;
  skin->model = model;
  PetscCall(pack_own(model, &skin->n, &skin->facets));
  PetscCall(make_tree(skin));
  PetscCallMPI(MPI_Comm_size(model->comm, &skin->ranks));
  PetscCall(PetscMalloc2(skin->n, &skin->found, width * skin->ranks, &skin->boxes));
  PetscCallMPI(MPI_Allgather(CrTreeBox(skin->tree), width, MPIU_REAL, skin->boxes, width, MPIU_REAL,
                             model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSkinDestroy(CrSkin **skin)
{
  PetscFunctionBeginUser;
  if (!*skin) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrTreeDestroy(&(*skin)->tree));
  PetscCall(PetscFree((*skin)->facets));
  PetscCall(PetscFree2((*skin)->found, (*skin)->boxes));
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

/* The box of the piece of a ray between two distances from its start. */
static void box_of(const CrSkinRay *ray, PetscInt dim, PetscReal from, PetscReal to,
                   PetscReal box[6])
{
  for (PetscInt i = 0; i < dim; i++) {
    PetscReal d = -ray->normal[i], a = ray->X[i] + from * d, b = ray->X[i] + to * d;

    box[i] = PetscMin(a, b);
    box[dim + i] = PetscMax(a, b);
  }
}

/* The thickness as far as the facets of this rank show it. */
static PetscReal trace(const CrSkin *skin, const CrSkinRay *ray)
{
  const PetscReal *n = ray->normal, d[3] = {-n[0], -n[1], -n[2]};
  const PetscReal  size = skin->model->bodies[ray->body].size, least = BEGIN * ray->piece;
  PetscReal        piece = ray->piece;

  for (PetscReal from = 0; from < size; from += piece, piece *= 2) {
    PetscReal box[6], nearest = size;
    PetscInt  m = 0;

    box_of(ray, skin->model->dim, from, from + piece, box);
    (void)CrTreeQuery(skin->tree, box, skin->n, skin->found, &m);
    for (PetscInt k = 0; k < m; k++) {
      PetscReal t = (PetscInt)skin->facets[PACKED * skin->found[k]] == ray->body
                        ? leave(skin, skin->found[k], ray->X, d)
                        : -1;

      if (t > least && t < nearest) nearest = t;
    }
    if (nearest <= from + piece) return nearest;
  }
  return size;
}

/* ---- rays of all ranks ---------------------------------------------------------------------------- */

/* May the ray meet facets of a rank? */
static PetscBool may_meet(const CrSkin *skin, const CrSkinRay *ray, PetscMPIInt rank)
{
  const PetscInt   dim = skin->model->dim;
  const PetscReal *other = skin->boxes + 2 * dim * rank;
  PetscReal        box[6];

  box_of(ray, dim, 0, skin->model->bodies[ray->body].size, box);
  for (PetscInt i = 0; i < dim; i++)
    if (box[i] > other[dim + i] || other[i] > box[dim + i]) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Sends rays to the ranks whose facets they may meet. A record is a ray: number, body; place, normal, piece. */
static PetscErrorCode send_rays(const CrSkin *skin, PetscInt n, const CrSkinRay rays[],
                                CrMail *mail)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    PetscReal reals[7];

    v_copy(rays[k].X, reals);
    v_copy(rays[k].normal, reals + 3);
    reals[6] = rays[k].piece;
    for (PetscMPIInt p = 0; p < skin->ranks; p++)
      if (may_meet(skin, &rays[k], p))
        PetscCall(CrMailAdd(mail, p, (PetscInt[2]){k, rays[k].body}, reals));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode trace_mail(const CrSkin *skin, PetscInt n, const CrSkinRay rays[],
                                 PetscReal thickness[])
{
  MPI_Comm   comm = skin->model->comm;
  CrMail     mail;
  CrPost     post;
  PetscReal *found, *answers;
  PetscInt  *number, sent;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 2, 7, &mail));
  PetscCall(send_rays(skin, n, rays, &mail));
  sent = mail.n;
  PetscCall(PetscMalloc2(sent, &number, sent, &answers));
  for (PetscInt k = 0; k < sent; k++) number[k] = mail.ints[2 * k];
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc1(post.n, &found));
  for (PetscInt k = 0; k < post.n; k++) {
    CrSkinRay ray = {.body = post.ints[2 * k + 1], .piece = post.reals[7 * k + 6]};

    v_copy(post.reals + 7 * k, ray.X);
    v_copy(post.reals + 7 * k + 3, ray.normal);
    found[k] = trace(skin, &ray);
  }
  PetscCall(CrMailAnswer(comm, &mail, 0, NULL, NULL, 1, found, answers));
  for (PetscInt k = 0; k < sent; k++)
    thickness[number[k]] = PetscMin(thickness[number[k]], answers[k]);
  PetscCall(PetscFree(found));
  PetscCall(PetscFree2(number, answers));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSkinTrace(const CrSkin *skin, PetscInt n, const CrSkinRay rays[],
                           PetscReal thickness[])
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++)
    thickness[k] = skin->ranks > 1 ? skin->model->bodies[rays[k].body].size : trace(skin, &rays[k]);
  if (skin->ranks > 1) PetscCall(trace_mail(skin, n, rays, thickness));
  PetscFunctionReturn(PETSC_SUCCESS);
}
