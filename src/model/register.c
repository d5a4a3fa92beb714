/* The register of nodes. A node belongs to a rank that has one of its cells. Every rank stores the entries of a range
   of natural numbers, so that a rank that looks for a node knows which rank to ask. */
#include "base/mail.h"
#include "model/share.h"

static PetscInt keeper(const CrRegister *reg, PetscMPIInt size, PetscInt node)
{
  return CrShareRank(reg->all, size, node);
}

/* ---- owners ------------------------------------------------------------------------------- */

/* The nodes between two ranks go to the lower rank, which gives half of them away: the first ones in the order
   stay, so that the halves hang together. Were all given to one, it would also compute all cells along the cut, and
   the others would wait for it. */
static PetscErrorCode halve(MPI_Comm comm, const CrOrder *order, const CrPost *post,
                            PetscInt *owner)
{
  CrOrderPlace *places;
  PetscMPIInt   rank;
  PetscInt      shared;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscMalloc1(post->n, &places));
  for (PetscInt k = 0; k < post->n; k++) {
    const PetscInt *p = post->ints + 3 * k;

    places[k] = CrOrderAt(order, p[2], p[1], p[0], k, post->reals + order->dim * k);
  }
  CrOrderSort(post->n, places);
  for (PetscInt k = 0; k < post->n; k += shared) {
    PetscInt high = places[k].group;

    for (shared = 1; k + shared < post->n && places[k + shared].group == high;) shared++;
    for (PetscInt i = 0; i < shared; i++)
      owner[places[k + i].index] = 2 * i >= shared ? high : rank;
  }
  PetscCall(PetscFree(places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* owner[] holds the lowest rank that has a cell of the node, high[] the highest. */
static PetscErrorCode choose_owners(MPI_Comm comm, const CrOrder *order, const PetscInt *high,
                                    CrRegister *reg)
{
  CrMail    mail;
  CrPost    post;
  PetscInt *chosen, *answers, n = 0;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 3, order->dim, &mail));
  for (PetscInt i = 0; i < reg->n; i++) {
    const PetscInt ints[] = {reg->begin + i, reg->body[i], high[i]};

    if (high[i] != reg->owner[i])
      PetscCall(CrMailAdd(&mail, reg->owner[i], ints, reg->X + order->dim * i));
  }
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc2(post.n, &chosen, mail.n, &answers));
  PetscCall(halve(comm, order, &post, chosen));
  PetscCall(CrMailAnswer(comm, &mail, 1, chosen, answers, 0, NULL, NULL));
  for (PetscInt i = 0; i < reg->n; i++)
    if (high[i] != reg->owner[i]) reg->owner[i] = answers[n++];
  PetscCall(PetscFree2(chosen, answers));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- registration ------------------------------------------------------------------------- */

static PetscErrorCode post_nodes(MPI_Comm comm, const CrShare *w, const PetscInt *part,
                                 const CrRegister *reg, CrMail *mail)
{
  PetscInt *low, *high;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(w->nnodes, &low, w->nnodes, &high));
  for (PetscInt A = 0; A < w->nnodes; A++) {
    low[A] = PETSC_MAX_INT;
    high[A] = -1;
  }
  for (PetscInt e = 0; e < w->ncells; e++)
    for (PetscInt k = w->cell_offset[e]; k < w->cell_offset[e + 1]; k++) {
      PetscInt A = w->cell_nodes[k];

      low[A] = PetscMin(low[A], part[e]);
      high[A] = PetscMax(high[A], part[e]);
    }
  PetscCall(CrMailBegin(comm, 4, w->dim, mail));
  for (PetscInt A = 0; A < w->nnodes; A++) {
    const PetscInt ints[] = {w->number[A], w->node_body[A], low[A], high[A]};

    PetscCall(CrMailAdd(mail, keeper(reg, mail->size, w->number[A]), ints, w->X + w->dim * A));
  }
  PetscCall(PetscFree2(low, high));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void enter_nodes(const CrPost *post, PetscInt dim, CrRegister *reg, PetscInt *high)
{
  for (PetscInt i = 0; i < reg->n; i++) {
    reg->owner[i] = PETSC_MAX_INT;
    high[i] = -1;
  }
  for (PetscInt k = 0; k < post->n; k++) {
    const PetscInt *p = post->ints + 4 * k, i = p[0] - reg->begin;

    reg->body[i] = p[1];
    reg->owner[i] = PetscMin(reg->owner[i], p[2]);
    high[i] = PetscMax(high[i], p[3]);
    for (PetscInt j = 0; j < dim; j++) reg->X[dim * i + j] = post->reals[dim * k + j];
  }
}

