/* Declarations that the source files of the overlap measurement share. */
#pragma once

#include "base/grow.h"
#include "contact/geometry/shell.h"
#include "contact/overlap/overlap.h"
#include "contact/overlap/skin.h"
#include "contact/scout.h"
#include "model/vicinity.h"

/* A look is the comparison of some items of one side (nodes, edges, points) with the other side of a pair. */
typedef enum {
  CR_NODES_IN_SHELL,
  CR_NODES_IN_SELF, /* the whole boundary of one body */
  CR_EDGES_IN_SHELL,
  CR_NODES_IN_WALL,
  CR_NODES_IN_BODY,
  CR_POINTS_IN_SHELL,
  CR_EDGES_IN_BODY
} CrLookKind;

typedef struct {
  CrLookKind kind;
  PetscInt   pair, way;  /* way 0: items of the first side in the second side, 1: the reverse */
  PetscInt   from, into; /* numbers of the shells; -1: a wall or a rigid body */
  const CrObstacle *obstacle;   /* borrowed */
  PetscInt          wall, body; /* wall of the obstacle; rigid body */
  PetscInt          first, n;   /* items of the look: nodes, edges, points of the rigid body */
  PetscInt  mine, nmine;        /* items of this rank: o->mine[mine] to o->mine[mine + nmine - 1] */
  PetscBool asleep; /* the look has points of a rigid body that is too far away to touch */
  CrPose    pose;   /* pose of this body at the last renewal of ghosts */
} CrLook;

/* An item that penetrates the other side. */
typedef struct {
  const CrLook *look;
  PetscInt      item;          /* its number among all items */
  PetscReal     depth, beyond; /* penetration, and its increase since the start */
  PetscReal     place[3];      /* position of the item */
  /* index in the shell `from`, for an edge that of its first node; -1: item of a rigid body */
  PetscInt  node;
  PetscInt  facet; /* closest facet of the shell `into`; -1: it has no facets */
  PetscReal size;  /* size of the smaller facet of the two sides there */
  PetscReal half;  /* half of the thickness of the thinner body there; 0: not computed */
  PetscReal layer; /* a lower bound of the thickness of the thinner body there */
  PetscBool seen;  /* a contact point with positive pressure is within the distance of one facet */
} CrInside;

/* The penetrations of a pair in the present row of the output table. */
typedef struct {
  PetscReal deep[2]; /* greatest penetration by `way` */
  /* the deepest unseen item; the deepest pressed node; the deepest item that penetrates by more than its `half`; in the
     first row, the deepest item whose initial penetration stays */
  CrInside worst, pressed, through, first;
} CrPairOverlap;

/* Counts for each pair, which checkpoints contain: rows with considerable unseen penetration, and warnings printed. */
enum { CR_COUNT_ROWS, CR_COUNT_UNSEEN, CR_COUNT_SOFT, CR_COUNTS };

struct CrOverlaps {
  CrContact  *contact; /* borrowed */
  PetscBool   springs, allowed;
  PetscInt    begun;  /* 1: penetration at the start is known */
  CrShell   **shells; /* [nsets], NULL where a set is in no pair; owned, as all below */
  PetscReal **thick;  /* [nsets][nfacets] thickness behind facets; 0: not known yet */
  PetscReal  *behind; /* [nsets] greatest thickness behind an open surface; 0 for other surfaces */
  PetscInt    nlooks, nitems;
  CrLook     *looks;
  PetscReal  *start; /* [nitems] penetration at the start */
  /* [nitems] the item cannot penetrate before both sides together have moved by this distance */
  PetscReal *until;
  PetscInt  *pass_start, *passes; /* passes of each pair, compressed */
  /* [nlocal] marks of nodes at pressed points of held_pair: stamp + 1 a slave, stamp a corner of its facet */
  PetscInt *held, stamp;
  PetscInt *found; /* room for the answers of trees */
  PetscInt  room;
  /* Points are divided by owner: a rank examines its own items, with the facets near them (stage.c). */
  PetscMPIInt ranks;
  PetscInt   *mine;    /* items of this rank, as indices within their look */
  CrVicinity *near;    /* nodes of the facets near these items */
  CrScouts   *scouts;  /* [nlooks] find these facets */
  PetscReal   around;  /* in the last renewal, scouts found all facets within this distance */
  PetscReal  *reals;   /* [6 npairs + nsets] room for reductions */
  PetscInt   *ints;    /* [4 npairs] room for reductions */
  PetscReal  *renewed; /* [nsets] value of `moved` of each shell when facets were last chosen */
  PetscInt    renewals;
  CR_LIST(CrInside) inside;  /* penetrations in the present row of the table */
  CR_LIST(PetscInt) waiting; /* looks and items whose thickness is not known yet */
  CR_LIST(PetscInt) asked;   /* set and facet whose thickness is needed */
  CR_LIST(CrInside) shared;  /* items that are sent to other ranks */
  CrPairOverlap *pairs;      /* [npairs] */
  PetscReal     *greatest;   /* [3 npairs] since the start, as in CrContactPicture */
  PetscInt      *counts;     /* [CR_COUNTS npairs] */
  CrSkin        *skin;
  char           failure[640];
};

