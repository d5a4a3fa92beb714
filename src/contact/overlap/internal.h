/* Declarations that the source files of the overlap measurement (overlap.h) share. Overlap means penetration of one
   side of a pair into the other. */
#pragma once

#include "base/grow.h"
#include "contact/geometry/shell.h"
#include "contact/overlap/overlap.h"
#include "contact/overlap/skin.h"
#include "contact/scout.h"
#include "model/vicinity.h"

/* A look is a test whether items of one side of a pair penetrate the other side. Items are nodes, edges, or points of a
   rigid body. A shell (geometry/shell.h) is a contact surface in its current configuration. */
typedef enum {
  CR_NODES_IN_SHELL,
  CR_NODES_IN_SELF, /* nodes of a body in the same body */
  CR_EDGES_IN_SHELL,
  CR_NODES_IN_WALL,
  CR_NODES_IN_BODY,
  CR_POINTS_IN_SHELL,
  CR_EDGES_IN_BODY
} CrLookKind;

typedef struct {
  CrLookKind kind;
  PetscInt   pair, way;  /* way 0: items of the first side penetrate the second; 1: the reverse */
  PetscInt   from, into; /* numbers of the shells of items and other side; -1: no shell */
  const CrObstacle *obstacle;   /* borrowed */
  PetscInt          wall, body; /* numbers of the obstacle's wall and of the rigid body */
  PetscInt          first, n;   /* number of the first item among all items; number of items */
  /* items of this rank: CrOverlaps.mine[mine] to mine[mine + nmine - 1] */
  PetscInt  mine, nmine;
  PetscBool asleep; /* the items belong to a rigid body that is too far away to touch */
  CrPose    pose;   /* pose of the rigid body when facets near it were last chosen */
} CrLook;

/* An item that penetrates the other side. */
typedef struct {
  const CrLook *look;
  PetscInt      item;          /* number of the item among all items */
  PetscReal     depth, beyond; /* penetration, and its increase since the start of the run */
  PetscReal     place[3];      /* position of the item */
  /* index of the node (or of the edge's first node) in the shell `from`; -1: the item belongs to a rigid body */
  PetscInt  node;
  PetscInt  facet; /* closest facet of the shell `into`; -1: there are no facets */
  PetscReal size;  /* size of the smaller one of the facets of both sides at the item */
  PetscReal half;  /* half of the thickness of the thinner body at the item; 0: not computed */
  PetscReal layer; /* a lower bound of the thickness of the thinner body at the item */
  PetscBool seen;  /* a contact point with positive pressure is within the distance of one facet */
} CrInside;

/* The penetrations of a pair in the present row of the output table contacts.csv. */
typedef struct {
  PetscReal deep[2]; /* greatest penetration for way 0 and way 1 */
  /* worst: deepest unseen item. pressed: deepest pressed node. through: deepest item that penetrates by more than its
     `half`. first: in the first row, deepest item whose initial penetration is not removed. */
  CrInside worst, pressed, through, first;
  /* From the first row to the second: deepest item at the start, if it is too deep for contact to begin. beyond is 0 if
     there is no such item. since: time of the first row. */
  CrInside  buried;
  PetscReal since;
} CrPairOverlap;

/* Indices of the counts of each pair, which checkpoints contain. ROWS: number of rows with considerable unseen
   penetration. UNSEEN, SOFT: 1 if the warning of unseen penetration, or of soft penalties, has been printed. */
enum { CR_COUNT_ROWS, CR_COUNT_UNSEEN, CR_COUNT_SOFT, CR_COUNTS };

struct CrOverlaps {
  CrContact *contact; /* borrowed */
  PetscBool  springs, allowed;
  PetscInt   begun;  /* 1: penetration at the start of the run is known */
  CrShell  **shells; /* [nsets]; NULL: no pair uses the set; owned, like all below */
  /* [nsets][nfacets] thickness of the body behind each facet; 0: not known yet */
  PetscReal **thick;
  PetscReal  *behind; /* [nsets] greatest thickness behind an open surface; 0 for other surfaces */
  PetscInt    nlooks, nitems;
  CrLook     *looks;
  PetscReal  *start; /* [nitems] penetration at the start of the run */
  /* [nitems] path of both sides together before which the item cannot penetrate */
  PetscReal *until;
  PetscInt  *pass_start, *passes; /* contact passes of each pair, as compressed rows */
  /* held[nlocal] marks the nodes at pressed points of one pair (CrOverlapsHold). stamp + 1: the node is a pressed
     slave. stamp: the node is a corner of a facet that a pressed slave touches. */
  PetscInt *held, stamp;
  PetscInt *found; /* [room] work space for results of tree searches */
  PetscInt  room;
  /* Items are divided among the ranks: a rank examines the items that it owns, with the facets near them (stage.c). */
  PetscMPIInt ranks;
  PetscInt   *mine;    /* items of this rank, as indices within their looks */
  CrVicinity *near;    /* nodes of the facets near the items of this rank */
  CrScouts   *scouts;  /* [nlooks] queries that find these facets */
  PetscReal   around;  /* distance within which the last queries found all facets */
  PetscReal  *reals;   /* [6 npairs + nsets] work space for reductions over ranks */
  PetscInt   *ints;    /* [4 npairs] work space for reductions over ranks */
  PetscReal  *renewed; /* [nsets] CrShell.moved of each shell when facets were last chosen */
  PetscInt    renewals;
  CR_LIST(CrInside) inside;  /* items that penetrate, in the present row of the table */
  CR_LIST(PetscInt) waiting; /* look and number of items that wait for a thickness */
  CR_LIST(PetscInt) asked;   /* node set and facet for which a thickness is requested */
  CR_LIST(CrInside) shared;  /* items that are sent to other ranks */
  CrPairOverlap *pairs;      /* [npairs] */
  /* [3 npairs] greatest values since the start, as in CrContactPicture.overlap */
  PetscReal *greatest;
  PetscInt  *counts; /* [CR_COUNTS npairs] */
  CrSkin    *skin;
  char       failure[640];
};

