/* Makes the points of long sharp edges, which hold an edge between its nodes where it lies on smaller facets
   (theory 13.11). */
#include "base/vector.h"
#include "contact/geometry/samples.h"

#define LONG                                                                                       \
  1.5 /* an edge is divided if it is longer than this multiple of the facets that it touches */
#define MOST 128 /* greatest number of parts of an edge */

PetscInt CrLongEdgeParts(PetscReal length, PetscReal extent)
{
  PetscInt parts = 1;

  while (parts < MOST && length > LONG * extent * (PetscReal)parts) parts *= 2;
  return parts;
}

static PetscReal length_of(const CrModel *model, const CrRidge *ridge)
{
  PetscReal way[3];

  v_less(model->X + 3 * ridge->nodes[1], model->X + 3 * ridge->nodes[0], way);
  return v_length(way);
}

static PetscReal area_of(PetscInt nc, PetscReal x[4][3])
{
  PetscReal s[3], t[3], n[3];

  v_less(x[nc == 4 ? 2 : 1], x[0], s);
  v_less(x[nc - 1], x[nc == 4 ? 1 : 0], t);
  v_cross(s, t, n);
  return v_length(n) / 2;
}

/* The width of the strip of surface that belongs to an edge: half of the width of each of the two rows of facets beside
   it. In a row of triangles, every other triangle has a side on the edge. */
static PetscReal width_of(const CrModel *model, const CrSurface *s, const CrRidge *ridge)
{
  PetscReal x[4][3], area = 0;

  for (int k = 0; k < 2; k++) {
    const PetscInt nc = CrSkinCorners(model, s, ridge->facets[k], NULL, x);

    area += area_of(nc, x) / (nc == 4 ? 2 : 1);
  }
  return area / length_of(model, ridge);
}

/* Adds the points of one edge: the points k/parts of each of its m stretches. `sample` has what they have in common.
   Points that a division into fewer parts has too come with this smaller number of parts. */
static void fill(CrSample sample, PetscInt m, PetscInt parts, CrSamples *out)
{
  sample.n = 2;
  sample.stretches = m;
  for (PetscInt stretch = 0; stretch < m; stretch++)
    for (PetscInt k = 1; k < parts; k++) {
      sample.parts = parts;
      for (PetscInt j = k; j % 2 == 0; j /= 2) sample.parts /= 2;
      CrSamplePut(&sample, ((PetscReal)stretch + (PetscReal)k / (PetscReal)parts) / (PetscReal)m);
      out->list[out->n++] = sample;
    }
}

/* Adds the points of an edge of a surface. */
static void fill_ridge(const CrModel *model, const CrRidge *ridge, PetscInt m, PetscInt parts,
                       CrSamples *out)
{
  const PetscReal width = width_of(model, out->surface, ridge);
  CrSample        sample = {.nodes = {ridge->nodes[0], ridge->nodes[1], -1, -1},
                            .facets = {-1, -1},
                            .weight = width * length_of(model, ridge) / (PetscReal)m,
                            .spacing = width,
                            .turn = ridge->turn,
                            .edge = -1};
  PetscInt        own = 0;

  for (int f = 0; f < 2; f++) /* facets beside the surface cannot touch it */
    if (ridge->facets[f] < out->surface->nfacets) sample.facets[own++] = ridge->facets[f];
  fill(sample, m, parts, out);
}

PetscErrorCode CrSamplesOfLongEdges(const CrModel *model, const CrSurface *surface,
                                    PetscReal corner, PetscInt m, PetscReal finest, CrSamples **out)
{
  const CrFeatures *F = surface->features;
  CrSamples        *samples;
  PetscInt          room = 0, *index;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&samples));
  samples->surface = surface;
  for (int fills = 0; fills < 2; fills++) {
    for (PetscInt r = 0; r < F->nridges; r++) {
      const CrRidge *ridge = &F->ridges[r];
      PetscInt       parts;

      if (!(ridge->turn > PetscMax(corner, CR_LEAST_RIDGE))) continue;
      parts = CrLongEdgeParts(length_of(model, ridge) / (PetscReal)m, finest);
      if (fills)
        fill_ridge(model, ridge, m, parts, samples);
      else
        room += m * (parts - 1);
    }
    if (!fills) PetscCall(PetscMalloc1(room, &samples->list));
  }
  PetscCall(CrSurfaceIndex(model, surface, &index));
  for (PetscInt k = 0; k < samples->n; k++)
    samples->list[k].vertex = index[samples->list[k].nodes[0]];
  PetscCall(PetscFree(index));
  *out = samples;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSamplesOfBody(const CrShape *s, PetscReal corner, PetscReal finest,
                               CrSamples **out)
{
  CrSamples *samples;
  PetscInt   room = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&samples));
  for (int fills = 0; fills < 2; fills++) {
    for (PetscInt e = 0; e < s->nedges; e++) {
      const PetscInt *ends = s->edges + 2 * e;
      const PetscReal turn = CrEdgeTurn(s, e);
      PetscInt        parts;

      if (!(turn > PetscMax(corner, CR_LEAST_RIDGE))) continue;
      parts = CrLongEdgeParts(CrEdgeLength(s, e), finest);
      if (fills)
        fill((CrSample){.nodes = {ends[0], ends[1], -1, -1},
                        .facets = {-1, -1},
                        .vertex = -1,
                        .turn = turn,
                        .edge = e},
             1, parts, samples);
      else
        room += parts - 1;
    }
    if (!fills) PetscCall(PetscMalloc1(room, &samples->list));
  }
  *out = samples;
  PetscFunctionReturn(PETSC_SUCCESS);
}
