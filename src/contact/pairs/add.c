/* Creates pairs, with the numbers of the deck, and passes of all kinds. */
#include "contact/pairs/pairs.h"

void CrPairPenalties(CrPair *pair, PetscReal kn, const char text[])
{
  snprintf(pair->kn_text, sizeof pair->kn_text, "%s", pair->kn > 0 ? "given" : text);
  snprintf(pair->kt_text, sizeof pair->kt_text, "%s",
           pair->kt > 0 ? "given" : "auto: equal to the normal penalty");
  if (!(pair->kn > 0)) pair->kn = kn;
  if (!(pair->kt > 0)) pair->kt = pair->kn;
}

PetscErrorCode CrPairNew(CrContact *c, const CrDeckNode *node, CrPair **pair)
{
  const CrDeckNode *kn = CrDeckFind(node, "normal_penalty");
  const CrDeckNode *kt = CrDeckFind(node, "tangential_penalty");

  PetscFunctionBeginUser;
  PetscCall(PetscRealloc(sizeof(CrPair) * (size_t)(c->npairs + 1), &c->pairs));
  *pair = &c->pairs[c->npairs++];
  PetscCall(PetscMemzero(*pair, sizeof **pair));
  (*pair)->entry = node;
  (*pair)->friction = CrDeckReal(CrDeckFind(node, "friction"));
  (*pair)->restitution = CrDeckReal(CrDeckFind(node, "restitution"));
  (*pair)->rebounds = CrDeckIsGiven(CrDeckFind(node, "restitution"));
  (*pair)->kn = CrDeckIsReal(kn) ? CrDeckReal(kn) : 0;
  (*pair)->kt = CrDeckIsReal(kt) ? CrDeckReal(kt) : 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPassAdd(CrContact *c, CrPass p)
{
  PetscFunctionBeginUser;
  PetscCall(PetscRealloc(sizeof p * (size_t)(c->npasses + 1), &c->passes));
  p.first = c->npoints;
  c->npoints += p.n;
  c->passes[c->npasses++] = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}
