/* The whole mesh on rank 0: the bodies' meshes one after the other. */
#include <string.h>
#include "model/internal.h"

/* A cell whose mapping folds or collapses at a quadrature point cannot be integrated. */
static PetscErrorCode check_cells(const CrDeckNode *where, const CrMesh *mesh,
                                  const CrCellBlock *block)
{
  const CrElement *element = CrElementGet(block->type);
  const CrCell    *cell = &CrCells[block->type];
  CrRule           rules[2];

  PetscFunctionBeginUser;
  CrRuleFill(element, element->stress_rule, &rules[0]);
  CrRuleFill(element, element->mass_rule, &rules[1]);
  for (PetscInt c = 0; c < block->n; c++) {
    PetscReal X[CR_MAX_CELL_NODES][3], least, size = 0;

    for (PetscInt a = 0; a < cell->nnodes; a++)
      for (PetscInt i = 0; i < mesh->dim; i++) {
        X[a][i] = mesh->X[mesh->dim * block->nodes[c * cell->nnodes + a] + i];
        size = PetscMax(size, PetscAbsReal(X[a][i] - X[0][i]));
      }
    least = CrElementLeastJacobian(element, &rules[0], X);
    least = PetscMin(least, CrElementLeastJacobian(element, &rules[1], X));
    if (!(least > 1e-12 * PetscPowRealInt(size, (int)mesh->dim)))
      CrDeckFail(where,
                 "%s: element %" PetscInt_FMT " (%s) is inverted or degenerate: det dX/dxi is %g "
                 "at one of its quadrature points",
                 mesh->source, block->tags[c], cell->name, (double)least);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_mesh(const CrDeckNode *where, const CrMesh *mesh)
{
  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < mesh->nblocks; b++)
    PetscCall(check_cells(where, mesh, &mesh->blocks[b]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Hourglass control is for the elements whose hourglass modes it knows. */
static PetscErrorCode check_one_point(const CrDeckNode *body, const CrMesh *mesh)
{
  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < mesh->nblocks; b++)
    if (mesh->blocks[b].type != CR_Q4 && mesh->blocks[b].type != CR_H8)
      CrDeckFail(CrDeckFind(body, "integration"), "one-point is for Q4 and H8; this mesh has %s",
                 CrCells[mesh->blocks[b].type].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void count_mesh(const CrMesh *mesh, CrWhole *whole, PetscInt *nlinks)
{
  whole->nnodes += mesh->nnodes;
  whole->nfacets += mesh->nfacets;
  whole->nsets += mesh->nsets;
  for (PetscInt b = 0; b < mesh->nblocks; b++) {
    whole->ncells += mesh->blocks[b].n;
    *nlinks += mesh->blocks[b].n * CrCells[mesh->blocks[b].type].nnodes;
  }
}

static PetscErrorCode allocate(CrWhole *w, PetscInt nlinks)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(w->nnodes * w->dim, &w->X, w->nnodes, &w->node_body));
  PetscCall(PetscMalloc4(w->ncells, &w->cell_type, w->ncells, &w->cell_body, w->ncells + 1,
                         &w->cell_offset, nlinks, &w->cell_nodes));
  PetscCall(PetscMalloc2(w->nfacets, &w->facet_cell, w->nfacets, &w->facet_face));
  PetscCall(PetscCalloc1(w->nsets, &w->sets));
  w->nnodes = w->ncells = w->nfacets = w->nsets = 0; /* counted again while filling */
  w->cell_offset[0] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode append_sets(const CrMesh *mesh, PetscInt body, PetscInt node0,
                                  PetscInt facet0, CrWhole *w)
{
  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < mesh->nsets; s++) {
    const CrSet *from = &mesh->sets[s];
    CrWholeSet  *to = &w->sets[w->nsets++];

    PetscCall(PetscStrncpy(to->name, from->name, sizeof to->name));
    to->body = body;
    to->nnodes = from->nnodes;
    to->nfacets = from->nfacets;
    PetscCall(PetscMalloc1(to->nnodes, &to->nodes));
    PetscCall(PetscMalloc1(to->nfacets, &to->facets));
    for (PetscInt i = 0; i < to->nnodes; i++) to->nodes[i] = from->nodes[i] + node0;
    for (PetscInt i = 0; i < to->nfacets; i++) to->facets[i] = from->facets[i] + facet0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode append(const CrMesh *mesh, PetscInt body, CrBody *b, CrWhole *w)
{
  PetscInt node0 = w->nnodes, facet0 = w->nfacets, *first;

  PetscFunctionBeginUser;
  b->first_node = node0;
  b->nnodes = mesh->nnodes;
  b->first_cell = w->ncells;
  PetscCall(PetscArraycpy(w->X + node0 * w->dim, mesh->X, mesh->nnodes * w->dim));
  for (PetscInt A = 0; A < mesh->nnodes; A++) w->node_body[w->nnodes++] = body;

  PetscCall(PetscMalloc1(mesh->nblocks + 1, &first));
  for (PetscInt k = 0; k < mesh->nblocks; k++) {
    const CrCellBlock *block = &mesh->blocks[k];
    PetscInt           nn = CrCells[block->type].nnodes;

    first[k] = w->ncells;
    for (PetscInt c = 0; c < block->n; c++) {
      PetscInt *offset = &w->cell_offset[w->ncells];

      for (PetscInt a = 0; a < nn; a++)
        w->cell_nodes[offset[0] + a] = block->nodes[c * nn + a] + node0;
      offset[1] = offset[0] + nn;
      w->cell_type[w->ncells] = block->type;
      w->cell_body[w->ncells++] = body;
    }
  }
  b->ncells = w->ncells - b->first_cell;
  for (PetscInt f = 0; f < mesh->nfacets; f++) {
    w->facet_cell[w->nfacets] = first[mesh->facets[f].block] + mesh->facets[f].cell;
    w->facet_face[w->nfacets++] = mesh->facets[f].face;
  }
  PetscCall(PetscFree(first));
  PetscCall(append_sets(mesh, body, node0, facet0, w));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrWholeCreate(const CrDeck *deck, CrModel *model, CrWhole *whole)
{
  CrMesh       **meshes;
  PetscInt       nlinks = 0;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(whole, sizeof *whole));
  whole->dim = model->dim;
  PetscCall(PetscCalloc1(model->nbodies, &meshes));
  for (PetscInt b = 0; b < model->nbodies && !code; b++) {
    const CrDeckNode *node = model->bodies[b].deck;

    code = CrMeshCreate(node, model->dim, CrDeckPath(deck), &meshes[b]);
    if (!code) code = check_mesh(CrDeckFind(node, "mesh"), meshes[b]);
    if (!code && model->bodies[b].one_point) code = check_one_point(node, meshes[b]);
    if (!code && model->axial) code = CrAxialCheckMesh(CrDeckFind(node, "mesh"), meshes[b]);
    if (!code) CrVolumeWarn(&model->bodies[b], meshes[b]);
    if (!code) count_mesh(meshes[b], whole, &nlinks);
  }
  if (!code) {
    PetscCall(allocate(whole, nlinks));
    for (PetscInt b = 0; b < model->nbodies; b++)
      PetscCall(append(meshes[b], b, &model->bodies[b], whole));
    for (PetscInt s = 0; s < whole->nsets; s++) {
      CrWholeSet *set = &whole->sets[s];
      PetscBool   skin = !strcmp(set->name, "boundary");

      /* beside a surface that ends, contact looks at the whole skin of the body */
      set->touches = set->nfacets &&
                     CrModelIsSide(model, model->bodies[set->body].name, skin ? NULL : set->name);
    }
  }
  if (code) PetscCall(PetscMemzero(whole, sizeof *whole)); /* counted, but nothing is there */
  for (PetscInt b = 0; b < model->nbodies; b++) PetscCall(CrMeshDestroy(&meshes[b]));
  PetscCall(PetscFree(meshes));
  PetscFunctionReturn(code);
}

PetscErrorCode CrWholeDestroy(CrWhole *w)
{
  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < w->nsets; s++) {
    PetscCall(PetscFree(w->sets[s].nodes));
    PetscCall(PetscFree(w->sets[s].facets));
  }
  PetscCall(PetscFree2(w->X, w->node_body));
  PetscCall(PetscFree4(w->cell_type, w->cell_body, w->cell_offset, w->cell_nodes));
  PetscCall(PetscFree2(w->facet_cell, w->facet_face));
  PetscCall(PetscFree(w->sets));
  PetscFunctionReturn(PETSC_SUCCESS);
}
