/* The keys of contact pairs in the deck, and the keys that choose the slaves of a pair. */
#include "contact/pairs/pairs.h"

/* One row, one line: */
/* clang-format off */
#define PAIR_KEYS \
    {"friction", CR_REAL, "0", .range = "[0,inf)", .help = "Coulomb's friction coefficient"}, \
    {"restitution", CR_REAL, "1", .range = "[0,1]", .help = "coefficient of restitution, for rigid bodies under efda"}, \
    {"normal_penalty", CR_REAL | CR_WORD, "auto", .words = "auto", .range = "(0,inf)", \
     .help = "stiffness of normal contact springs: pressure per penetration depth (weight: area), or force per penetration depth of a node (weight: unit)"}, \
    {"tangential_penalty", CR_REAL | CR_WORD, "auto", .words = "auto", .range = "(0,inf)", \
     .help = "stiffness of tangential contact springs: traction (weight: area) or force on a node (weight: unit) per length of slip"}, \
    {"weight", CR_WORD, "area", .words = "area|unit", \
     .help = "area: penalties are per unit area; unit: penalties are spring constants of single nodes"}, \
    {"slaves", CR_WORD, "auto", .words = "auto|nodes|body|both", \
     .help = "for a pair with a rigid body, points that contact keeps outside of the other body (slaves): nodes of the deformable body, points of the rigid body, or both; auto: both if the rigid body is sharp or small"}, \
    {"sides", CR_WORD, "auto", .words = "auto|both|finer|first", \
     .help = "nodes that contact keeps outside of the other surface (slaves): those of both surfaces, of the finer surface, or of the surface named first"}, \
    {"cone", CR_REAL, "15", .range = "(0,60)", \
     .help = "greatest angle in degrees by which the contact force on a node may point outside of the cone of the normals of its facets"}, \
    {"corner", CR_REAL, "20", .range = "(0,180)", \
     .help = "angle in degrees above which an edge or a vertex is sharp"}, \
    {"samples", CR_INTEGER, "1", .range = "[1,8]", \
     .help = "each edge of a facet is divided into this number of parts, and the points of division are additional contact points; 1: contact at nodes only"}, \
    {"passes", CR_INTEGER, .range = "[1,2]", .help = "older key for `sides`: 1 means first, 2 means both"}

static const CrKey default_keys[] = {PAIR_KEYS, {0}};

static const CrKey pair_keys[] = {
    {"between", CR_TEXTS,
     .help = "the two sides of the pair: a body, body.surface, a copy (ball.3), or (at most one) an obstacle; contacts.csv has the force on the side named first"},
    {"name", CR_TEXT, .help = "name of the pair in contacts.csv; default: the two names with a hyphen"},
    PAIR_KEYS,
    {"overlap", CR_WORD, "keep", .words = "keep|resolve",
     .help = "what happens to overlap at the start; keep: the overlap stays and exerts no force; resolve: contact removes the overlap between the times of `ramp`"},
    {"ramp", CR_REALS, .help = "[t0, t1]: times between which `overlap: resolve` removes the overlap"},
    {"default", CR_MAP, .keys = default_keys, .help = "settings for all pairs of bodies that the list does not name"},
    {0},
};

const CrKey CrContactKeys[] = {
    {"contact", CR_LIST, .keys = pair_keys, .help = "pairs of surfaces that may touch"},
    {0},
};
/* clang-format on */

/* Degrees of the deck in radians. */
static PetscReal angle_of(const CrDeckNode *node, const char key[])
{
  return CrDeckReal(CrDeckFind(node, key)) * PETSC_PI / 180;
}

const char *CrSlavesWord(CrSlaves slaves)
{
  static const char *const words[] = {"auto", "nodes", "body", "both"};

  return words[slaves];
}

/* Can an explicit run close gaps? Only one form of the method can. */
static PetscBool can_close(const CrContact *c, const CrDeckNode *time)
{
  return CrDeckIsWord(CrDeckFind(time, "algorithm"), "3") &&
         !CrDeckIsWord(CrDeckFind(time, "constraint"), "rate") &&
         !CrDeckIsWord(CrDeckFind(time, "impact_energy"), "returned") && c->model->rigid->n == 0;
}

