/* Distributes the model to the ranks. A node belongs to a rank that has one of its cells. A cell is counted by the
   owner of its first node. A rank gets every cell that contains a node of the rank, so that the matrix rows of its
   nodes are complete without communication. No rank has the whole mesh. Every rank gets the surfaces that `contact:`
   names, with their nodes and facets and the neighbouring facets of the boundary. So all ranks have the same contact
   surfaces. Global numbers have the order of order.c. If this is not the natural order, cells are sorted in the order
   of their nodes too. */
#include "base/grow.h"
#include "base/mail.h"
#include "model/internal.h"
#include "model/share.h"

/* Cells, as they come: number, body, type, owner of the first node, nodes in natural numbers. */
enum { CELL_NUMBER, CELL_BODY, CELL_TYPE, CELL_COUNTED, CELL_NODES };

/* ---- to the owners ------------------------------------------------------------------------ */

/* Every cell goes to the owners of its nodes. *width: integers of a cell. */
static PetscErrorCode send_cells(MPI_Comm comm, const CrShare *w, const PetscInt *owner,
                                 PetscInt *width, CrPost *post)
{
  PetscInt ints[CELL_NODES + CR_MAX_CELL_NODES] = {0}, most = 1;
  CrMail   mail;

  PetscFunctionBeginUser;
  for (PetscInt e = 0; e < w->ncells; e++)
    most = PetscMax(most, w->cell_offset[e + 1] - w->cell_offset[e]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPIU_INT, MPI_MAX, comm));
  *width = CELL_NODES + most;
  PetscCall(CrMailBegin(comm, *width, 0, &mail));
  for (PetscInt e = 0; e < w->ncells; e++) {
    const PetscInt *nodes = w->cell_nodes + w->cell_offset[e];
    PetscInt        n = 0, ranks[CR_MAX_CELL_NODES];

    ints[CELL_NUMBER] = w->cell_number[e];
    ints[CELL_BODY] = w->cell_body[e];
    ints[CELL_TYPE] = w->cell_type[e];
    ints[CELL_COUNTED] = owner[nodes[0]];
    for (PetscInt a = 0; a < w->cell_offset[e + 1] - w->cell_offset[e]; a++) {
      ints[CELL_NODES + a] = w->number[nodes[a]];
      CrAddRank(owner[nodes[a]], &n, ranks);
    }
    for (PetscInt i = 0; i < n; i++) PetscCall(CrMailAdd(&mail, ranks[i], ints, NULL));
  }
  PetscCall(CrMailSend(comm, &mail, post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- local numbers ------------------------------------------------------------------------ */

typedef CR_LIST(PetscInt) Numbers;

/* Neighbouring cells have nodes in common. A node that was listed a short time ago is not listed again. */
#define RECENT 1024

static PetscErrorCode list_ghost(PetscInt node, PetscInt recent[RECENT], Numbers *ghosts)
{
  PetscFunctionBeginUser;
  if (recent[node % RECENT] == node) PetscFunctionReturn(PETSC_SUCCESS);
  recent[node % RECENT] = node;
  PetscCall(CrListGrow(ghosts, 1));
  ghosts->at[ghosts->n++] = node;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of cells and facets that are not owned, ascending. The cells get the local numbers A of owned nodes as -1 - A,
   so that no node is looked up again (local_node). */
static PetscErrorCode find_ghosts(const CrNodeMap *owned, CrPost *cells, PetscInt width,
                                  const CrPost *facets, Numbers *ghosts)
{
  PetscInt recent[RECENT];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < RECENT; k++) recent[k] = -1;
  for (PetscInt k = 0; k < cells->n; k++) {
    PetscInt *c = cells->ints + k * width;

    for (PetscInt a = 0; a < CrCells[c[CELL_TYPE]].nnodes; a++) {
      const PetscInt node = c[CELL_NODES + a], A = CrNodeMapFind(owned, node);

      if (A < 0)
        PetscCall(list_ghost(node, recent, ghosts));
      else
        c[CELL_NODES + a] = -1 - A;
    }
  }
  for (PetscInt k = 0; k < facets->n; k++) {
    const PetscInt *nodes;
    PetscInt        n = CrFacetsNodes(facets, k, &nodes);

    for (PetscInt a = 0; a < n; a++)
      if (CrNodeMapFind(owned, nodes[a]) < 0) PetscCall(list_ghost(nodes[a], recent, ghosts));
  }
  PetscCall(PetscSortRemoveDupsInt(&ghosts->n, ghosts->at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The local number of a node of a cell, after find_ghosts. */
static PetscInt local_node(const CrNodeMap *map, PetscInt node)
{
  return node < 0 ? -1 - node : CrNodeMapFind(map, node);
}

/* Behind the owned nodes come the ghosts, in the order of their global numbers. */
static PetscErrorCode append_ghosts(MPI_Comm comm, const CrRegister *reg, const Numbers *ghosts,
                                    CrModel *model, PetscInt *nmembers, PetscInt **members)
{
  const PetscInt dim = model->dim, n = ghosts->n, nowned = model->nowned;
  PetscInt      *global, *body, *order;
  PetscReal     *X;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc4(n, &global, n, &body, n, &order, n * dim, &X));
  PetscCall(CrRegisterFind(comm, reg, dim, n, ghosts->at, global, body, X, nmembers, members));
  for (PetscInt k = 0; k < n; k++) order[k] = k;
  PetscCall(PetscSortIntWithArray(n, global, order));
  for (PetscInt k = 0; k < n; k++) {
    PetscInt from = order[k];

    model->ghosts[k] = global[k];
    model->natural[nowned + k] = ghosts->at[from];
    model->node_body[nowned + k] = body[from];
    for (PetscInt i = 0; i < dim; i++) model->X[dim * (nowned + k) + i] = X[dim * from + i];
  }
  PetscCall(PetscFree4(global, body, order, X));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of this rank, and which of them are in which sets. */
static PetscErrorCode number_nodes(CrModel *model, CrRegister *reg, const CrOrder *order,
                                   CrPost *cells, PetscInt width, const CrPost *facets,
                                   PetscInt *nmembers, PetscInt **members)
{
  CrOrderPlace *places;
  PetscReal    *X;
  PetscInt     *natural;
  Numbers       ghosts = {0};
  CrNodeMap     owned;

  PetscFunctionBeginUser;
  PetscCall(CrRegisterOwned(model->comm, reg, order, &model->first, &model->nowned, &places, &X));
  PetscCall(PetscMalloc1(model->nowned, &natural));
  for (PetscInt k = 0; k < model->nowned; k++) natural[k] = places[k].node;
  PetscCall(CrNodeMapCreate(model->nowned, natural, &owned));
  PetscCall(find_ghosts(&owned, cells, width, facets, &ghosts));
  PetscCall(CrNodeMapDestroy(&owned));
  model->nlocal = model->nowned + ghosts.n;
  PetscCall(PetscMalloc3(model->nlocal, &model->natural, ghosts.n, &model->ghosts, model->nlocal,
                         &model->node_body));
  PetscCall(PetscMalloc1(model->nlocal * model->dim, &model->X));
  PetscCall(PetscArraycpy(model->natural, natural, model->nowned));
  PetscCall(PetscArraycpy(model->X, X, model->nowned * model->dim));
  for (PetscInt k = 0; k < model->nowned; k++) model->node_body[k] = places[k].body;
  PetscCall(PetscFree(natural));
  PetscCall(PetscFree(places));
  PetscCall(PetscFree(X));
  PetscCall(append_ghosts(model->comm, reg, &ghosts, model, nmembers, members));
  PetscCall(PetscFree(ghosts.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* Cells of this rank in the order of their numbers. */
static PetscErrorCode sort_cells(const CrPost *cells, PetscInt width, PetscInt *order)
{
  PetscInt *number;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(cells->n, &number));
  for (PetscInt k = 0; k < cells->n; k++) {
    number[k] = cells->ints[k * width + CELL_NUMBER];
    order[k] = k;
  }
  PetscCall(PetscSortIntWithArray(cells->n, number, order));
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* n cells of a block in the order of their least nodes. */
static PetscErrorCode sort_by_nodes(const CrModel *model, const CrNodeMap *map, const CrPost *cells,
                                    PetscInt width, PetscInt n, PetscInt *order)
{
  PetscInt *least;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &least));
  for (PetscInt k = 0; k < n; k++) {
    const PetscInt *c = cells->ints + order[k] * width;

    least[k] = PETSC_MAX_INT;
    for (PetscInt a = 0; a < CrCells[c[CELL_TYPE]].nnodes; a++) {
      PetscInt A = local_node(map, c[CELL_NODES + a]);

      least[k] = PetscMin(least[k],
                          A < model->nowned ? model->first + A : model->ghosts[A - model->nowned]);
    }
  }
  PetscCall(PetscSortIntWithArray(n, least, order));
  PetscCall(PetscFree(least));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void set_rules(const CrModel *model, CrElementBlock *block)
{
  block->one_point = model->bodies[block->body].one_point;
  CrRuleFill(block->element,
             !block->one_point ? block->element->stress_rule
             : model->dim == 2 ? &CrQuadQuad1
                               : &CrQuadHex1,
             &block->stress_rule);
  CrRuleFill(block->element, block->element->mass_rule, &block->mass_rule);
  block->state_size = CrMaterialStateSize(block->material, model->dim);
  block->axial = model->axial;
  CrVolumeSetUp(&model->bodies[block->body], block);
  CrBulkSetUp(model, block);
}

/* A block of n cells of one body and type, counted cells first. */
static PetscErrorCode fill_block(const CrModel *model, const CrNodeMap *map, const CrPost *cells,
                                 PetscInt width, PetscInt n, const PetscInt *order,
                                 CrElementBlock *block)
{
  const PetscInt *c = cells->ints + order[0] * width;
  PetscMPIInt     rank;
  PetscInt        nn, e = 0;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  *block = (CrElementBlock){.body = c[CELL_BODY], .n = n, .thickness = model->thickness};
  block->element = CrElementGet((CrCellType)c[CELL_TYPE]);
  block->material = model->bodies[block->body].material;
  block->nbatches = (n + CR_BATCH - 1) / CR_BATCH;
  nn = block->element->nnodes;
  PetscCall(PetscMalloc2(block->nbatches * nn * CR_BATCH, &block->nodes, n, &block->cell));
  for (int counted = 1; counted >= 0; counted--) {
    for (PetscInt k = 0; k < n; k++) {
      c = cells->ints + order[k] * width;
      if ((c[CELL_COUNTED] == rank) != counted) continue;
      block->cell[e] = c[CELL_NUMBER];
      for (PetscInt a = 0; a < nn; a++)
        block->nodes[(e / CR_BATCH * nn + a) * CR_BATCH + e % CR_BATCH] =
            local_node(map, c[CELL_NODES + a]);
      e++;
    }
    if (counted) block->nowned = e;
  }
  for (; e < block->nbatches * CR_BATCH; e++)
    for (PetscInt a = 0; a < nn; a++)
      block->nodes[(e / CR_BATCH * nn + a) * CR_BATCH + e % CR_BATCH] =
          block->nodes[((n - 1) / CR_BATCH * nn + a) * CR_BATCH + (n - 1) % CR_BATCH];
  set_rules(model, block);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create_blocks(CrModel *model, const CrNodeMap *map, const CrPost *cells,
                                    PetscInt width, PetscBool along_curve)
{
  PetscInt *order, room = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(cells->n, &order));
  PetscCall(sort_cells(cells, width, order));
  for (PetscInt k = 0, end; k < cells->n; k = end) {
    const PetscInt *first = cells->ints + order[k] * width;

    for (end = k + 1; end < cells->n; end++) {
      const PetscInt *c = cells->ints + order[end] * width;

      if (c[CELL_BODY] != first[CELL_BODY] || c[CELL_TYPE] != first[CELL_TYPE]) break;
    }
    if (along_curve) PetscCall(sort_by_nodes(model, map, cells, width, end - k, order + k));
    PetscCall(CrGrow(model->nblocks + 1, &room, &model->blocks));
    PetscCall(
        fill_block(model, map, cells, width, end - k, order + k, &model->blocks[model->nblocks++]));
  }
  PetscCall(PetscFree(order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------- */

static PetscErrorCode build(CrModel *model, const CrOrder *order, CrRegister *reg, CrPost *cells,
                            PetscInt width, const CrPost *facets)
{
  PetscInt  nmembers, *members;
  CrNodeMap map;

  PetscFunctionBeginUser;
  PetscCall(number_nodes(model, reg, order, cells, width, facets, &nmembers, &members));
  PetscCall(CrNodeMapCreate(model->nlocal, model->natural, &map));
  PetscCall(create_blocks(model, &map, cells, width, order->along_curve));
  PetscCall(CrFacetsFill(model, &map, facets));
  PetscCall(CrMembersFill(model, &map, nmembers, members));
  PetscCall(CrNodeMapDestroy(&map));
  PetscCall(PetscFree(members));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelDistribute(CrModel *model, CrShare *share)
{
  PetscInt  *part, *owner, width;
  CrOrder    order;
  CrRegister reg;
  CrPost     cells, facets;

  PetscFunctionBeginUser;
  model->nglobal = share->all_nodes;
  model->ncells = share->all_cells;
  PetscCall(PetscMalloc1(share->ncells, &part));
  PetscCall(PetscMalloc1(share->nnodes, &owner));
  PetscCall(CrSharePartition(model->comm, share, part));
  PetscCall(CrOrderChoose(model->comm, share, &order));
  PetscCall(CrRegisterCreate(model->comm, share, part, &order, &reg, owner));
  PetscCall(PetscFree(part));
  PetscCall(send_cells(model->comm, share, owner, &width, &cells));
  PetscCall(CrFacetsSend(model->comm, share, &reg, owner, &facets));
  PetscCall(PetscFree(owner));
  PetscCall(CrSetsCreate(model, share));
  PetscCall(CrShareDestroy(share));
  PetscCall(build(model, &order, &reg, &cells, width, &facets));
  PetscCall(CrRegisterDestroy(&reg));
  PetscCall(CrPostEnd(&cells));
  PetscCall(CrPostEnd(&facets));
  PetscFunctionReturn(PETSC_SUCCESS);
}