/* ---- thickness.c ---- */

/* Finds the thickness of the body behind a facet of a contact surface. The result 0 means that the thickness is not
   known yet. The function then requests the thickness, which is known after the next call of CrThicknessFind. */
PetscErrorCode CrThicknessAsk(CrOverlaps *overlaps, PetscInt shell, PetscInt facet,
                              PetscReal *thickness);
/* Requests the thickness behind all facets at an item that penetrates. */
PetscErrorCode CrThicknessAskAt(CrOverlaps *overlaps, const CrInside *inside);
/* Computes the thicknesses that all ranks have asked for. Collective. */
PetscErrorCode CrThicknessFind(CrOverlaps *overlaps);
/* A depth is the distance from the nearest surface of the body that is penetrated. In the middle of a plate it is half
   of the thickness, and less everywhere else. So a part that goes through such a body is noticed in this part of the
   way to its middle. */
#define CR_MIDDLE 0.9

/* Returns half of the thickness of the thinner one of the two bodies where the item is, after CrThicknessFind. *limit is
   the depth from which on the item counts as having gone through. */
PetscReal CrInsideHalf(const CrOverlaps *o, const CrInside *in, PetscReal *limit);

/* ---- seen.c ---- */

/* Marks the nodes of pressed points of a pair: slaves, and corners of the facets that they touch. Collective. */
PetscErrorCode CrOverlapsHold(CrOverlaps *overlaps, PetscInt pair);
/* CrInsideIsSeen returns true if a point of the marked pair is pressed within the distance of one facet from the item.
   CrInsideIsPressed returns true if the item itself is a pressed node. */
PetscBool CrInsideIsSeen(const CrOverlaps *overlaps, const CrInside *inside);
PetscBool CrInsideIsPressed(const CrOverlaps *overlaps, const CrInside *inside);

/* ---- stage.c ---- */

/* Moves the shells to the displacements u (local). If a surface or body has moved too far since the last choice,
   chooses the facets near the items of this rank again. Collective. */
PetscErrorCode CrOverlapsPlace(CrOverlaps *overlaps, const CrRigidState *rigid, PetscReal *u);
/* Computes the position of the i-th point of the rigid body of a look, at the given pose of the body. Returns the
   radius of the point. */
PetscReal CrLookPoint(const CrOverlaps *overlaps, const CrLook *look, const CrPose *pose,
                      PetscInt i, PetscReal x[3]);
/* Returns the distance of a point from a box. */
PetscReal CrBoxDistance(const PetscReal box[6], const PetscReal x[3]);

/* ---- rows.c ---- */

/* Computes the greatest penetrations and the deepest items over all ranks, and stores them on every rank.
   Collective. */
PetscErrorCode CrOverlapsReduce(CrOverlaps *overlaps);

/* ---- judge.c ---- */

/* Called after a row of the output table is complete: prints warnings, and decides whether the run must end. */
void CrOverlapsJudge(CrOverlaps *overlaps, PetscReal t);
/* Returns the least value of of_facets[] over the facets around node i of a surface. */
static inline PetscReal CrLeastAround(const CrSurface *s, PetscInt i, const PetscReal *of_facets)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
    if (of_facets[s->around[k]] < least) least = of_facets[s->around[k]];
  return least;
}