static PetscBool is_closing(const CrContact *c, const CrDeckNode *time)
{
  const CrDeckNode *closing = CrDeckFind(time, "closing");

  if (!c->sweeps || !CrDeckIsWord(closing, "yes")) return PETSC_FALSE;
  if (can_close(c, time)) return PETSC_TRUE;
  if (CrDeckIsGiven(closing))
    CrWarn("`closing: yes` has no effect in this deck, and bodies may overlap a little: it needs "
           "`algorithm: 3`, `constraint: offset` or `gap`, `impact_energy: lost`, and no rigid "
           "bodies");
  return PETSC_FALSE;
}

void CrContactSuitMethod(CrContact *c, const CrDeck *deck)
{
  const CrDeckNode *time = CrDeckFind(CrDeckRoot(deck), "time"),
                   *method = CrDeckFind(time, "method");
  const PetscBool cones = CrDeckIsWord(method, "bipotential");

  c->sweeps = CrDeckIsWord(method, "explicit");
  c->springs = !cones && !c->sweeps;
  c->tight = cones && (CrDeckIsWord(CrDeckFind(time, "level"), "gap") ||
                       CrDeckIsWord(CrDeckFind(time, "analysis"), "quasi-static"));
  c->closes = is_closing(c, time);
}

const CrDeckNode *CrPairSidesGiven(const CrDeckNode *node)
{
  const CrDeckNode *passes = CrDeckFind(node, "passes"), *sides = CrDeckFind(node, "sides");

  return passes ? passes : sides && CrDeckIsGiven(sides) ? sides : NULL;
}

/* Points of both sides share areas, so nodal springs go with one side only. Overlap that is pushed out is measured
   for the nodes of one side. An exact law must not be stated twice at one place. */
static CrSides auto_sides(const CrContact *c, const CrDeckNode *node, const CrPair *pair)
{
  PetscBool resolve = CrDeckIsWord(CrDeckFind(node, "overlap"), "resolve");

  if (resolve) return CR_SIDES_FIRST;
  if (!c->springs) return CR_SIDES_FINER;
  return pair->unit ? CR_SIDES_FIRST : CR_SIDES_BOTH;
}

/* Points between nodes are springs of their own. Exact laws would state one law more often than the surface can
   move. */
static PetscErrorCode read_samples(const CrContact *c, const CrDeckNode *node, CrPair *pair)
{
  const CrDeckNode *samples = CrDeckFind(node, "samples");

  PetscFunctionBeginUser;
  pair->samples = CrDeckInteger(samples);
  if (pair->samples < 2) PetscFunctionReturn(PETSC_SUCCESS);
  if (!c->springs)
    CrDeckFail(
        samples,
        "contact points between nodes (samples) are possible only under dissipative, midpoint, newmark and velocity-update");
  if (pair->sides == CR_SIDES_FIRST)
    CrDeckFail(samples, "contact points between nodes (samples) need `sides: both`");
  if (CrDeckIsWord(CrDeckFind(node, "overlap"), "resolve"))
    CrDeckFail(samples,
               "contact points between nodes (samples) cannot be used with `overlap: resolve`");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPairSides(const CrContact *c, const CrDeckNode *node, CrPair *pair)
{
  static const char *const words[] = {"auto", "both", "finer", "first"};

  const CrDeckNode *passes = CrDeckFind(node, "passes"), *sides = CrDeckFind(node, "sides");

  PetscFunctionBeginUser;
  for (int k = 0; k < 4; k++)
    if (CrDeckIsWord(sides, words[k])) pair->sides = (CrSides)k;
  pair->cone = angle_of(node, "cone");
  pair->corner = angle_of(node, "corner");
  if (passes && CrDeckIsGiven(sides))
    CrDeckFail(passes, "`passes` and `sides` have the same meaning; remove `passes`");
  pair->passes = passes ? CrDeckInteger(passes) : 0;
  if (passes) pair->sides = pair->passes == 2 ? CR_SIDES_BOTH : CR_SIDES_FIRST;
  if (pair->sides == CR_SIDES_AUTO) pair->sides = auto_sides(c, node, pair);
  if (pair->unit && pair->sides != CR_SIDES_FIRST && c->springs)
    CrDeckFail(CrPairSidesGiven(node), "`weight: unit` needs `sides: first`");
  PetscCall(read_samples(c, node, pair));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrPairsNotePasses(const CrContact *c)
{
  PetscInt k = 0;

  while (k < c->npairs && !c->pairs[k].passes) k++;
  if (k == c->npairs) return;
  CrWarn("contact %s: the older key `passes: %" PetscInt_FMT "` means `sides: %s`",
         c->pairs[k].name, c->pairs[k].passes, c->pairs[k].passes == 2 ? "both" : "first");
}
