/* Makes the samples of a surface, and tells which directions a sample admits. */
#include "contact/geometry/samples.h"
#include "contact/geometry/edges.h"
#include "base/vector.h"

/* ---- points ----------------------------------------------------------------------------------- */

/* The area that belongs to a sample inside facet f. A sample on an edge gets half of it from each facet. */
static PetscReal area_inside(const CrModel *model, const CrSurface *s, PetscInt f, PetscInt m)
{
  PetscReal size = s->size[f], parts = (PetscReal)m;

  if (s->dim == 2) return model->thickness * size / parts;
  return model->thickness * size * size / (parts * parts) * (s->ncorners[f] == 3 ? 2 : 1);
}

/* A new sample with the nodes and parts of a facet or an edge. */
static CrSample *append(CrSamples *samples, PetscInt f, PetscInt n, const PetscInt *nodes,
                        const PetscReal *c)
{
  CrSample *sample = &samples->list[samples->n++];

  *sample = (CrSample){.n = n, .facets = {f, -1}, .vertex = -1};
  for (PetscInt a = 0; a < n; a++) {
    sample->nodes[a] = nodes[a];
    sample->c[a] = c[a];
  }
  return sample;
}

/* The points inside a facet. */
static void fill_facet(const CrModel *model, PetscInt f, CrSamples *out)
{
  const CrSurface *s = out->surface;
  const PetscReal  m = (PetscReal)out->m, spacing = s->features->facet_spacing[f];
  const PetscInt   nc = s->ncorners[f];

  for (PetscInt i = 1; i < out->m; i++)
    for (PetscInt j = 1; j < (nc == 2 ? 2 : nc == 3 ? out->m - i : out->m); j++) {
      const PetscReal x = (PetscReal)i / m, y = (PetscReal)j / m;
      const PetscReal line[4] = {1 - x, x}, triangle[4] = {1 - x - y, x, y};
      const PetscReal quad[4] = {(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y};
      CrSample       *sample = append(out, f, nc, s->corners + 4 * f,
                                nc == 2   ? line
                                      : nc == 3 ? triangle
                                                : quad);

      sample->weight = area_inside(model, s, f, out->m);
      sample->spacing = s->dim == 2 ? s->size[f] : spacing;
    }
}

/* The points inside edge a of facet f (3D), with the facet g beyond it; -1: none. */
static void fill_edge(const CrModel *model, PetscInt f, PetscInt a, PetscInt g, CrSamples *out)
{
  const CrSurface *s = out->surface;
  const PetscInt   ends[2] = {s->corners[4 * f + a], s->corners[4 * f + (a + 1) % s->ncorners[f]]};

  for (PetscInt i = 1; i < out->m; i++) {
    const PetscReal x = (PetscReal)i / (PetscReal)out->m, c[2] = {1 - x, x};
    CrSample       *sample = append(out, f, 2, ends, c);

    sample->facets[1] = g;
    sample->weight = area_inside(model, s, f, out->m) / 2;
    sample->spacing = s->features->facet_spacing[f];
    if (g < 0) continue;
    sample->weight += area_inside(model, s, g, out->m) / 2;
    sample->spacing = (sample->spacing + s->features->facet_spacing[g]) / 2;
  }
}

/* How many samples a surface may have at most. */
static PetscInt count(const CrSurface *s, PetscInt m)
{
  return s->nfacets * (s->dim == 2 ? m - 1 : (m - 1) * (m - 1) + 4 * (m - 1));
}

static void fill(const CrModel *model, CrSamples *out)
{
  const CrSurface *s = out->surface;

  for (PetscInt f = 0; f < s->nfacets; f++) {
    fill_facet(model, f, out);
    for (PetscInt a = 0; s->dim == 3 && a < s->ncorners[f]; a++) {
      PetscInt g = s->neighbour[4 * f + a];

      if (g < 0 || g > f) fill_edge(model, f, a, g, out);
    }
  }
}

static PetscErrorCode find_vertices(const CrModel *model, CrSamples *out)
{
  PetscInt *index;

  PetscFunctionBeginUser;
  PetscCall(CrSurfaceIndex(model, out->surface, &index));
  for (PetscInt k = 0; k < out->n; k++) out->list[k].vertex = index[out->list[k].nodes[0]];
  PetscCall(PetscFree(index));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- directions ------------------------------------------------------------------------------- */

static PetscBool has_corner(const CrSurface *s, PetscInt f, PetscInt node)
{
  const PetscInt *nodes, n = CrSkinNodes(s, f, &nodes);

  for (PetscInt a = 0; a < n; a++)
    if (nodes[a] == node) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* A facet at the edge of a sample: its normal, and the unit vector from the edge into it, perpendicular to the edge. */
typedef struct {
  PetscReal normal[3], in[3], along[3]; /* along: of the edge */
  PetscReal width;                      /* extent of the facet from the edge */
} Flank;

static void look_at(const CrModel *model, const CrSurface *s, PetscInt f, const CrSample *sample,
                    const PetscReal *u, Flank *flank)
{
  PetscReal       x[4][3], ends[2][3] = {{0}};
  const PetscInt *nodes, nc = CrSkinNodes(s, f, &nodes);

  (void)CrSkinCorners(model, s, f, u, x);

  CrFacetNormal(nc, x, flank->normal);
  for (PetscInt a = 0; a < nc; a++)
    for (int k = 0; k < 2; k++)
      if (nodes[a] == sample->nodes[k]) v_copy(x[a], ends[k]);
  v_less(ends[1], ends[0], flank->along);
  (void)v_unit(flank->along);
  for (int i = 0; i < 3; i++) {
    flank->in[i] = -ends[0][i];
    for (PetscInt a = 0; a < nc; a++) flank->in[i] += x[a][i] / (PetscReal)nc;
  }
  v_add(flank->in, -v_dot(flank->in, flank->along), flank->along);
  flank->width = (nc == 4 ? 2 : 3) * v_unit(flank->in); /* from the edge to the centre */
}

/* The facets of the skin at the edge of a sample (3D). Returns their number, at most 2. */
static PetscInt find_flanks(const CrModel *model, const CrSurface *s, const CrSample *sample,
                            const PetscReal *u, Flank flanks[2])
{
  const PetscInt *fan, m = CrSkinFan(s, sample->vertex, &fan);
  PetscInt        n = 0;

  for (PetscInt k = 0; k < m; k++)
    if (n < 2 && has_corner(s, fan[k], sample->nodes[1]))
      look_at(model, s, fan[k], sample, u, &flanks[n++]);
  return n;
}

static PetscBool lies_on_edge(const CrSurface *s, const CrSample *sample)
{
  return s->dim == 3 && sample->n == 2;
}

static void find_turns(const CrModel *model, CrSamples *out)
{
  for (PetscInt k = 0; k < out->n; k++) {
    CrSample *sample = &out->list[k];
    Flank     flanks[2];

    if (!lies_on_edge(out->surface, sample)) continue;
    if (find_flanks(model, out->surface, sample, NULL, flanks) < 2) continue;
    if (v_dot(flanks[0].in, flanks[1].normal) > 0) continue; /* concave */
    sample->turn =
        PetscAcosReal(PetscMax(-1, PetscMin(1, v_dot(flanks[0].normal, flanks[1].normal))));
  }
}

PetscErrorCode CrSamplesCreate(const CrModel *model, const CrSurface *surface, PetscInt m,
                               CrSamples **out)
{
  CrSamples *samples;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&samples));
  samples->surface = surface;
  samples->m = m;
  PetscCall(PetscMalloc1(count(surface, m), &samples->list));
  fill(model, samples);
  PetscCall(find_vertices(model, samples));
  find_turns(model, samples);
  *out = samples;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSamplesOfEdges(const CrModel *model, const CrSurface *surface, PetscInt n,
                                const PetscInt *ridges, const PetscReal *weights, CrSamples **out)
{
  const PetscReal middle[2] = {0.5, 0.5};
  CrSamples      *samples;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&samples));
  samples->surface = surface;
  PetscCall(PetscMalloc1(n, &samples->list));
  for (PetscInt i = 0; i < n; i++) {
    const CrRidge *ridge = &surface->features->ridges[ridges[i]];
    CrSample      *sample = append(samples, -1, 2, ridge->nodes, middle);

    sample->weight = weights[i];
    sample->turn = ridge->turn;
  }
  PetscCall(find_vertices(model, samples));
  *out = samples;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSamplesDestroy(CrSamples **out)
{
  PetscFunctionBeginUser;
  if (!*out) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*out)->list));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrSamplesLeave(const CrSamples *samples)
{
  const PetscReal m = (PetscReal)samples->m;

  return samples->surface->dim == 2 ? 1 / m : 1 / (m * m);
}