/* Which nodes are in which sets; several ranks may say the same. */
static PetscErrorCode enter_members(MPI_Comm comm, const CrShare *w, CrRegister *reg)
{
  CrMail   mail;
  CrPost   post;
  PetscInt n = 0;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 2, 0, &mail));
  for (PetscInt s = 0; s < w->nsets; s++)
    for (PetscInt i = 0; i < w->sets[s].nnodes; i++) {
      const PetscInt ints[] = {w->number[w->sets[s].nodes[i]], s};

      PetscCall(CrMailAdd(&mail, keeper(reg, mail.size, ints[0]), ints, NULL));
    }
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc2(post.n, &reg->member_node, post.n, &reg->member_set));
  for (PetscInt k = 0; k < post.n; k++) {
    reg->member_node[k] = post.ints[2 * k];
    reg->member_set[k] = post.ints[2 * k + 1];
  }
  /* by node, sets of a node ascending, each once */
  PetscCall(PetscSortIntWithArray(post.n, reg->member_node, reg->member_set));
  for (PetscInt k = 0, end; k < post.n; k = end) {
    for (end = k; end < post.n && reg->member_node[end] == reg->member_node[k];) end++;
    PetscCall(PetscSortInt(end - k, reg->member_set + k));
    for (PetscInt i = k; i < end; i++) {
      if (i > k && reg->member_set[i] == reg->member_set[n - 1]) continue;
      reg->member_node[n] = reg->member_node[i];
      reg->member_set[n++] = reg->member_set[i];
    }
  }
  reg->nmembers = n;
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRegisterCreate(MPI_Comm comm, const CrShare *w, const PetscInt *part,
                                const CrOrder *order, CrRegister *reg, PetscInt *owner)
{
  PetscMPIInt rank, size;
  CrMail      mail;
  CrPost      post;
  PetscInt   *high, *told;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  *reg = (CrRegister){.all = w->all_nodes, .begin = CrShareBegin(w->all_nodes, size, rank)};
  reg->n = CrShareBegin(w->all_nodes, size, rank + 1) - reg->begin;
  PetscCall(PetscMalloc4(reg->n, &reg->body, reg->n, &reg->owner, reg->n, &reg->global,
                         reg->n * w->dim, &reg->X));
  PetscCall(post_nodes(comm, w, part, reg, &mail));
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc2(reg->n, &high, post.n, &told));
  enter_nodes(&post, w->dim, reg, high);
  PetscCall(choose_owners(comm, order, high, reg));
  for (PetscInt k = 0; k < post.n; k++) told[k] = reg->owner[post.ints[4 * k] - reg->begin];
  PetscCall(CrMailAnswer(comm, &mail, 1, told, owner, 0, NULL, NULL));
  PetscCall(PetscFree2(high, told));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscCall(enter_members(comm, w, reg));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRegisterDestroy(CrRegister *reg)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree4(reg->body, reg->owner, reg->global, reg->X));
  PetscCall(PetscFree2(reg->member_node, reg->member_set));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- questions ---------------------------------------------------------------------------- */

PetscErrorCode CrRegisterOwned(MPI_Comm comm, CrRegister *reg, const CrOrder *order,
                               PetscInt *first, PetscInt *n, CrOrderPlace **places, PetscReal **X)
{
  const PetscInt dim = order->dim;
  CrMail         mail;
  CrPost         post;
  PetscInt      *global;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 2, dim, &mail));
  for (PetscInt i = 0; i < reg->n; i++) {
    const PetscInt ints[] = {reg->begin + i, reg->body[i]};

    PetscCall(CrMailAdd(&mail, reg->owner[i], ints, reg->X + dim * i));
  }
  PetscCall(CrMailSend(comm, &mail, &post));
  *n = post.n;
  PetscCallMPI(MPI_Scan(n, first, 1, MPIU_INT, MPI_SUM, comm));
  *first -= *n;
  PetscCall(PetscMalloc1(*n, places));
  PetscCall(PetscMalloc1(*n * dim, X));
  for (PetscInt k = 0; k < *n; k++)
    (*places)[k] =
        CrOrderAt(order, 0, post.ints[2 * k + 1], post.ints[2 * k], k, post.reals + dim * k);
  CrOrderSort(*n, *places);
  PetscCall(PetscMalloc1(*n, &global));
  for (PetscInt k = 0; k < *n; k++) {
    global[(*places)[k].index] = *first + k;
    for (PetscInt i = 0; i < dim; i++) (*X)[dim * k + i] = post.reals[dim * (*places)[k].index + i];
  }
  PetscCall(CrMailAnswer(comm, &mail, 1, global, reg->global, 0, NULL, NULL));
  PetscCall(PetscFree(global));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The sets of owned nodes go to their owners, those of nodes asked for to whoever asked. */
