/* The columns of history.csv: their names, and the members of the audit that contain their values. */
#include <stddef.h>
#include <string.h>
#include "model/audit.h"

typedef struct {
  const char *name;
  size_t      at;       /* offset in CrAudit */
  PetscBool   is_count; /* a PetscInt; else a PetscReal */
  CrNeeds     needs;
} Column;

#define REAL(member)                                                                               \
  {                                                                                                \
    .name = #member, .at = offsetof(CrAudit, member)                                               \
  }
#define COUNT(member)                                                                              \
  {                                                                                                \
    .name = #member, .at = offsetof(CrAudit, member), .is_count = PETSC_TRUE                       \
  }
#define PLACE(array, i) (offsetof(CrAudit, array) + (i) * sizeof(PetscReal))
#define PART(word, array, i)                                                                       \
  {                                                                                                \
    .name = (word), .at = PLACE(array, i)                                                          \
  }
#define LOSS(word, i)                                                                              \
  {                                                                                                \
    .name = (word), .at = PLACE(losses, i), .needs = CR_NEEDS_STATE                                \
  }

static const Column columns[] = {
    REAL(time),
    COUNT(step),
    REAL(h),
    COUNT(iterations),
    REAL(kinetic),
    REAL(strain),
    REAL(potential),
    REAL(penalty),
    REAL(external_work),
    REAL(friction_loss),
    REAL(energy),
    REAL(balance),
    PART("momentum_x", momentum, 0),
    PART("momentum_y", momentum, 1),
    PART("momentum_z", momentum, 2),
    PART("angular_x", angular, 0),
    PART("angular_y", angular, 1),
    PART("angular_z", angular, 2),
    COUNT(contacts),
    COUNT(sticking),
    REAL(max_penetration),
    REAL(contact_work),
    REAL(defect),
    LOSS("plastic", CR_LOSS_PLASTIC),
    LOSS("viscous", CR_LOSS_VISCOUS),
    {.name = "drag", .at = offsetof(CrAudit, drag), .needs = CR_NEEDS_DRAG},
};

#define NCOLUMNS ((PetscInt)(sizeof columns / sizeof *columns))

const char *CrAuditColumnName(PetscInt i)
{
  return i >= 0 && i < NCOLUMNS ? columns[i].name : NULL;
}

PetscInt CrAuditColumnFind(const char name[])
{
  for (PetscInt i = 0; i < NCOLUMNS; i++)
    if (!strcmp(columns[i].name, name)) return i;
  return -1;
}

PetscBool CrAuditColumnIsCount(PetscInt i)
{
  return columns[i].is_count;
}

CrNeeds CrAuditColumnNeeds(PetscInt i)
{
  return columns[i].needs;
}

PetscReal CrAuditColumn(const CrAudit *audit, PetscInt i)
{
  const char *at = (const char *)audit + columns[i].at;

  return columns[i].is_count ? (PetscReal) * (const PetscInt *)(const void *)at
                             : *(const PetscReal *)(const void *)at;
}