PetscBool CrSampleIsNear(const CrSurface *s, const CrSample *sample, PetscInt f)
{
  for (int k = 0; k < 2 && sample->facets[k] >= 0; k++)
    for (PetscInt a = 0; a < s->ncorners[sample->facets[k]]; a++)
      for (PetscInt b = 0; b < s->ncorners[f]; b++)
        if (s->corners[4 * sample->facets[k] + a] == s->corners[4 * f + b]) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrSampleLiesFlat(const CrModel *model, const CrSurface *s, const CrSample *sample,
                           const PetscReal *u, const PetscReal nu[3], PetscReal tol)
{
  const PetscReal cosine = PetscCosReal(tol);
  PetscReal       x[4][3], n[3], greatest = -1;
  PetscInt        sides;
  Flank           flanks[2];

  if (!lies_on_edge(s, sample)) {
    CrFacetNormal(CrSkinCorners(model, s, sample->facets[0], u, x), x, n);
    return -v_dot(nu, n) >= cosine;
  }
  sides = find_flanks(model, s, sample, u, flanks);
  for (PetscInt k = 0; k < sides; k++) greatest = PetscMax(greatest, -v_dot(nu, flanks[k].normal));
  return greatest >= cosine;
}

PetscReal CrSampleFlatWidth(const CrModel *model, const CrSurface *s, const CrSample *sample,
                            const PetscReal *u, const PetscReal nu[3], PetscReal tol)
{
  Flank          flanks[2];
  const PetscInt sides = find_flanks(model, s, sample, u, flanks);
  PetscReal      width = 0;

  for (PetscInt k = 0; k < sides; k++)
    if (-v_dot(nu, flanks[k].normal) >= PetscCosReal(tol)) width = PetscMax(width, flanks[k].width);
  return width;
}

PetscBool CrSampleIsAdmitted(const CrModel *model, const CrSurface *s, const CrSample *sample,
                             const PetscReal *u, const PetscReal nu[3], PetscReal tol)
{
  const PetscReal sine = PetscSinReal(tol);
  Flank           flanks[2];

  if (CrSampleLiesFlat(model, s, sample, u, nu, tol)) return PETSC_TRUE;
  if (!lies_on_edge(s, sample) || find_flanks(model, s, sample, u, flanks) < 2) return PETSC_FALSE;
  return PetscMax(-v_dot(nu, flanks[0].normal), -v_dot(nu, flanks[1].normal)) > 0 &&
         PetscAbsReal(v_dot(nu, flanks[0].along)) <= sine && -v_dot(nu, flanks[0].in) <= sine &&
         -v_dot(nu, flanks[1].in) <= sine;
}
