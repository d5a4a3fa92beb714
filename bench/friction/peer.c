/* Siconos: how its solvers are set up and called. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include "friction/peer.h"

enum { DENSE, BLOCKS, STORAGES };

struct Peer {
  PetscInt                dim, n, entry;
  FrictionContactProblem *problem[STORAGES]; /* owned, with matrix, q and mu */
  SolverOptions          *options;           /* owned: of the entry that was prepared */
  PetscReal              *velocity;
};

/* Every solver with the storages it takes: NSGS is quicker with one or the other by size. `check`: when NSGS evaluates
   the whole error; by default it first trusts the change of a sweep, which may cost it sweeps beyond the end. */
typedef struct {
  const char *name;
  int         dim, solver, storage, limit, check;
} Entry;

static const Entry entries[] = {{"NSGS blocks", 3, SICONOS_FRICTION_3D_NSGS, BLOCKS, 100000, -1},
                                {"NSGS blocks, full check", 3, SICONOS_FRICTION_3D_NSGS, BLOCKS,
                                 100000, SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL},
                                {"NSGS dense", 3, SICONOS_FRICTION_3D_NSGS, DENSE, 100000, -1},
                                {"NSGS dense, full check", 3, SICONOS_FRICTION_3D_NSGS, DENSE,
                                 100000, SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL},
                                {"NSN_AC blocks", 3, SICONOS_FRICTION_3D_NSN_AC, BLOCKS, 1000, -1},
                                {"NSN_AC dense", 3, SICONOS_FRICTION_3D_NSN_AC, DENSE, 1000, -1},
                                {"NSN_FB blocks", 3, SICONOS_FRICTION_3D_NSN_FB, BLOCKS, 1000, -1},
                                {"NSN_FB dense", 3, SICONOS_FRICTION_3D_NSN_FB, DENSE, 1000, -1},
                                {"NSGS blocks", 2, SICONOS_FRICTION_2D_NSGS, BLOCKS, 100000, -1},
                                {"NSGS dense", 2, SICONOS_FRICTION_2D_NSGS, DENSE, 100000, -1},
                                {"Lemke", 2, SICONOS_FRICTION_2D_LEMKE, DENSE, 100000, -1}};

static const Entry *find(PetscInt dim, PetscInt k)
{
  for (size_t e = 0; e < sizeof entries / sizeof *entries; e++)
    if (entries[e].dim == dim && k-- == 0) return &entries[e];
  return NULL;
}

const char *PeerName(PetscInt dim, PetscInt k)
{
  const Entry *entry = find(dim, k);

  return entry ? entry->name : NULL;
}

/* ---- the problem: its matrices are freed by Siconos, hence malloc -------------------------- */

static void copy_block(PetscInt d, PetscInt stride, const PetscReal from[], PetscInt rows,
                       double to[])
{
  for (PetscInt c = 0; c < d; c++)
    for (PetscInt a = 0; a < d; a++) to[c * rows + a] = from[c * stride + a];
}

static NumericsMatrix *dense_matrix(PetscInt d, PetscInt n, PetscInt stride, const PetscInt row[],
                                    const PetscInt col[], const PetscReal block[])
{
  const PetscInt size = d * n;
  double        *W = calloc((size_t)(size * size), sizeof *W);

  for (PetscInt i = 0; i < n; i++)
    for (PetscInt k = row[i]; k < row[i + 1]; k++)
      copy_block(d, stride, block + k * d * stride, size, W + col[k] * d * size + i * d);
  return NM_create_from_data(NM_DENSE, size, size, W);
}

