/* Creates the model from the deck: materials, bodies, mesh, mass, conditions. */
#include <string.h>
#include "base/lazy.h"
#include "model/internal.h"
#include "model/vicinity.h"
#include "model/share.h"

static const CrKey body_keys[] = {
    {"name", CR_TEXT | CR_MUST, .help = "name of the body, used by conditions and output"},
    {"mesh", CR_MAP, .keys = CrMeshKeys, .help = "mesh of the body; exactly one kind of mesh"},
    {"rigid", CR_MAP, .keys = CrRigidKeys,
     .help = "instead of `mesh`: the body is rigid, with this shape and mass"},
    {"repeat", CR_MAP, .keys = CrRepeatKeys,
     .help = "for rigid bodies: copies on a regular lattice, with the names name.0, name.1, ..."},
    {"position", CR_REALS,
     .help =
         "displacement of the mesh, after `scale` and `angle` are applied; for a rigid body: position of its mass centre"},
    {"angle", CR_REAL, "0",
     .help =
         "rotation in degrees about the origin (3D: about `axis`); for a rigid body: about its mass centre"},
    {"axis", CR_REALS, .help = "3D: axis of the rotation by `angle`; default z"},
    {"scale", CR_REAL, "1", .range = "(0,inf)",
     .help = "factor by which the coordinates of the mesh are multiplied"},
    {"material", CR_TEXT, .help = "name of a material"},
    {"directions", CR_MATRIX,
     .help = "directions of an orthotropic material: the first one (2D), the first two (3D)"},
    {"velocity", CR_REALS, .help = "initial velocity"},
    {"spin", CR_REAL | CR_REALS,
     .help = "initial angular velocity about the centroid (3D: vector)"},
    {"velocity_gradient", CR_MATRIX,
     .help =
         "matrix G: the program adds G (X - centroid) to the initial velocity of a node at the position X"},
    {"deformation", CR_MATRIX,
     .help =
         "matrix F of an initial deformation: a node at the position X of the mesh starts at centroid + F (X - centroid)"},
    {"mass", CR_WORD, "lumped", "lumped|consistent", .help = "kind of the mass matrix"},
    {"integration", CR_WORD, "full", "full|one-point",
     .help =
         "numerical integration of the elements; one-point: a single integration point with hourglass control, for Q4 and H8"},
    {"volume", CR_WORD, "auto", "auto|mean|point",
     .help =
         "volume change in the material law: mean over the element, or value at each integration point; "
         "auto: mean for Q4 and H8 elements of j2 or with a Poisson's ratio above 0.4, otherwise point"},
    {"volume_part", CR_REAL, "0", .range = "[0,1]",
     .help =
         "with `volume: mean`: share of the volumetric energy that is computed at integration points"},
    {.name = NULL}};

const CrKey CrModelKeys[] = {
    {"dimension", CR_INTEGER | CR_MUST, .range = "[2,3]",
     .help = "number of space dimensions: 2 or 3"},
    {"plane", CR_WORD, "strain", "strain|stress", .help = "2D: plane strain or plane stress"},
    {"symmetry", CR_WORD, "none", "none|axial",
     .help =
         "2D: axial means rotational symmetry: x is the radius, y the axis; forces and masses are those of the full circle"},
    {"thickness", CR_REAL, "1.0", .range = "(0,inf)", .help = "2D: thickness of all bodies"},
    {"bodies", CR_LIST | CR_MUST, .keys = body_keys, .help = "list of the bodies"},
    {.name = NULL}};

/* ---- materials and bodies ----------------------------------------------------------------- */

static PetscErrorCode unknown_material(const CrDeckNode *node, const CrDeckNode *list)
{
  const char *names[64];
  PetscInt    n = PetscMin(64, CrDeckCount(list));

  for (PetscInt k = 0; k < n; k++) names[k] = CrDeckText(CrDeckFind(CrDeckItem(list, k), "name"));
  return CrUnknownName(node, "material", CrDeckText(node), n, names);
}

