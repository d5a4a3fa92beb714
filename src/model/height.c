/* Computes the height of the layer of nodes behind a facet, from the cell of the facet. */
#include "base/vector.h"
#include "model/share.h"

/* Corner a of cell e, as a vector of three. */
static void corner(const CrShare *w, PetscInt e, PetscInt a, PetscReal x[3])
{
  const PetscReal *X = w->X + w->dim * w->cell_nodes[w->cell_offset[e] + a];

  for (PetscInt i = 0; i < 3; i++) x[i] = i < w->dim ? X[i] : 0;
}

/* Area vector of a face, and its part of the volume: of the cone from the origin o. A face of 2D has the
   length as its area, and the cone is a triangle. */
static void cone(const CrShare *w, PetscInt e, PetscInt face, const PetscReal o[3],
                 PetscReal area[3], PetscReal *volume)
{
  const CrCell *cell = &CrCells[w->cell_type[e]];
  PetscInt      n = CrCells[cell->face_type].ncorners;
  PetscReal     x[3][3], s[3], t[3], n_part[3];

  area[0] = area[1] = area[2] = *volume = 0;
  corner(w, e, cell->faces[face][0], x[0]);
  corner(w, e, cell->faces[face][1], x[1]);
  v_less(x[1], x[0], s);
  if (w->dim == 2) {
    area[0] = s[1], area[1] = -s[0];
    v_less(x[0], o, t);
    *volume = v_dot(area, t) / 2;
    return;
  }
  for (PetscInt k = 2; k < n; k++) {
    corner(w, e, cell->faces[face][k], x[2]);
    v_less(x[2], x[0], t);
    v_cross(s, t, n_part);
    v_add(area, 0.5, n_part);
    v_copy(t, s);
    v_less(x[0], o, t);
    *volume += v_dot(n_part, t) / 6;
  }
}

PetscReal CrShareHeight(const CrShare *w, PetscInt f)
{
  PetscInt      e = w->facet_cell[f];
  const CrCell *cell = &CrCells[w->cell_type[e]];
  PetscBool     simplex = cell->ncorners == w->dim + 1;
  PetscReal     o[3], area[3], own[3] = {0}, volume = 0, height;

  corner(w, e, 0, o);
  for (PetscInt k = 0; k < cell->nfaces; k++) {
    PetscReal part;

    cone(w, e, k, o, area, &part);
    volume += part;
    if (k == w->facet_face[f]) v_copy(area, own);
  }
  if (!(v_length(own) > 0)) return 0;
  height = volume / v_length(own) * (simplex ? (PetscReal)w->dim : 1);
  return cell->nnodes > cell->ncorners ? height / 2 : height;
}