static PetscErrorCode tell_members(MPI_Comm comm, const CrRegister *reg, const CrPost *asked,
                                   PetscInt *nmembers, PetscInt **members)
{
  CrMail   mail;
  CrPost   post;
  PetscInt at;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 2, 0, &mail));
  for (PetscInt m = 0; m < reg->nmembers; m++) {
    const PetscInt ints[] = {reg->member_node[m], reg->member_set[m]};

    PetscCall(CrMailAdd(&mail, reg->owner[ints[0] - reg->begin], ints, NULL));
  }
  for (PetscInt k = 0; k < asked->n; k++) {
    PetscCall(PetscFindInt(asked->ints[k], reg->nmembers, reg->member_node, &at));
    while (at > 0 && reg->member_node[at - 1] == asked->ints[k]) at--;
    for (; at >= 0 && at < reg->nmembers && reg->member_node[at] == asked->ints[k]; at++) {
      const PetscInt ints[] = {reg->member_node[at], reg->member_set[at]};

      PetscCall(CrMailAdd(&mail, asked->from[k], ints, NULL));
    }
  }
  PetscCall(CrMailSend(comm, &mail, &post));
  *nmembers = post.n;
  *members = post.ints;
  post.ints = NULL;
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRegisterFind(MPI_Comm comm, const CrRegister *reg, PetscInt dim, PetscInt n,
                              const PetscInt *nodes, PetscInt *global, PetscInt *body, PetscReal *X,
                              PetscInt *nmembers, PetscInt **members)
{
  CrMail     mail;
  CrPost     post;
  PetscInt  *ints, *answers;
  PetscReal *reals;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 1, 0, &mail));
  for (PetscInt k = 0; k < n; k++)
    PetscCall(CrMailAdd(&mail, keeper(reg, mail.size, nodes[k]), &nodes[k], NULL));
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc3(2 * post.n, &ints, 2 * n, &answers, dim * post.n, &reals));
  for (PetscInt k = 0; k < post.n; k++) {
    PetscInt i = post.ints[k] - reg->begin;

    ints[2 * k] = reg->global[i];
    ints[2 * k + 1] = reg->body[i];
    for (PetscInt j = 0; j < dim; j++) reals[dim * k + j] = reg->X[dim * i + j];
  }
  PetscCall(CrMailAnswer(comm, &mail, 2, ints, answers, dim, reals, X));
  for (PetscInt k = 0; k < n; k++) {
    global[k] = answers[2 * k];
    body[k] = answers[2 * k + 1];
  }
  PetscCall(tell_members(comm, reg, &post, nmembers, members));
  PetscCall(PetscFree3(ints, answers, reals));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is an entry of the register in a set that touches? */
static PetscInt is_touching(const CrRegister *reg, const CrShare *w, PetscInt node)
{
  PetscInt at, touches = 0;

  PetscCallAbort(PETSC_COMM_SELF, PetscFindInt(node, reg->nmembers, reg->member_node, &at));
  while (at > 0 && reg->member_node[at - 1] == node) at--;
  for (; at >= 0 && at < reg->nmembers && reg->member_node[at] == node; at++)
    touches = touches || w->sets[reg->member_set[at]].touches;
  return touches;
}

PetscErrorCode CrRegisterTouching(MPI_Comm comm, const CrRegister *reg, const CrShare *w,
                                  PetscInt *touching)
{
  CrMail    mail;
  CrPost    post;
  PetscInt *told, *answers, n = 0;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 1, 0, &mail));
  for (PetscInt A = 0; A < w->nnodes; A++) touching[A] = 0;
  for (PetscInt s = 0; s < w->nsets; s++)
    for (PetscInt i = 0; w->sets[s].beside && i < w->sets[s].nnodes; i++) {
      PetscInt node = w->number[w->sets[s].nodes[i]];

      PetscCall(CrMailAdd(&mail, keeper(reg, mail.size, node), &node, NULL));
    }
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc2(post.n, &told, mail.n, &answers));
  for (PetscInt k = 0; k < post.n; k++) told[k] = is_touching(reg, w, post.ints[k]);
  PetscCall(CrMailAnswer(comm, &mail, 1, told, answers, 0, NULL, NULL));
  for (PetscInt s = 0; s < w->nsets; s++)
    for (PetscInt i = 0; w->sets[s].beside && i < w->sets[s].nnodes; i++)
      touching[w->sets[s].nodes[i]] = answers[n++];
  PetscCall(PetscFree2(told, answers));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}
