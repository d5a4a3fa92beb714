/* Shared by the files of this folder. */
#pragma once

#include "contact/geometry/shell.h"
#include "contact/overlap/overlap.h"
#include "contact/overlap/skin.h"

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
  PetscInt          first, n;   /* its items: nodes, edges, points of the rigid body */
} CrLook;

/* An item that penetrates the other side. */
typedef struct {
  const CrLook *look;
  PetscReal     depth, beyond; /* penetration, and its increase since the start */
  PetscReal     place[3];      /* position of the item */
  /* index in the shell `from`, for an edge that of its first node; -1: item of a rigid body */
  PetscInt  node;
  PetscInt  facet; /* closest facet of the shell `into`; -1: it has no facets */
  PetscReal size;  /* size of the smaller facet of the two sides there */
  PetscReal half;  /* half of the thickness of the thinner body there; 0: not computed */
  PetscBool seen;  /* a pressed point is within one facet */
} CrInside;

/* The penetrations of a pair in the present row of the table. */
typedef struct {
  PetscReal deep[2], unseen; /* greatest penetration by `way`, and greatest unseen one */
  /* the deepest unseen item; the deepest pressed node; the deepest item that penetrates by more than its `half` */
  CrInside worst, pressed, through;
} CrPairOverlap;

/* Counts per pair, which checkpoints contain: rows with considerable unseen penetration, and warnings given. */
enum { CR_COUNT_ROWS, CR_COUNT_UNSEEN, CR_COUNT_SOFT, CR_COUNTS };

struct CrOverlaps {
  CrContact  *contact; /* borrowed */
  PetscBool   springs, allowed;
  PetscInt    begun;  /* 1: penetration at the start is known */
  CrShell   **shells; /* [nsets], NULL where a set is in no pair; owned, as all below */
  PetscReal **thick;  /* [nsets][nfacets] thickness behind facets; 0: not known yet */
  PetscReal  *behind; /* [nsets] of an open surface, the greatest thickness behind it; else 0 */
  PetscInt    nlooks, nitems;
  CrLook     *looks;
  PetscReal  *start; /* [nitems] penetration at the start */
  /* [nitems] the item stays outside until both sides together have moved by this distance */
  PetscReal *until;
  PetscInt  *pass_start, *passes; /* passes of each pair, compressed */
  /* [nlocal] marks of nodes at pressed points of held_pair: stamp + 1 a slave, stamp a corner of its facet */
  PetscInt      *held, stamp, held_pair;
  PetscInt      *pressed; /* [npoints] of pressed points of all ranks 2 + facet; 0: open */
  PetscInt      *found;   /* room for the answers of trees */
  PetscInt       room;
  CrPairOverlap *pairs;    /* [npairs] */
  PetscReal     *greatest; /* [3 npairs] since the start, as in CrContactPicture */
  PetscInt      *counts;   /* [CR_COUNTS npairs] */
  CrSkin        *skin;
  char           failure[640];
};

/* The thickness behind a facet of a shell, and the least around a node of a shell. */
PetscReal CrThicknessAtFacet(CrOverlaps *overlaps, PetscInt shell, PetscInt facet);
PetscReal CrThicknessAtNode(CrOverlaps *overlaps, PetscInt shell, PetscInt node);
/* Half of the thickness of the thinner one of the two bodies where the item is. */
PetscReal CrInsideHalf(CrOverlaps *overlaps, const CrInside *inside);
/* Is a point of the pair pressed within one facet of the item? */
PetscBool CrInsideIsSeen(CrOverlaps *overlaps, const CrInside *inside);
/* Is the item itself a node that the pair presses? */
PetscBool CrInsideIsPressed(CrOverlaps *overlaps, const CrInside *inside);
/* Is called after a row is complete: gives warnings, and decides whether the run must end. */
void CrOverlapsJudge(CrOverlaps *overlaps, PetscReal t);
