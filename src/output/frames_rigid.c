/* Rigid bodies in frames: their faces come after the points and cells of the mesh, and move with the bodies. */
#include "output/internal.h"
#include "rigid/picture.h"

#define FINE 500 /* bodies; more are drawn with fewer faces */

enum { VTK_VERTEX = 1, VTK_TRIANGLE = 5, VTK_POLYGON = 7, VTK_QUAD = 9 };

static PetscInt type_of(const CrShapeSurface *s, PetscInt n)
{
  if (n == 1) return VTK_VERTEX;
  return s->flat ? VTK_POLYGON : n == 3 ? VTK_TRIANGLE : VTK_QUAD;
}

static void append(OutputFrames *f, PetscInt body, PetscInt number, const CrShapeSurface *s,
                   PetscInt first)
{
  PetscInt base = f->npoints - first, start = 0; /* base: of the rigid points */

  for (PetscInt k = 0; k < s->npoints; k++) {
    for (int i = 0; i < 3; i++) f->rigid[3 * (base + k) + i] = s->points[3 * k + i];
    f->rigid_body[base + k] = body;
  }
  for (PetscInt k = 0; k < s->nfaces; k++) {
    PetscInt *to = f->nodes + f->offsets[f->ncells];

    for (PetscInt i = start; i < s->ends[k]; i++) *to++ = f->npoints + s->nodes[i];
    f->types[f->ncells] = type_of(s, s->ends[k] - start);
    f->bodies[f->ncells] = number;
    f->parts[f->ncells] = s->parts[k];
    f->offsets[f->ncells + 1] = f->offsets[f->ncells] + s->ends[k] - start;
    f->ncells++;
    start = s->ends[k];
  }
  f->npoints += s->npoints;
}

static PetscErrorCode make_room(OutputFrames *f, PetscInt npoints, PetscInt ncells, PetscInt length)
{
  const size_t all = (size_t)(f->ncells + ncells);

  PetscFunctionBeginUser;
  length += f->ncells ? f->offsets[f->ncells] : 0;
  PetscCall(PetscMalloc1(3 * npoints, &f->rigid));
  PetscCall(PetscMalloc1(npoints, &f->rigid_body));
  PetscCall(PetscCalloc1(all, &f->parts));
  PetscCall(PetscRealloc(sizeof(PetscInt) * all, &f->types));
  PetscCall(PetscRealloc(sizeof(PetscInt) * all, &f->bodies));
  PetscCall(PetscRealloc(sizeof(PetscInt) * (all + 1), &f->offsets));
  PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)length, &f->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFramesRigidSetUp(CrOutput *output, const CrModel *model)
{
  OutputFrames   *f = &output->frames;
  const CrRigid  *r = model->rigid;
  CrShapeSurface *surfaces;
  PetscInt        npoints = 0, ncells = 0, length = 0;
  PetscInt        around = r->n > FINE ? 10 : model->dim == 2 ? 32 : 20;

  PetscFunctionBeginUser;
  if (!r->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(r->nshapes, &surfaces));
  for (PetscInt k = 0; k < r->nshapes; k++)
    PetscCall(CrShapeSurfaceCreate(&r->shapes[k], around, &surfaces[k]));
  for (PetscInt b = 0; b < r->n; b++) {
    const CrShapeSurface *s = &surfaces[r->shape[b]];

    npoints += s->npoints;
    ncells += s->nfaces;
    length += s->ends[s->nfaces - 1];
  }
  PetscCall(make_room(f, npoints, ncells, length));
  for (PetscInt b = 0; b < r->n; b++)
    append(f, b, model->nbodies + b, &surfaces[r->shape[b]], f->nmesh);
  for (PetscInt k = 0; k < r->nshapes; k++) PetscCall(CrShapeSurfaceDestroy(&surfaces[k]));
  PetscCall(PetscFree(surfaces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* x + R X */
static void place(const CrRigid *r, const CrRigidState *s, PetscInt b, const PetscReal X[3],
                  PetscReal x[3])
{
  CrPose p;

  CrPoseGet(r, s, b, &p);
  for (int i = 0; i < 3; i++)
    x[i] = p.x[i] + p.R[3 * i] * X[0] + p.R[3 * i + 1] * X[1] + p.R[3 * i + 2] * X[2];
}

void CrFramesRigidFill(CrOutput *output, const CrModel *model, const CrState *state)
{
  OutputFrames  *f = &output->frames;
  const CrRigid *r = model->rigid;
  PetscReal     *u = f->values[FIELD_DISPLACEMENT], *v = f->values[FIELD_VELOCITY];

  for (PetscInt k = 0; k < f->npoints - f->nmesh; k++) {
    PetscInt         A = f->nmesh + k, b = f->rigid_body[k];
    const PetscReal *c = state->rigid->x + 3 * b;
    PetscReal       *x = f->points + 3 * A, start[3], spin[3];

    place(r, state->rigid, b, f->rigid + 3 * k, x);
    place(r, r->start, b, f->rigid + 3 * k, start);
    CrRigidSpin(r, state->rigid, b, spin);
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, l = (i + 2) % 3;

      if (u) u[3 * A + i] = x[i] - start[i];
      if (v)
        v[3 * A + i] =
            state->rigid->v[3 * b + i] + spin[j] * (x[l] - c[l]) - spin[l] * (x[j] - c[j]);
    }
  }
}