static NumericsMatrix *block_matrix(PetscInt d, PetscInt n, PetscInt stride, const PetscInt row[],
                                    const PetscInt col[], const PetscReal block[])
{
  const size_t                 nb = (size_t)row[n], rows = (size_t)n;
  SparseBlockStructuredMatrix *M = SBM_new();

  M->nbblocks = (unsigned)nb;
  M->blocknumber0 = M->blocknumber1 = (unsigned)n;
  M->blocksize0 = malloc(rows * sizeof *M->blocksize0);
  M->blocksize1 = malloc(rows * sizeof *M->blocksize1);
  M->filled1 = rows + 1;
  M->filled2 = nb;
  M->index1_data = malloc((rows + 1) * sizeof *M->index1_data);
  M->index2_data = malloc(nb * sizeof *M->index2_data);
  M->block = malloc(nb * sizeof *M->block);
  for (PetscInt i = 0; i < n; i++) M->blocksize0[i] = M->blocksize1[i] = (unsigned)((i + 1) * d);
  for (PetscInt i = 0; i <= n; i++) M->index1_data[i] = (size_t)row[i];
  for (size_t k = 0; k < nb; k++) {
    M->index2_data[k] = (size_t)col[k];
    M->block[k] = malloc((size_t)(d * d) * sizeof **M->block);
    copy_block(d, stride, block + (PetscInt)k * d * stride, d, M->block[k]);
  }
  return NM_create_from_data(NM_SPARSE_BLOCK, (int)(n * d), (int)(n * d), M);
}

static double *copy(PetscInt n, const PetscReal from[])
{
  double *to = malloc((size_t)n * sizeof *to);

  memcpy(to, from, (size_t)n * sizeof *to);
  return to;
}

Peer *PeerCreate(PetscInt dim, PetscInt n, PetscInt stride, const PetscInt row[],
                 const PetscInt col[], const PetscReal block[], const PetscReal q[],
                 const PetscReal mu[])
{
  Peer *peer = calloc(1, sizeof *peer);

  numerics_set_verbose(0);
  peer->dim = dim;
  peer->n = n;
  peer->velocity = calloc((size_t)(dim * n), sizeof *peer->velocity);
  for (int s = 0; s < STORAGES; s++) {
    NumericsMatrix *W = s == DENSE ? dense_matrix(dim, n, stride, row, col, block)
                                   : block_matrix(dim, n, stride, row, col, block);

    peer->problem[s] =
        frictionContactProblem_new_with_data((int)dim, (int)n, W, copy(dim * n, q), copy(n, mu));
  }
  return peer;
}

void PeerDestroy(Peer **peer)
{
  if (!*peer) return;
  for (int s = 0; s < STORAGES; s++) frictionContactProblem_free((*peer)->problem[s]);
  if ((*peer)->options) solver_options_delete((*peer)->options);
  free((*peer)->velocity);
  free(*peer);
  *peer = NULL;
}

/* ---- the solve ----------------------------------------------------------------------------- */

void PeerPrepare(Peer *peer, PetscInt k, PetscReal tolerance, PetscInt part)
{
  const Entry *entry = find(peer->dim, k);

  if (peer->options) solver_options_delete(peer->options);
  peer->entry = k;
  peer->options = solver_options_create(entry->solver);
  peer->options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  peer->options->iparam[SICONOS_IPARAM_MAX_ITER] = entry->limit / (int)part;
  if (entry->check >= 0)
    peer->options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = entry->check;
}

/* Debian's library keeps its assertions: where one fails, the solve has failed, not the race. */
static sigjmp_buf escape;

static void give_up(int number)
{
  siglongjmp(escape, number);
}

static int solve(Peer *peer, FrictionContactProblem *problem, PetscReal r[])
{
  if (peer->dim == 3) return fc3d_driver(problem, r, peer->velocity, peer->options);
  return fc2d_driver(problem, r, peer->velocity, peer->options);
}

PetscBool PeerSolve(Peer *peer, PetscReal r[], PetscInt *iterations)
{
  FrictionContactProblem *problem = peer->problem[find(peer->dim, peer->entry)->storage];
  const size_t            bytes = (size_t)(peer->dim * peer->n) * sizeof *r;
  volatile int            info = 1;
  void (*before)(int) = signal(SIGABRT, give_up);

  memset(r, 0, bytes);
  memset(peer->velocity, 0, bytes);
  if (!sigsetjmp(escape, 1)) info = solve(peer, problem, r);
  signal(SIGABRT, before);
  *iterations = peer->options->iparam[SICONOS_IPARAM_ITER_DONE];
  return info == 0;
}
