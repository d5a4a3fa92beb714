/* A law with state for the tests: Saint-Venant Kirchhoff with energy Wo, worn by what it has been
   through, W = f(w) Wo, f = 1/2 + r/(2 w), where w is the greatest Wo at the end of an accepted step, at
   least r. The stress of a step takes f at its start, so that S:z/2 = f0 (Wo1 - Wo0) = W1 - W0 + D with
   D = (f0 - f1) Wo1 >= 0. Beside w the state counts commits, adds up step sizes and changes of Wo: each
   would be wrong if a commit came twice, not at all, on a step that failed or from another start. */
#include "deck/deck.h"
#include "laws/wear.h"
#include "material/tensor.h"

CR_INLINE CrLanes strength(const CrMaterial *material, CrLanes w)
{
  return 0.5 + material->constants[2] / (2 * w);
}

CR_INLINE CrLanes elastic_energy(const CrMaterial *material, const int ns, const CrLanes *E)
{
  return material->lambda / 2 * trace(E) * trace(E) + material->shear * contract(ns, E, E);
}

/* scale C:E and scale C */
CR_INLINE void elastic_stress(const CrMaterial *material, const int ns, CrLanes scale,
                              const CrLanes *E, CrLanes *S, CrLanes *CC)
{
  const double lambda = material->lambda, G = material->shear;

  for (int I = 0; S && I < ns; I++)
    S[I] = scale * (lambda * identity2(I) * trace(E) + 2 * G * E[I]);
  for (int I = 0; CC && I < ns; I++)
    for (int J = 0; J < ns; J++)
      CC[I * ns + J] = scale * (lambda * identity2(I) * identity2(J) + 2 * G * identity4(I, J));
}

CR_INLINE CrLanes greatest(CrLanes a, CrLanes b)
{
  return lanes_select(a > b, a, b);
}

static PetscInt state_size(const CrMaterial *material, PetscInt ns)
{
  (void)material;
  (void)ns;
  return WEAR_SIZE;
}

static void state_init(const CrMaterial *material, PetscInt ns, PetscReal *state)
{
  (void)ns;
  state[WEAR_GREATEST] = material->constants[2];
}

static void between(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
                    const void *E1, const void *z, void *S, void *A)
{
  const CrLanes *a = E0, *b = E1;
  CrLanes        mean[6], scale = strength(material, state_load(past->state, WEAR_GREATEST));

  (void)z;
  for (int I = 0; I < ns; I++) mean[I] = (a[I] + b[I]) / 2;
  elastic_stress(material, (int)ns, scale, mean, S, NULL);
  elastic_stress(material, (int)ns, scale / 2, mean, NULL, A);
}

static void at(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
               const void *E1, const void *z, void *W, void *S, void *CC)
{
  CrLanes w = state_load(past->state, WEAR_GREATEST), Wo = elastic_energy(material, (int)ns, E1);

  (void)E0;
  (void)z;
  if (W) *(CrLanes *)W = strength(material, greatest(w, Wo)) * Wo;
  elastic_stress(material, (int)ns, strength(material, w), E1, S, CC);
}

static void commit(const CrMaterial *material, PetscInt ns, const CrPast *past, const void *E0,
                   const void *E1, const void *z, PetscReal *state1, void *D)
{
  const PetscReal *state0 = past->state;
  const CrLanes   *a = E0, *b = E1;
  CrLanes w0 = state_load(state0, WEAR_GREATEST), Wo = elastic_energy(material, (int)ns, E1);
  CrLanes w1 = greatest(w0, Wo), mean[6], S[6];

  for (int I = 0; I < ns; I++) mean[I] = (a[I] + b[I]) / 2;
  elastic_stress(material, (int)ns, lanes_set(1), mean, S, NULL);
  state_store(state1, WEAR_COUNT, state_load(state0, WEAR_COUNT) + 1);
  state_store(state1, WEAR_GREATEST, w1);
  state_store(state1, WEAR_TIME, state_load(state0, WEAR_TIME) + past->h);
  state_store(state1, WEAR_CHANGE,
              state_load(state0, WEAR_CHANGE) + contract((int)ns, S, (const CrLanes *)z) / 2);
  *(CrLanes *)D = (strength(material, w0) - strength(material, w1)) * Wo;
}

static const CrKey keys[] = {{"resistance", CR_REAL, "0.01", .range = "(0,inf)",
                              .help = "wear: energy density up to which nothing wears"},
                             {.name = NULL}};

static PetscErrorCode configure(CrMaterial *material, const CrDeckNode *node)
{
  PetscFunctionBeginUser;
  PetscCall(CrElasticConstants(node, &material->lambda, &material->shear));
  material->constants[2] = CrDeckReal(CrDeckFind(node, "resistance"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrMaterialOps CR_VARIANT(CrMaterial_wear) = {
    .name = "wear",
    .help = "for tests: an elastic law that wears, with a state at its points",
    .keys = keys,
    .configure = configure,
    .state_size = state_size,
    .state_init = state_init,
    .between = between,
    .at = at,
    .commit = commit,
};