static PetscErrorCode read_materials(CrModel *model, const CrDeckNode *root)
{
  const CrDeckNode *list = CrDeckFind(root, "materials");
  PetscBool plane_stress = model->dim == 2 && CrDeckIsWord(CrDeckFind(root, "plane"), "stress");

  PetscFunctionBeginUser;
  model->nmaterials = CrDeckCount(list);
  if (!model->nmaterials && !model->nbodies) PetscFunctionReturn(PETSC_SUCCESS);
  if (!list)
    CrDeckFail(root, "the key \"materials\" is missing; every body with a mesh needs a material");
  if (!model->nmaterials) CrDeckFail(list, "the list needs at least one material");
  PetscCall(PetscCalloc1(model->nmaterials + model->nbodies, &model->materials)); /* turned ones */
  for (PetscInt k = 0; k < CrDeckCount(list); k++) {
    PetscCall(CrNameEnter(&model->material_names, list, k, "material"));
    PetscCall(CrMaterialRead(CrDeckItem(list, k), plane_stress, &model->materials[k]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_body(CrModel *model, const CrDeckNode *root, PetscInt b)
{
  const CrDeckNode *node = model->bodies[b].deck;
  const CrDeckNode *materials = CrDeckFind(root, "materials"), *use = CrDeckFind(node, "material");
  CrBody           *body = &model->bodies[b];
  PetscInt          material;

  PetscFunctionBeginUser;
  if (!use)
    CrDeckFail(node,
               "the key \"material\" is missing; it must name a material of the list `materials`");
  material = CrIndexFindName(model->material_names, CrDeckText(use));
  if (material < 0) PetscFunctionReturn(unknown_material(use, materials));
  PetscCall(PetscStrncpy(body->name, CrDeckText(CrDeckFind(node, "name")), sizeof body->name));
  body->material = &model->materials[material];
  body->consistent = CrDeckIsWord(CrDeckFind(node, "mass"), "consistent");
  body->touches = CrModelIsSide(model, body->name, NULL);
  body->one_point = CrDeckIsWord(CrDeckFind(node, "integration"), "one-point");
  PetscCall(CrDirectionsRead(model, body));
  PetscCall(CrVolumeRead(body));
  if (body->material->mass_damping > 0) model->drags = PETSC_TRUE;
  if (body->material->ops->state_size) model->remembers = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries with a mesh, in their order; those with `rigid:` are read by CrRigidCreate. */
static PetscErrorCode list_bodies(CrModel *model, const CrDeckNode *root)
{
  const CrDeckNode *list = CrDeckFind(root, "bodies");

  PetscFunctionBeginUser;
  if (!CrDeckCount(list)) CrDeckFail(list ? list : root, "the list needs at least one body");
  PetscCall(PetscCalloc1(CrDeckCount(list), &model->bodies));
  for (PetscInt k = 0; k < CrDeckCount(list); k++) {
    const CrDeckNode *node = CrDeckItem(list, k), *repeat = CrDeckFind(node, "repeat");

    PetscCall(CrNameEnter(&model->entry_names, list, k, "body"));
    if (model->axial) PetscCall(CrAxialCheckBody(node));
    if (CrDeckFind(node, "rigid")) continue;
    if (!CrDeckFind(node, "mesh")) CrDeckFail(node, "the key \"mesh\" or \"rigid\" is missing");
    if (repeat) CrDeckFail(repeat, "this key is for rigid bodies only");
    model->bodies[model->nbodies++].deck = node;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_bodies(CrModel *model, const CrDeckNode *root)
{
  PetscFunctionBeginUser;
  PetscCall(CrModelReadSides(model, CrDeckFind(root, "contact")));
  for (PetscInt b = 0; b < model->nbodies; b++) PetscCall(read_body(model, root, b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_frame(CrModel *model, const CrDeckNode *root)
{
  const CrDeckNode *plane = CrDeckFind(root, "plane"), *thickness = CrDeckFind(root, "thickness");

  PetscFunctionBeginUser;
  model->dim = CrDeckInteger(CrDeckFind(root, "dimension"));
  model->thickness = model->dim == 2 ? CrDeckReal(thickness) : 1;
  if (model->dim == 3 && CrDeckIsGiven(plane))
    CrDeckFail(plane, "this key is for dimension 2 only");
  if (model->dim == 3 && CrDeckIsGiven(thickness))
    CrDeckFail(thickness, "this key is for dimension 2 only");
  PetscCall(CrAxialRead(model, root));
  model->quasi_static = CrDeckIsWord(CrDeckFind(root, "time.analysis"), "quasi-static");
  PetscCall(CrBulkRead(model, root));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- sizes -------------------------------------------------------------------------------- */

/* Bounding box of the rigid bodies at the start, each in a cube: the size of a model without a mesh. */
static void measure_rigid(CrModel *model)
{
  const CrRigid *r = model->rigid;
  PetscReal      sum = 0;

  for (PetscInt i = 0; i < model->dim; i++) {
    PetscReal low = PETSC_MAX_REAL, high = PETSC_MIN_REAL;

    for (PetscInt b = 0; b < r->n; b++) {
      low = PetscMin(low, r->start->x[3 * b + i] - r->shapes[r->shape[b]].reach);
      high = PetscMax(high, r->start->x[3 * b + i] + r->shapes[r->shape[b]].reach);
    }
    sum += PetscSqr(high - low);
  }
  model->size = PetscSqrtReal(sum);
}

/* Bounding boxes of the bodies and of all. */
static PetscErrorCode measure(CrModel *model)
{
  PetscInt   n = 2 * 3 * (model->nbodies + 1), dim = model->dim;
  PetscReal *box; /* per body: greatest of -X and of X */

  PetscFunctionBeginUser;
  if (!model->nbodies) {
    measure_rigid(model);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc1(n, &box));
  for (PetscInt k = 0; k < n; k++) box[k] = PETSC_MIN_REAL;
  for (PetscInt A = 0; A < model->nowned; A++)
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal  x = model->X[dim * A + i], *b = box + 6 * model->node_body[A];
      PetscReal *all = box + 6 * model->nbodies;

      b[i] = PetscMax(b[i], -x);
      b[3 + i] = PetscMax(b[3 + i], x);
      all[i] = PetscMax(all[i], -x);
      all[3 + i] = PetscMax(all[3 + i], x);
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, box, (int)n, MPIU_REAL, MPIU_MAX, model->comm));
  for (PetscInt b = 0; b <= model->nbodies; b++) {
    PetscReal sum = 0;

    for (PetscInt i = 0; i < dim; i++) sum += PetscSqr(box[6 * b + i] + box[6 * b + 3 + i]);
    if (b < model->nbodies)
      model->bodies[b].size = PetscSqrtReal(sum);
    else
      model->size = PetscSqrtReal(sum);
  }
  PetscCall(PetscFree(box));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrModelDofs(const CrModel *model)
{
  return model->nglobal * model->dim;
}

/* ---- creation ----------------------------------------------------------------------------- */

static PetscErrorCode build_mesh(CrModel *model, const CrDeck *deck)
{
  CrShare        share = {0};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (!model->nbodies) { /* rigid bodies only */
    PetscCall(PetscMalloc3(0, &model->natural, 0, &model->ghosts, 0, &model->node_body));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  code = CrShareCreate(deck, model, &share);
  if (!code) code = CrModelDistribute(model, &share);
  PetscCall(CrShareDestroy(&share));
  PetscFunctionReturn(code);
}

/* PETSc writes zeros to every page of a new vector. The entries from `first` on take no memory until they are used. */
static PetscErrorCode drop_zeros(const CrModel *model, PetscInt first, Vec v)
{
  PetscReal *values;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(v, &values));
  CrLazyDrop(values + model->dim * first,
             (size_t)(model->dim * (model->nlocal - first)) * sizeof *values);
  PetscCall(VecRestoreArray(v, &values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode build(CrModel *model, const CrDeck *deck)
{
  const CrDeckNode *root = CrDeckRoot(deck);
  PetscReal        *initial;
  PetscErrorCode    code;

  PetscFunctionBeginUser;
  PetscCall(read_frame(model, root));
  PetscCall(list_bodies(model, root));
  PetscCall(CrRigidCreate(CrDeckFind(root, "bodies"), model->dim, model->thickness, &model->rigid));
  PetscCall(read_materials(model, root));
  PetscCall(read_bodies(model, root));
  PetscCall(build_mesh(model, deck));
  PetscCall(CrModelEnterNames(model));
  PetscCall(VecCreateGhostBlock(model->comm, model->dim, model->dim * model->nowned,
                                model->dim * model->nglobal, model->nlocal - model->nowned,
                                model->ghosts, &model->prototype));
  PetscCall(drop_zeros(model, 0, model->prototype)); /* it is copied, and never filled */
  PetscCall(CrVicinityCreate(model, &model->live));
  PetscCall(CrVicinityOfCells(model, &model->seam));
  PetscCall(measure(model));
  PetscCall(CrModelComputeMass(model));
  for (PetscInt b = 0; b < model->rigid->n; b++) model->total_mass += model->rigid->mass[b];
  PetscCall(PetscCalloc1(model->nlocal * model->dim, &initial));
  code = CrInitialDisplacement(model, initial);
  if (!code) code = CrConditionsRead(model, root, initial);
  PetscCall(PetscFree(initial));
  if (code) PetscFunctionReturn(code);
  model->is_free = !(model->drags ||
                     CrDeckCount(CrDeckFind(root, "conditions")) || /* the axis is none of them */
                     CrDeckCount(CrDeckFind(root, "obstacles")));
  if (model->quasi_static) PetscCall(CrSupportsCheckStatic(model, deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelCreate(MPI_Comm comm, const CrDeck *deck, CrModel **out)
{
  CrModel       *model;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&model));
  model->comm = comm;
  PetscCall(PetscNew(&model->watch));
  CrWatchStart(model->watch, CR_PART_SETUP);
  code = build(model, deck);
  if (code) PetscCall(CrModelDestroy(&model));
  *out = model;
  PetscFunctionReturn(code);
}

PetscErrorCode CrModelDestroy(CrModel **out)
{
  CrModel *model = *out;

  PetscFunctionBeginUser;
  if (!model) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrConditionsDestroy(model));
  PetscCall(CrModelDestroyNames(model));
  for (PetscInt b = 0; b < model->nblocks; b++)
    PetscCall(PetscFree2(model->blocks[b].nodes, model->blocks[b].cell));
  for (PetscInt s = 0; s < model->nsets; s++) {
    PetscCall(PetscFree(model->sets[s].nodes));
    PetscCall(PetscFree(model->sets[s].facets));
  }
  PetscCall(PetscFree(model->blocks));
  PetscCall(PetscFree(model->sets));
  PetscCall(PetscFree(model->watch));
  PetscCall(PetscFree(model->materials));
  PetscCall(PetscFree(model->bodies));
  PetscCall(CrRigidDestroy(&model->rigid));
  PetscCall(PetscFree3(model->natural, model->ghosts, model->node_body));
  PetscCall(PetscFree(model->X));
  PetscCall(PetscFree(model->mass));
  PetscCall(PetscFree(model->row_mass));
  PetscCall(CrGraphDestroy(&model->graph));
  PetscCall(VecDestroy(&model->prototype));
  PetscCall(CrVicinityDestroy(&model->live));
  PetscCall(CrVicinityDestroy(&model->seam));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelCreateVec(const CrModel *model, Vec *v)
{
  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(model->prototype, v));
  PetscCall(VecSet(*v, 0));
  PetscCall(drop_zeros(model, model->nowned, *v));
  PetscFunctionReturn(PETSC_SUCCESS);
}