/* ---- thickness.c ---- */

/* Finds *thickness, the thickness of the body behind a facet of a shell. *thickness is 0 if it is not known yet. The
   function then requests the thickness, and the next call of CrThicknessFind computes it. */
PetscErrorCode CrThicknessAsk(CrOverlaps *overlaps, PetscInt shell, PetscInt facet,
                              PetscReal *thickness);
/* Requests the thickness of the bodies behind all facets at an item that penetrates. */
PetscErrorCode CrThicknessAskAt(CrOverlaps *overlaps, const CrInside *inside);
/* Computes the thicknesses that the ranks have requested. Collective. */
PetscErrorCode CrThicknessFind(CrOverlaps *overlaps);
/* Fraction of half of the thickness from which on an item counts as having gone through a body. The depth of an item is
   its distance from the nearest surface of the penetrated body. In the middle of a plate the depth is half of the
   thickness, and less everywhere else. So an item that goes through the plate must be noticed before the middle. */
#define CR_MIDDLE 0.9

/* Returns half of the thickness of the thinner one of the two bodies at the item. *limit is the depth from which on the
   item counts as having gone through the body. Call this function after CrThicknessFind. */
PetscReal CrInsideHalf(const CrOverlaps *o, const CrInside *in, PetscReal *limit);

/* ---- seen.c ---- */

/* Returns true if contact sees a point of this rank: it is pressed, or a spring presses as soon as it moves inwards. */
PetscBool CrPointIsSeen(const CrOverlaps *overlaps, PetscInt point);
/* Marks in overlaps->held the nodes of pressed points of a pair: the slaves, and the corners of the facets that they
   touch. Collective. */
PetscErrorCode CrOverlapsHold(CrOverlaps *overlaps, PetscInt pair);
/* Both functions use the pair of the last call of CrOverlapsHold. CrInsideIsSeen returns true if a point of this pair
   is pressed within the distance of one facet from the item. CrInsideIsPressed returns true if the item itself is a
   pressed node. */
PetscBool CrInsideIsSeen(const CrOverlaps *overlaps, const CrInside *inside);
PetscBool CrInsideIsPressed(const CrOverlaps *overlaps, const CrInside *inside);

/* ---- stage.c ---- */

/* Moves the shells to the displacements u (local). Chooses the facets near the items of this rank again, if a surface
   or rigid body has moved too far since the last choice. Collective. */
PetscErrorCode CrOverlapsPlace(CrOverlaps *overlaps, const CrRigidState *rigid, PetscReal *u);
/* Computes the position x of the i-th point of the rigid body of a look, with the body at `pose`. Returns the radius of
   the ball around the point. */
PetscReal CrLookPoint(const CrOverlaps *overlaps, const CrLook *look, const CrPose *pose,
                      PetscInt i, PetscReal x[3]);
/* Returns the distance of the point x from a box (three least coordinates, then three greatest). */
PetscReal CrBoxDistance(const PetscReal box[6], const PetscReal x[3]);

/* ---- rows.c ---- */

/* Finds the greatest penetrations and the deepest items of all ranks, and stores them on every rank. Collective. */
PetscErrorCode CrOverlapsReduce(CrOverlaps *overlaps);

/* ---- judge.c ---- */

/* Prints warnings, and decides whether the run must end. Called after a row of the output table is complete. t is the
   time of the row. Returns an error of the deck if bodies start so deep in each other that nothing holds them.
   Collective. */
PetscErrorCode CrOverlapsJudge(CrOverlaps *overlaps, PetscReal t);
/* Returns the least value of of_facets[] over the facets around node i of a surface. */
static inline PetscReal CrLeastAround(const CrSurface *s, PetscInt i, const PetscReal *of_facets)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
    if (of_facets[s->around[k]] < least) least = of_facets[s->around[k]];
  return least;
}
