/* Straight lines through a surface: edges that penetrate it, and rays that decide between inside and outside. */
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

typedef struct {
  PetscReal share, normal[3];
  PetscInt  facet;
} Hit;

/* Finds the first facet beyond the share `from` that the segment pierces inwards or outwards. */
static PetscBool next_hit(const CrShell *s, PetscInt n, const PetscInt *facets,
                          const PetscReal p[3], const PetscReal e[3], PetscReal from, int inwards,
                          Hit *hit)
{
  hit->facet = -1;
  hit->share = 2;
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt k = 0; k < CrShellParts(s, facets[i]); k++) {
      PetscReal t[3][3], normal[3], share;

      CrShellPart(s, facets[i], k, t);
      share = pierce(t, p, e, normal);
      if (share < from || share < 0 || share >= hit->share) continue;
      if ((v_dot(e, normal) < 0) != inwards) continue;
      hit->share = share;
      hit->facet = facets[i];
      v_copy(normal, hit->normal);
    }
  return hit->facet >= 0;
}

/* If an end of the edge is inside, the edge counts as entering or leaving through the facet closest to this end. So the
   penetration does not depend on whether rounding puts a touching vertex inside or outside. */
static void end_inside(const CrShell *s, const PetscReal x[3], PetscReal share, Hit *hit)
{
  CrShellFoot foot;

  CrShellFootOf(s, x, &foot);
  hit->share = share;
  hit->facet = foot.facet;
  CrShellNormal(s, foot.facet, hit->normal);
}

/* Is the middle of an edge inside that pierces no facet? The ends of such an edge may touch the surface. */
static PetscBool is_middle_inside(const CrShell *s, const PetscReal p[3], const PetscReal e[3])
{
  PetscReal   x[3];
  CrShellFoot foot;

  v_copy(p, x);
  v_add(x, 0.5, e);
  CrShellFootOf(s, x, &foot);
  return foot.facet >= 0 && !foot.rim && foot.distance < 0;
}

/* Finds the next part of the edge beyond `from` that is inside the body. Returns false if there is none. */
static PetscBool next_dip(const CrShell *s, PetscInt n, const PetscInt *facets,
                          const PetscReal p[3], const PetscReal q[3], const PetscReal e[3],
                          PetscReal from, Hit *in, Hit *out)
{
  PetscBool enters = next_hit(s, n, facets, p, e, from, 1, in);
  PetscBool leaves = next_hit(s, n, facets, p, e, from, 0, out);

  if (from == 0 && leaves && (!enters || out->share < in->share)) {
    end_inside(s, p, 0, in);
    return PETSC_TRUE;
  }
  if (from == 0 && !enters && is_middle_inside(s, p, e)) {
    end_inside(s, p, 0, in);
    end_inside(s, q, 1, out);
    return PETSC_TRUE;
  }
  if (!enters) return PETSC_FALSE;
  if (!next_hit(s, n, facets, p, e, in->share, 0, out)) end_inside(s, q, 1, out);
  return PETSC_TRUE;
}

#define SAMPLES 7             /* points of a dip between its ends */
#define DIP     (SAMPLES + 2) /* with its ends */
#define GRAZING 0.2 /* least cosine at which a direction counts as leading out of a facet */

/* A part of an edge between the hits `in` and `out`: its points, and the closest points of the surface to them. */
typedef struct {
  PetscReal x[DIP][3], foot[DIP][3], normal[DIP][3], greatest; /* distance from the surface */
} Dip;

static void sample_dip(const CrShell *s, const PetscReal p[3], const PetscReal e[3], const Hit *in,
                       const Hit *out, Dip *dip)
{
  dip->greatest = 0;
  for (int k = 0; k < DIP; k++) {
    CrShellFoot foot;

    v_copy(p, dip->x[k]);
    v_add(dip->x[k], in->share + (out->share - in->share) * k / (DIP - 1), e);
    CrShellFootOf(s, dip->x[k], &foot);
    CrShellRefine(s, dip->x[k], &foot);
    CrShellNormal(s, foot.facet, dip->normal[k]);
    v_copy(foot.foot, dip->foot[k]);
    dip->greatest = PetscMax(dip->greatest, -foot.distance);
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

/* The least displacement along the normal of a closest point that moves a dip out of the body. The normals at the two
   hits alone would mean little where an edge runs below a surface of many facets. Twice the greatest distance from the
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
  PetscReal box[6], e[3], from = 0, deepest = 0;
  PetscInt  n;
  Hit       in, out;
  Dip       dip;

  for (int i = 0; i < 3; i++) {
    box[i] = PetscMin(p[i], q[i]);
    box[3 + i] = PetscMax(p[i], q[i]);
  }
  n = CrShellQuery(s, box, room, found);
  v_less(q, p, e);
  while (n && from < 1 && next_dip(s, n, found, p, q, e, from, &in, &out)) {
    PetscReal length = out.share - in.share;
    /* the displacement along the normal of `in` or `out`, whichever is shorter, that moves this part of the edge out of
       the body */
    PetscReal depth =
        length * PetscMin(PetscAbsReal(v_dot(e, in.normal)), PetscAbsReal(v_dot(e, out.normal)));

    if (depth > deepest) {
      sample_dip(s, p, e, &in, &out, &dip);
      depth = PetscMin(depth, way_out_of(&dip));
    }
    if (depth > deepest) {
      deepest = depth;
      foot->facet = in.facet;
      v_copy(p, foot->foot);
      v_add(foot->foot, in.share + length / 2, e);
    }
    if (!(length > 0)) break;
    from = out.share;
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
