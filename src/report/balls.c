/* Rigid balls and discs. The web page draws them as round bodies. It needs their radius, and four nodes that give their
   position and rotation. */
#include <math.h>
#include <string.h>
#include "base/vector.h"
#include "report/internal.h"

#define ROUND 1e-4 /* radii of a ball's nodes differ by less than this share */

/* Triangles from `first` to `end`, nodes from `low` to `high`: those of one body. */
typedef struct {
  PetscInt first, end, low, high;
} Piece;

static Piece next_piece(const CrFilm *film, PetscInt first)
{
  Piece p = {first, first, PETSC_MAX_INT, 0};

  while (p.end < film->ntriangles && film->triangles[p.end].body == film->triangles[first].body) {
    for (int i = 0; i < 3; i++) {
      p.low = PetscMin(p.low, film->triangles[p.end].nodes[i]);
      p.high = PetscMax(p.high, film->triangles[p.end].nodes[i]);
    }
    p.end++;
  }
  return p;
}

/* In space round surfaces carry parts; in the plane a disc consists of two halves (rigid/picture.c). */
static PetscBool may_be_round(const CrFilm *film, const Piece *p)
{
  if (film->dim == 2) return film->elements[film->triangles[p->first].body] == 2;
  for (PetscInt t = p->first; t < p->end; t++)
    if (!film->triangles[t].round) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* The radius, if all nodes have the same distance from their mean; else 0. */
static PetscReal radius_of(const Piece *p, const PetscReal *points, PetscReal centre[3])
{
  const PetscReal n = (PetscReal)(p->high - p->low + 1);
  PetscReal       least = PETSC_MAX_REAL, greatest = 0;

  for (int i = 0; i < 3; i++) {
    centre[i] = 0;
    for (PetscInt k = p->low; k <= p->high; k++) centre[i] += points[3 * k + i] / n;
  }
  for (PetscInt k = p->low; k <= p->high; k++) {
    PetscReal r[3];

    v_less(points + 3 * k, centre, r);
    least = PetscMin(least, v_length(r));
    greatest = PetscMax(greatest, v_length(r));
  }
  return least > (1 - ROUND) * greatest ? greatest : 0;
}

/* The node whose direction from the centre is nearest to `way`; across: nearest to a right angle to it. */
static PetscInt node_along(const Piece *p, const PetscReal *points, const PetscReal centre[3],
                           const PetscReal way[3], PetscBool across)
{
  PetscReal best = PETSC_MAX_REAL;
  PetscInt  node = p->low;

  for (PetscInt k = p->low; k <= p->high; k++) {
    PetscReal r[3], d;

    v_less(points + 3 * k, centre, r);
    d = across ? fabs(v_dot(r, way)) : -v_dot(r, way);
    if (d < best) best = d, node = k;
  }
  return node;
}

/* Two pairs of opposite nodes: their mean is the centre. */
static void choose_nodes(const Piece *p, const PetscReal *points, const PetscReal centre[3],
                         PetscInt nodes[4])
{
  PetscReal way[3], back[3];

  nodes[0] = p->low;
  for (int pair = 0; pair < 2; pair++) {
    v_less(points + 3 * nodes[2 * pair], centre, way);
    for (int i = 0; i < 3; i++) back[i] = -way[i];
    nodes[2 * pair + 1] = node_along(p, points, centre, back, PETSC_FALSE);
    if (!pair) nodes[2] = node_along(p, points, centre, way, PETSC_TRUE);
  }
}

PetscErrorCode CrFilmFindBalls(CrFilm *film, const PetscReal *points, const PetscInt part[])
{
  PetscInt  kept = 0;
  PetscReal centre[3];

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(film->nbodies, &film->ball));
  for (PetscInt t = 0; t < film->ntriangles;) {
    const Piece    p = next_piece(film, t);
    const PetscInt body = film->triangles[t].body;
    PetscInt       nodes[4];

    if (part[body] > 0 && may_be_round(film, &p)) film->ball[body] = radius_of(&p, points, centre);
    if (film->ball[body] > 0) {
      choose_nodes(&p, points, centre, nodes);
      for (int k = 0; k < 2; k++)
        film->triangles[kept++] =
            (CrFilmTriangle){.nodes = {nodes[0], nodes[1], nodes[2 + k]}, .body = body};
    } else {
      memmove(film->triangles + kept, film->triangles + p.first,
              sizeof *film->triangles * (size_t)(p.end - p.first));
      kept += p.end - p.first;
    }
    t = p.end;
  }
  film->ntriangles = kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}
