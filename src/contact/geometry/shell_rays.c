/* Follows straight lines through a surface: edges that penetrate it, and rays that decide whether a point is inside or
   outside. */
#include "base/vector.h"
#include "contact/geometry/shell.h"

PetscInt CrShellQuery(const CrShell *s, const PetscReal *box, PetscInt room, PetscInt *found)
{
  PetscInt n = 0;

  (void)CrTreeQuery(s->tree, box, room, found, &n);
  return PetscMin(n, room);
}

/* ---- edges that dip in -------------------------------------------------------------------------- */

/* The share s at which the segment p + s e pierces a triangle; -1: it does not. n becomes the normal of the triangle.
   */
static PetscReal pierce(PetscReal t[3][3], const PetscReal p[3], const PetscReal e[3],
                        PetscReal n[3])
{
  PetscReal s[3], r[3], w[3], q[3], det, a, b, share;

  v_less(t[1], t[0], s);
  v_less(t[2], t[0], r);
  v_cross(s, r, n);
  det = -v_dot(e, n);
  if (det == 0) return -1;
  v_less(p, t[0], w);
  share = v_dot(w, n) / det;
  v_cross(e, w, q); /* Moeller and Trumbore 1997 */
  a = -v_dot(r, q) / det;
  b = v_dot(s, q) / det;
  (void)v_unit(n);
  return share >= 0 && share <= 1 && a >= 0 && b >= 0 && a + b <= 1 ? share : -1;
}

#define MOST_HITS                                                                                  \
  254 /* of an edge; further ones are left out, and longer parts are judged by their middle */
#define SHORTEST                                                                                   \
  1e-12 /* of an edge: shorter parts come from rounding where the edge touches the surface */

static int by_size(const void *a, const void *b)
{
  const PetscReal x = *(const PetscReal *)a, y = *(const PetscReal *)b;

  return (x > y) - (x < y);
}

/* The shares at which the segment p + s e pierces facets, ascending, with 0 and 1 around them. Returns their number. */
static PetscInt cuts_of(const CrShell *s, PetscInt n, const PetscInt *facets, const PetscReal p[3],
                        const PetscReal e[3], PetscReal cuts[MOST_HITS + 2])
{
  PetscInt ncuts = 0;

  cuts[ncuts++] = 0;
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt k = 0; k < CrShellParts(s, facets[i]) && ncuts <= MOST_HITS; k++) {
      PetscReal t[3][3], normal[3], share;

      CrShellPart(s, facets[i], k, t);
      share = pierce(t, p, e, normal);
      if (share >= 0) cuts[ncuts++] = share;
    }
  cuts[ncuts++] = 1;
  qsort(cuts, (size_t)ncuts, sizeof *cuts, by_size);
  return ncuts;
}

static PetscBool is_inside_at(const CrShell *s, const PetscReal p[3], const PetscReal e[3],
                              PetscReal share)
{
  PetscReal   x[3];
  CrShellFoot foot;

  v_copy(p, x);
  v_add(x, share, e);
  CrShellFootOf(s, x, &foot);
  return foot.facet >= 0 && !foot.rim && foot.distance < 0;
}

/* Finds the next part of the edge, from cut *k on, that is inside the body: between the shares in and out. A part between
   two cuts is inside if its middle is. So the parts do not depend on which side of the surface rounding puts an end of
   the edge that touches it. Returns false if there is none. */
static PetscBool next_dip(const CrShell *s, const PetscReal p[3], const PetscReal e[3],
                          PetscInt ncuts, const PetscReal *cuts, PetscInt *k, PetscReal *in,
                          PetscReal *out)
{
  PetscBool found = PETSC_FALSE;

  for (; *k + 1 < ncuts; (*k)++) {
    const PetscReal from = cuts[*k], to = cuts[*k + 1];

    if (!(to - from > SHORTEST)) continue;
    if (!is_inside_at(s, p, e, (from + to) / 2)) {
      if (found) break;
      continue;
    }
    if (!found) *in = from;
    *out = to;
    found = PETSC_TRUE;
  }
  return found;
}

#define SAMPLES 7             /* points of a dip between its ends */
#define DIP     (SAMPLES + 2) /* with its ends */
#define GRAZING 0.2 /* least cosine at which a direction counts as leading out of a facet */

/* A part of an edge between two shares: its points, and the closest points of the surface to them. */
typedef struct {
  PetscReal x[DIP][3], foot[DIP][3], normal[DIP][3], greatest; /* distance from the surface */
  PetscInt  facet;                                             /* closest to the middle */
} Dip;

static void sample_dip(const CrShell *s, const PetscReal p[3], const PetscReal e[3], PetscReal in,
                       PetscReal out, Dip *dip)
{
  dip->greatest = 0;
  for (int k = 0; k < DIP; k++) {
    CrShellFoot foot;

    v_copy(p, dip->x[k]);
    v_add(dip->x[k], in + (out - in) * k / (DIP - 1), e);
    CrShellFootOf(s, dip->x[k], &foot);
    CrShellRefine(s, dip->x[k], &foot);
    CrShellNormal(s, foot.facet, dip->normal[k]);
    v_copy(foot.foot, dip->foot[k]);
    dip->greatest = PetscMax(dip->greatest, -foot.distance);
    if (k == DIP / 2) dip->facet = foot.facet;
  }
}

