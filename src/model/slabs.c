#include "model/slabs.h"
#include "base/mail.h"

PetscErrorCode CrSlabDestroy(CrSlab *slab)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(slab->values));
  *slab = (CrSlab){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- rows --------------------------------------------------------------------------------- */

PetscErrorCode CrSlabMakeRows(MPI_Comm comm, PetscInt all, PetscInt width, CrSlab *slab)
{
  PetscMPIInt rank, size;
  PetscInt    first, end;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  first = CrShareBegin(all, size, rank);
  end = CrShareBegin(all, size, rank + 1);
  *slab = (CrSlab){.all = (PetscInt64)all * width,
                   .begin = (PetscInt64)first * width,
                   .n = (end - first) * width};
  PetscCall(PetscMalloc1(slab->n, &slab->values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows travel in groups, so that messages take little memory beside the rows. A group has one piece of every slab, so no
   rank receives more rows at once than a piece has. All ranks have as many groups. */
#define GROUP       2048
#define MOST_GROUPS 16 /* a rank goes through all its rows once for each group */

static PetscErrorCode count_groups(MPI_Comm comm, PetscInt all, PetscMPIInt *groups)
{
  PetscMPIInt size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  *groups = (PetscMPIInt)PetscMin(MOST_GROUPS, 1 + all / size / GROUP);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rank whose slab has a row, if the row is in this group; else -1. Shares of ranks consist of whole pieces. */
static PetscInt rank_of(PetscInt all, PetscMPIInt size, PetscMPIInt groups, PetscMPIInt group,
                        PetscInt number)
{
  PetscInt piece = CrShareRank(all, size * groups, number);

  return piece % groups == group ? piece / groups : -1;
}

/* The rows of a group, each to the rank whose slab has it, with `width` numbers each. A rank without rows has no
   array. */
static PetscErrorCode post_rows(MPI_Comm comm, PetscInt all, PetscMPIInt groups, PetscMPIInt group,
                                PetscInt n, const PetscInt *number, PetscInt width,
                                const PetscReal *values, CrMail *mail, CrPost *post)
{
  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 1, width, mail));
  for (PetscInt k = 0; k < n; k++) {
    PetscInt to = rank_of(all, mail->size, groups, group, number[k]);

    if (to >= 0) PetscCall(CrMailAdd(mail, to, &number[k], width ? values + width * k : NULL));
  }
  PetscCall(CrMailSend(comm, mail, post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSlabFromRows(MPI_Comm comm, PetscInt all, PetscInt n, const PetscInt *number,
                              PetscInt width, const PetscReal *values, CrSlab *slab)
{
  PetscMPIInt groups;

  PetscFunctionBeginUser;
  PetscCall(CrSlabMakeRows(comm, all, width, slab));
  PetscCall(count_groups(comm, all, &groups));
  for (PetscMPIInt g = 0; g < groups; g++) {
    CrMail mail;
    CrPost post;

    PetscCall(post_rows(comm, all, groups, g, n, number, width, values, &mail, &post));
    for (PetscInt k = 0; k < post.n; k++)
      PetscCall(PetscArraycpy(slab->values + ((PetscInt64)post.ints[k] * width - slab->begin),
                              post.reals + k * width, width));
    PetscCall(CrPostEnd(&post));
    PetscCall(CrMailEnd(&mail));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Answers to the rows of a group, from the slabs. The answers arrive in the order of the rows. */
static PetscErrorCode take_rows(MPI_Comm comm, PetscInt all, PetscMPIInt groups, PetscMPIInt group,
                                PetscInt n, const PetscInt *number, PetscInt width,
                                const CrSlab *slab, PetscReal *values)
{
  CrMail     mail;
  CrPost     post;
  PetscReal *given, *taken;
  PetscInt   next = 0;

  PetscFunctionBeginUser;
  PetscCall(post_rows(comm, all, groups, group, n, number, 0, NULL, &mail, &post));
  PetscCall(PetscMalloc2(post.n * width, &given, mail.n * width, &taken));
  for (PetscInt k = 0; k < post.n; k++)
    PetscCall(PetscArraycpy(given + k * width,
                            slab->values + ((PetscInt64)post.ints[k] * width - slab->begin),
                            width));
  PetscCall(CrMailAnswer(comm, &mail, 0, NULL, NULL, width, given, taken));
  for (PetscInt k = 0; k < n; k++)
    if (rank_of(all, mail.size, groups, group, number[k]) >= 0)
      PetscCall(PetscArraycpy(values + width * k, taken + width * next++, width));
  PetscCall(PetscFree2(given, taken));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSlabToRows(MPI_Comm comm, PetscInt all, PetscInt n, const PetscInt *number,
                            PetscInt width, const CrSlab *slab, PetscReal *values)
{
  PetscMPIInt groups;

  PetscFunctionBeginUser;
  PetscCall(count_groups(comm, all, &groups));
  for (PetscMPIInt g = 0; g < groups; g++)
    PetscCall(take_rows(comm, all, groups, g, n, number, width, slab, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- nodes -------------------------------------------------------------------------------- */

PetscErrorCode CrSlabMakeNodes(const CrModel *model, PetscInt width, CrSlab *slab)
{
  return CrSlabMakeRows(model->comm, model->nglobal, width, slab);
}

PetscErrorCode CrSlabFromNodes(const CrModel *model, PetscInt width, const PetscReal *owned,
                               CrSlab *slab)
{
  return CrSlabFromRows(model->comm, model->nglobal, model->nowned, model->natural, width, owned,
                        slab);
}

PetscErrorCode CrSlabToNodes(const CrModel *model, PetscInt width, const CrSlab *slab,
                             PetscReal *owned)
{
  return CrSlabToRows(model->comm, model->nglobal, model->nowned, model->natural, width, slab,
                      owned);
}

/* ---- cells -------------------------------------------------------------------------------- */

/* Where the numbers of the cells of a slab begin: start[k] of cell first + k; start[n] is the end. */
typedef struct {
  PetscInt  first, n;
  PetscInt *start; /* owned */
} Cells;

/* Counted cells, or all, to the ranks whose slabs have them: number and width. */
static PetscErrorCode post_cells(const CrModel *model, const PetscInt *width, PetscBool ghosts,
                                 PetscInt nreals, PetscReal *const *blocks, CrMail *mail,
                                 CrPost *post)
{
  PetscReal *reals;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(nreals, &reals));
  PetscCall(CrMailBegin(model->comm, 2, nreals, mail));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    for (PetscInt e = 0; width[k] && e < (ghosts ? b->n : b->nowned); e++) {
      const PetscInt ints[] = {b->cell[e], width[k]};

      for (PetscInt i = 0; nreals && i < width[k]; i++)
        reals[i] = blocks[k][(e / CR_BATCH * width[k] + i) * CR_BATCH + e % CR_BATCH];
      PetscCall(CrMailAdd(mail, CrShareRank(model->ncells, mail->size, ints[0]), ints, reals));
    }
  }
  PetscCall(CrMailSend(model->comm, mail, post));
  PetscCall(PetscFree(reals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_slab(const CrModel *model, const CrPost *post, Cells *cells,
                                CrSlab *slab)
{
  PetscMPIInt rank, size;
  PetscInt64  n;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  cells->first = CrShareBegin(model->ncells, size, rank);
  cells->n = CrShareBegin(model->ncells, size, rank + 1) - cells->first;
  PetscCall(PetscCalloc1(cells->n + 1, &cells->start));
  for (PetscInt k = 0; k < post->n; k++)
    cells->start[post->ints[2 * k] - cells->first + 1] = post->ints[2 * k + 1];
  for (PetscInt c = 0; c < cells->n; c++) cells->start[c + 1] += cells->start[c];
  *slab = (CrSlab){.n = cells->start[cells->n]};
  n = slab->n;
  PetscCallMPI(MPI_Scan(&n, &slab->begin, 1, MPIU_INT64, MPI_SUM, model->comm));
  slab->begin -= n;
  PetscCallMPI(MPI_Allreduce(&n, &slab->all, 1, MPIU_INT64, MPI_SUM, model->comm));
  PetscCall(PetscMalloc1(slab->n, &slab->values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode widest_of(const CrModel *model, const PetscInt *width, PetscInt *widest)
{
  PetscFunctionBeginUser;
  *widest = 0;
  for (PetscInt k = 0; k < model->nblocks; k++) *widest = PetscMax(*widest, width[k]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, widest, 1, MPIU_INT, MPI_MAX, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSlabFromCells(const CrModel *model, const PetscInt *width,
                               PetscReal *const *blocks, CrSlab *slab)
{
  CrMail   mail;
  CrPost   post;
  Cells    cells;
  PetscInt widest;

  PetscFunctionBeginUser;
  PetscCall(widest_of(model, width, &widest));
  PetscCall(post_cells(model, width, PETSC_FALSE, widest, blocks, &mail, &post));
  PetscCall(make_slab(model, &post, &cells, slab));
  for (PetscInt k = 0; k < post.n; k++)
    PetscCall(PetscArraycpy(slab->values + cells.start[post.ints[2 * k] - cells.first],
                            post.reals + k * widest, post.ints[2 * k + 1]));
  PetscCall(PetscFree(cells.start));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSlabMakeCells(const CrModel *model, const PetscInt *width, CrSlab *slab)
{
  CrMail mail;
  CrPost post;
  Cells  cells;

  PetscFunctionBeginUser;
  PetscCall(post_cells(model, width, PETSC_FALSE, 0, NULL, &mail, &post));
  PetscCall(make_slab(model, &post, &cells, slab));
  PetscCall(PetscFree(cells.start));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Answers, in the order of post_cells, into the blocks. The lanes behind the last cell repeat it, as its nodes do. */
static void fill_blocks(const CrModel *model, const PetscInt *width, PetscInt widest,
                        const PetscReal *answers, PetscReal *const *blocks)
{
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    for (PetscInt e = 0; width[k] && e < b->nbatches * CR_BATCH; e++) {
      const PetscReal *from = answers + PetscMin(e, b->n - 1) * widest;

      for (PetscInt i = 0; i < width[k]; i++)
        blocks[k][(e / CR_BATCH * width[k] + i) * CR_BATCH + e % CR_BATCH] = from[i];
    }
    if (width[k]) answers += b->n * widest;
  }
}

PetscErrorCode CrSlabToCells(const CrModel *model, const PetscInt *width, const CrSlab *slab,
                             PetscReal *const *blocks)
{
  CrMail     mail;
  CrPost     post;
  Cells      cells;
  CrSlab     same;
  PetscInt   widest;
  PetscReal *reals, *answers;

  PetscFunctionBeginUser;
  PetscCall(widest_of(model, width, &widest));
  /* ghost cells are asked for too: they say what the cells' owners say */
  PetscCall(post_cells(model, width, PETSC_TRUE, 0, NULL, &mail, &post));
  PetscCall(make_slab(model, &post, &cells, &same));
  PetscCall(PetscCalloc2(post.n * widest, &reals, mail.n * widest, &answers));
  for (PetscInt k = 0; k < post.n; k++)
    PetscCall(PetscArraycpy(reals + k * widest,
                            slab->values + cells.start[post.ints[2 * k] - cells.first],
                            post.ints[2 * k + 1]));
  PetscCall(CrMailAnswer(model->comm, &mail, 0, NULL, NULL, widest, reals, answers));
  fill_blocks(model, width, widest, answers, blocks);
  PetscCall(PetscFree2(reals, answers));
  PetscCall(PetscFree(cells.start));
  PetscCall(CrSlabDestroy(&same));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}
