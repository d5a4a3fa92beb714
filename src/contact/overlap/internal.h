/* Shared by the files of this folder. */
#pragma once

#include "contact/geometry/shell.h"
#include "contact/overlap/overlap.h"
#include "contact/overlap/skin.h"

/* A comparison of one side of a pair with the other. */
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
  CrLookKind        kind;
  PetscInt          pair, way;  /* way 0: the first side in the second, 1: the other way round */
  PetscInt          from, into; /* numbers of the shells; -1: a wall or a rigid body */
  const CrObstacle *obstacle;   /* borrowed */
  PetscInt          wall, body; /* wall of the obstacle; rigid body */
  PetscInt          first, n;   /* its items: nodes, edges, points of the rigid body */
} CrLook;

/* An item that lies inside the other side. */
typedef struct {
  const CrLook *look;
  PetscReal     depth, beyond; /* how deep; deeper than at the start by this much */
  PetscReal     place[3];
  PetscInt      node; /* index in the shell `from`, of an edge its first node; -1: a rigid body's */
  PetscInt      facet; /* of the shell `into`; -1: it has none */
  PetscReal     size;  /* the smaller facet of the two sides there */
  PetscReal     half;  /* half of the thickness of the thinner body there; 0: not asked */
  PetscBool     seen;  /* a pressed point is within a facet */
} CrInside;

/* A pair in the row under way. */
typedef struct {
  PetscReal deep[2], unseen;
  CrInside  worst, pressed,
      through; /* deepest unseen one; deepest pressed one; deepest against `half` */
} CrPairOverlap;

/* What is counted per pair, for checkpoints: rows with an unseen overlap worth mentioning, and warnings given. */
enum { CR_COUNT_ROWS, CR_COUNT_UNSEEN, CR_COUNT_SOFT, CR_COUNTS };

struct CrOverlaps {
  CrContact  *contact; /* borrowed */
  PetscBool   springs, allowed;
  PetscInt    begun;  /* 1: overlap of the start is known */
  CrShell   **shells; /* [nsets], NULL where a set is in no pair; owned, as all below */
  PetscReal **thick;  /* [nsets][nfacets] thickness behind facets; 0: not known yet */
  PetscReal  *behind; /* [nsets] of an open surface, the greatest thickness behind it; else 0 */
  PetscInt    nlooks, nitems;
  CrLook     *looks;
  PetscReal  *start; /* [nitems] depth at the start */
  PetscReal  *until; /* [nitems] the item is outside while the two sides have moved less */
  PetscInt   *pass_start, *passes; /* passes of each pair, compressed */
  PetscInt   *held, stamp,
      held_pair; /* [nlocal] marks of nodes at pressed points of held_pair: stamp + 1 a slave, stamp a corner of its facet */
  PetscInt      *found; /* room for the answers of trees */
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
/* After the row: warnings, and whether the run must end. */
void CrOverlapsJudge(CrOverlaps *overlaps, PetscReal t);