/* The displacement along n that moves point k out of the body, which lies behind the planes of all closest points. */
static PetscReal way_out_at(const Dip *dip, int k, const PetscReal n[3])
{
  PetscReal least = PETSC_MAX_REAL;

  for (int j = 0; j < DIP; j++) {
    const PetscReal cosine = v_dot(n, dip->normal[j]);
    PetscReal       way[3];

    v_less(dip->foot[j], dip->x[k], way);
    if (cosine > GRAZING) least = PetscMin(least, PetscMax(0, v_dot(way, dip->normal[j])) / cosine);
  }
  return least;
}

/* The least displacement along the normal of a closest point that moves a dip out of the body. The normals at its two
   ends alone would mean little where an edge runs below a surface of many facets. Twice the greatest distance from the
   surface is a bound too: in a wedge it equals that displacement. */
static PetscReal way_out_of(const Dip *dip)
{
  PetscReal least = PETSC_MAX_REAL;

  for (int d = 1; d < DIP - 1; d++) {
    PetscReal greatest = dip->greatest;

    for (int k = 0; k < DIP; k++) greatest = PetscMax(greatest, way_out_at(dip, k, dip->normal[d]));
    least = PetscMin(least, greatest);
  }
  return PetscMin(least, 2 * dip->greatest);
}

PetscReal CrShellEdgeDepth(const CrShell *s, const PetscReal p[3], const PetscReal q[3],
                           PetscInt room, PetscInt *found, CrShellFoot *foot)
{
  PetscReal box[6], e[3], cuts[MOST_HITS + 2], in, out, deepest = 0;
  PetscInt  n, ncuts, k = 0;
  Dip       dip;

  for (int i = 0; i < 3; i++) {
    box[i] = PetscMin(p[i], q[i]);
    box[3 + i] = PetscMax(p[i], q[i]);
  }
  n = CrShellQuery(s, box, room, found);
  v_less(q, p, e);
  ncuts = n ? cuts_of(s, n, found, p, e, cuts) : 0;
  while (next_dip(s, p, e, ncuts, cuts, &k, &in, &out)) {
    PetscReal depth;

    sample_dip(s, p, e, in, out, &dip);
    depth = way_out_of(&dip);
    if (!(depth > deepest)) continue;
    deepest = depth;
    foot->facet = dip.facet;
    v_copy(dip.x[DIP / 2], foot->foot);
  }
  foot->distance = -deepest;
  foot->rim = PETSC_FALSE;
  return deepest;
}

/* ---- rays --------------------------------------------------------------------------------------- */

/* The share s at which the segment p + s e pierces another segment (2D), and the normal n there; -1: it does not. */
static PetscReal pierce_segment(PetscReal t[3][3], const PetscReal p[3], const PetscReal e[3],
                                PetscReal n[3])
{
  PetscReal s[3], w[3], rate, share, along;

  v_less(t[1], t[0], s);
  v_less(t[0], p, w);
  n[0] = s[1], n[1] = -s[0], n[2] = 0;
  rate = v_dot(e, n);
  if (rate == 0) return -1;
  share = v_dot(w, n) / rate;
  along = (w[0] * e[1] - w[1] * e[0]) / rate;
  return share >= 0 && share <= 1 && along >= 0 && along < 1 ? share : -1;
}

/* The number of times that a ray from x leaves the shell, minus the number of times that it enters. It is 1 if x is
   inside. */
static PetscInt winding(const CrShell *s, const PetscReal x[3], const PetscReal way[3],
                        PetscInt room, PetscInt *found)
{
  PetscInt  dim = s->surface->dim, n, count = 0;
  PetscReal box[6];

  for (PetscInt i = 0; i < dim; i++) {
    box[i] = PetscMin(x[i], x[i] + way[i]);
    box[dim + i] = PetscMax(x[i], x[i] + way[i]);
  }
  n = CrShellQuery(s, box, room, found);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt k = 0; k < CrShellParts(s, found[i]); k++) {
      PetscReal t[3][3], normal[3];

      CrShellPart(s, found[i], k, t);
      if ((dim == 2 ? pierce_segment(t, x, way, normal) : pierce(t, x, way, normal)) < 0) continue;
      count += v_dot(way, normal) > 0 ? 1 : -1;
    }
  return count;
}

PetscBool CrShellIsInside(const CrShell *s, const PetscReal x[3], PetscInt room, PetscInt *found)
{
  const PetscReal way[2][3] = {{1, 0.00137, 0.00071}, {-0.00113, -1, 0.00193}};

  for (int k = 0; k < 2; k++) {
    PetscReal ray[3] = {0}, length = 0;

    for (int i = 0; i < 3; i++) length += 2 * (s->box[3 + i] - s->box[i]);
    for (PetscInt i = 0; i < s->surface->dim; i++) ray[i] = length * way[k][i];
    if (winding(s, x, ray, room, found) < 1) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}
