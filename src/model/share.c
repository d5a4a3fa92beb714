/* The part of the meshes of all bodies on one rank (share.h). */
#include <string.h>
#include "model/internal.h"
#include "model/share.h"

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
      CrDeckFail(
          CrDeckFind(body, "integration"),
          "`integration: one-point` is for Q4 and H8 elements only; this mesh has %s elements",
          CrCells[mesh->blocks[b].type].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void count_part(const CrMeshPart *part, CrShare *share, PetscInt *nlinks)
{
  const CrMesh *mesh = part->mesh;

  share->nnodes += mesh->nnodes;
  share->nfacets += mesh->nfacets;
  share->nsets += mesh->nsets;
  for (PetscInt b = 0; b < mesh->nblocks; b++) {
    share->ncells += mesh->blocks[b].n;
    *nlinks += mesh->blocks[b].n * CrCells[mesh->blocks[b].type].nnodes;
  }
}

static PetscErrorCode allocate(CrShare *w, PetscInt nlinks)
{
  PetscFunctionBeginUser;
  PetscCall(
      PetscMalloc3(w->nnodes * w->dim, &w->X, w->nnodes, &w->number, w->nnodes, &w->node_body));
  PetscCall(PetscMalloc5(w->ncells, &w->cell_number, w->ncells, &w->cell_type, w->ncells,
                         &w->cell_body, w->ncells + 1, &w->cell_offset, nlinks, &w->cell_nodes));
  PetscCall(PetscMalloc2(w->nfacets, &w->facet_cell, w->nfacets, &w->facet_face));
  PetscCall(PetscCalloc1(w->nsets, &w->sets));
  w->nnodes = w->ncells = w->nfacets = w->nsets = 0; /* counted again while filling */
  w->cell_offset[0] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode append_sets(const CrMeshPart *part, PetscInt body, PetscInt node0,
                                  PetscInt facet0, CrShare *w)
{
  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < part->mesh->nsets; s++) {
    const CrSet *from = &part->mesh->sets[s];
    CrShareSet  *to = &w->sets[w->nsets++];

    PetscCall(PetscStrncpy(to->name, from->name, sizeof to->name));
    to->body = body;
    to->nnodes = from->nnodes;
    to->nfacets = from->nfacets;
    to->is_surface = part->is_surface[s];
    PetscCall(PetscMalloc1(to->nnodes, &to->nodes));
    PetscCall(PetscMalloc1(to->nfacets, &to->facets));
    for (PetscInt i = 0; i < to->nnodes; i++) to->nodes[i] = from->nodes[i] + node0;
    for (PetscInt i = 0; i < to->nfacets; i++) to->facets[i] = from->facets[i] + facet0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void append_cells(const CrMeshPart *part, PetscInt body, PetscInt node0, PetscInt first,
                         CrShare *w)
{
  for (PetscInt k = 0; k < part->mesh->nblocks; k++) {
    const CrCellBlock *block = &part->mesh->blocks[k];
    PetscInt           nn = CrCells[block->type].nnodes;

    for (PetscInt c = 0; c < block->n; c++) {
      PetscInt *offset = &w->cell_offset[w->ncells];

      for (PetscInt a = 0; a < nn; a++)
        w->cell_nodes[offset[0] + a] = block->nodes[c * nn + a] + node0;
      offset[1] = offset[0] + nn;
      w->cell_number[w->ncells] = first + part->first[k] + c;
      w->cell_type[w->ncells] = block->type;
      w->cell_body[w->ncells++] = body;
    }
  }
}

static PetscErrorCode append(const CrMeshPart *part, PetscInt body, CrBody *b, CrShare *w)
{
  const CrMesh *mesh = part->mesh;
  PetscInt      node0 = w->nnodes, cell0 = w->ncells, facet0 = w->nfacets, *first;

  PetscFunctionBeginUser;
  b->first_node = w->all_nodes;
  b->nnodes = part->nnodes;
  b->first_cell = w->all_cells;
  b->ncells = part->ncells;
  PetscCall(PetscArraycpy(w->X + node0 * w->dim, mesh->X, mesh->nnodes * w->dim));
  for (PetscInt A = 0; A < mesh->nnodes; A++) {
    w->number[w->nnodes] = w->all_nodes + (part->number ? part->number[A] : A);
    w->node_body[w->nnodes++] = body;
  }
  append_cells(part, body, node0, w->all_cells, w);
  PetscCall(PetscMalloc1(mesh->nblocks + 1, &first));
  for (PetscInt k = 0, n = cell0; k < mesh->nblocks; n += mesh->blocks[k++].n) first[k] = n;
  for (PetscInt f = 0; f < mesh->nfacets; f++) {
    w->facet_cell[w->nfacets] = first[mesh->facets[f].block] + mesh->facets[f].cell;
    w->facet_face[w->nfacets++] = mesh->facets[f].face;
  }
  PetscCall(PetscFree(first));
  PetscCall(append_sets(part, body, node0, facet0, w));
  w->all_nodes += part->nnodes;
  w->all_cells += part->ncells;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The part of one body, checked. Other ranks may have found what this one has not. */
static PetscErrorCode create_part(const CrDeck *deck, const CrModel *model, PetscInt b,
                                  CrMeshPart *part)
{
  const CrDeckNode *node = model->bodies[b].deck;
  PetscErrorCode    code;

  PetscFunctionBeginUser;
  PetscCall(CrMeshCreatePart(model->comm, node, model->dim, CrDeckPath(deck), part));
  code = check_mesh(CrDeckFind(node, "mesh"), part->mesh);
  if (!code && model->bodies[b].one_point) code = check_one_point(node, part->mesh);
  if (!code && model->axial) code = CrAxialCheckMesh(CrDeckFind(node, "mesh"), part->mesh);
  if (!code) CrVolumeWarn(&model->bodies[b], part->mesh);
  PetscFunctionReturn(CrErrorAgree(model->comm, code));
}

/* Surfaces that `contact:` names. Where such a surface ends, contact looks at the boundary beside it. */
static void mark_sides(const CrModel *model, CrShare *share)
{
  for (PetscInt s = 0; s < share->nsets; s++) {
    CrShareSet *set = &share->sets[s];
    const char *body = model->bodies[set->body].name;

    if (!set->is_surface) continue;
    set->touches = CrModelIsSide(model, body, set->name);
    set->beside =
        !set->touches && !strcmp(set->name, "boundary") && CrModelIsSide(model, body, NULL);
  }
}

PetscErrorCode CrShareCreate(const CrDeck *deck, CrModel *model, CrShare *share)
{
  CrMeshPart    *parts;
  PetscInt       nlinks = 0;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(share, sizeof *share));
  PetscCall(PetscCalloc1(model->nbodies, &parts));
  for (PetscInt b = 0; b < model->nbodies && !code; b++)
    code = create_part(deck, model, b, &parts[b]);
  if (!code) {
    share->dim = model->dim;
    for (PetscInt b = 0; b < model->nbodies; b++) count_part(&parts[b], share, &nlinks);
    PetscCall(allocate(share, nlinks));
    for (PetscInt b = 0; b < model->nbodies; b++) {
      PetscCall(append(&parts[b], b, &model->bodies[b], share));
      PetscCall(CrMeshDestroyPart(&parts[b]));
    }
    mark_sides(model, share);
  }
  for (PetscInt b = 0; b < model->nbodies; b++) PetscCall(CrMeshDestroyPart(&parts[b]));
  PetscCall(PetscFree(parts));
  PetscFunctionReturn(code);
}

PetscErrorCode CrShareDestroy(CrShare *w)
{
  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < w->nsets; s++) {
    PetscCall(PetscFree(w->sets[s].nodes));
    PetscCall(PetscFree(w->sets[s].facets));
  }
  PetscCall(PetscFree3(w->X, w->number, w->node_body));
  PetscCall(PetscFree5(w->cell_number, w->cell_type, w->cell_body, w->cell_offset, w->cell_nodes));
  PetscCall(PetscFree2(w->facet_cell, w->facet_face));
  PetscCall(PetscFree(w->sets));
  PetscCall(PetscMemzero(w, sizeof *w));
  PetscFunctionReturn(PETSC_SUCCESS);
}
