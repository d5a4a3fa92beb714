/* The tables of a run as CSV, numbers with all their digits. */
#include <string.h>
#include "output/internal.h"

static const struct {
  const char *name, *header;
  const char *losses; /* columns behind them where a law has a state */
} table[NTABLES] = {
    [TABLE_HISTORY] = {"history.csv",
                       "time,step,h,iterations,kinetic,strain,potential,penalty,external_work,"
                       "friction_loss,energy,balance,momentum_x,momentum_y,momentum_z,angular_x,"
                       "angular_y,angular_z,contacts,sticking,max_penetration,contact_work,defect",
                       ",plastic,viscous"},
    [TABLE_BODIES] = {"bodies.csv",
                      "time,body,mass,x,y,z,px,py,pz,jx,jy,jz,kinetic,strain,angle,"
                      "spin_x,spin_y,spin_z",
                      ",plastic,viscous"},
    [TABLE_CONTACTS] = {"contacts.csv", "time,pair,points,sticking,slipping,fx,fy,fz,friction_loss,"
                                        "max_penetration,mean_slip,min_slip,max_slip,"
                                        "overlap_ab,overlap_ba,unseen"},
    [TABLE_PROBES] = {"probes.csv", "time,probe,x,y,z,ux,uy,uz,vx,vy,vz,fx,fy,fz,gap,slip,pressure",
                      ",plastic_strain,plastic_work,viscous_work,temperature_rise"},
    [TABLE_EXTREMES] = {"extremes.csv", "time,field,body,min,max"},
    [TABLE_EVENTS] = {"events.csv", "time,pair,state,jn,jt,energy_change"},
};

const char *CrTablesName(PetscInt i)
{
  return table[i].name;
}

PetscErrorCode CrTablesBegin(CrOutput *output, const char dir[])
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < NTABLES; i++) {
    PetscCall(CrFileBegin(&output->tables[i], dir, table[i].name));
    PetscCall(CrFilePrint(&output->tables[i], "%s%s%s\n", table[i].header,
                          output->remembers && table[i].losses ? table[i].losses : "",
                          output->drags && i == TABLE_HISTORY ? ",drag" : ""));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_reals(OutputFile *file, PetscInt n, const PetscReal v[])
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < n; i++) PetscCall(CrFilePrint(file, ",%.17g", v[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A name as the deck has it; quoted where it would break the table (RFC 4180). */
static PetscErrorCode put_name(OutputFile *file, const char name[])
{
  PetscFunctionBeginUser;
  if (!strpbrk(name, ",\"\r\n")) {
    PetscCall(CrFilePrint(file, ",%s", name));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrFilePrint(file, ",\""));
  for (const char *s = name; *s; s++)
    PetscCall(CrFilePrint(file, "%s%c", *s == '"' ? "\"" : "", *s));
  PetscCall(CrFilePrint(file, "\""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode end_row(OutputFile *file)
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(file, "\n"));
  PetscCall(CrFileEndRow(file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTablesHistory(CrOutput *output, const CrAudit *audit)
{
  const CrAudit  *a = audit;
  OutputFile     *file = &output->tables[TABLE_HISTORY];
  const PetscReal energies[] = {a->kinetic,       a->strain,        a->potential, a->penalty,
                                a->external_work, a->friction_loss, a->energy,    a->balance};
  const PetscReal contact[] = {a->max_penetration, a->contact_work, a->defect};

  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(file, "%.17g,%" PetscInt_FMT ",%.17g,%" PetscInt_FMT, a->time, a->step,
                        a->h, a->iterations));
  PetscCall(put_reals(file, 8, energies));
  PetscCall(put_reals(file, 3, a->momentum));
  PetscCall(put_reals(file, 3, a->angular));
  PetscCall(CrFilePrint(file, ",%" PetscInt_FMT ",%" PetscInt_FMT, a->contacts, a->sticking));
  PetscCall(put_reals(file, 3, contact));
  if (output->remembers) PetscCall(put_reals(file, CR_NLOSSES, a->losses));
  if (output->drags) PetscCall(put_reals(file, 1, &a->drag));
  PetscCall(end_row(file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTablesBodies(CrOutput *output, const CrModel *model, const CrAudit *audit)
{
  OutputFile *file = &output->tables[TABLE_BODIES];

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < model->nbodies + model->rigid->n; b++) {
    const CrBodyAudit *body = &audit->bodies[b];
    /* a deformable body has no one angle */
    const PetscReal numbers[] = {body->kinetic, body->strain, model->dim == 2 ? body->angle : 0};
    char            name[96];

    if (b < model->nbodies)
      snprintf(name, sizeof name, "%s", model->bodies[b].name);
    else
      CrRigidName(model->rigid, b - model->nbodies, name);
    PetscCall(CrFilePrint(file, "%.17g", audit->time));
    PetscCall(put_name(file, name));
    PetscCall(put_reals(file, 1, &body->mass));
    PetscCall(put_reals(file, 3, body->x));
    PetscCall(put_reals(file, 3, body->momentum));
    PetscCall(put_reals(file, 3, body->angular));
    PetscCall(put_reals(file, 3, numbers));
    PetscCall(put_reals(file, 3, body->spin));
    if (output->remembers) PetscCall(put_reals(file, CR_NLOSSES, body->losses));
    PetscCall(end_row(file));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTablesContacts(CrOutput *output, const CrAudit *audit)
{
  const CrContact *c = output->contact;
  OutputFile      *file = &output->tables[TABLE_CONTACTS];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; c && k < c->npairs; k++) {
    const CrPair      *pair = &c->pairs[k];
    const CrTallySums *sums = &c->picture->tally.pairs[k];
    const PetscReal    ends[] = {c->past.loss[k], sums->max_penetration};
    PetscReal          slip[3];

    if (pair->found && !CrPairHasTouched(c, k) && !(c->picture->overlap[3 * k + 2] > 0)) continue;
    CrPairSlip(c, k, slip);
    PetscCall(CrFilePrint(file, "%.17g", audit->time));
    PetscCall(put_name(file, pair->name));
    PetscCall(CrFilePrint(file, ",%" PetscInt_FMT ",%" PetscInt_FMT ",%" PetscInt_FMT, sums->points,
                          sums->sticking, sums->slipping));
    PetscCall(put_reals(file, 3, sums->force));
    PetscCall(put_reals(file, 2, ends));
    PetscCall(put_reals(file, 3, slip));
    PetscCall(put_reals(file, 3, c->picture->overlap + 3 * k));
    PetscCall(end_row(file));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTablesEvents(CrOutput *output, const CrAudit *audit)
{
  OutputFile *file = &output->tables[TABLE_EVENTS];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < audit->nevents; k++) {
    const CrEvent  *e = &audit->events[k];
    const PetscReal numbers[] = {e->jn, e->jt, e->energy_change};

    PetscCall(CrFilePrint(file, "%.17g", e->time));
    PetscCall(put_name(file, output->contact->pairs[e->pair].name));
    PetscCall(CrFilePrint(file, ",%s", e->sticks ? "stick" : "slip"));
    PetscCall(put_reals(file, 3, numbers));
    PetscCall(end_row(file));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTablesProbes(CrOutput *output, const CrAudit *audit)
{
  OutputFile *file = &output->tables[TABLE_PROBES];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < output->probes.n; i++) {
    const OutputProbe *probe = &output->probes.rows[i];
    const PetscReal   *u = output->probes.values + PROBE_REALS * probe->slot, *v = u + 3;
    const PetscReal    x[] = {probe->X[0] + u[0], probe->X[1] + u[1], probe->X[2] + u[2]};

    PetscCall(CrFilePrint(file, "%.17g", audit->time));
    PetscCall(put_name(file, probe->name));
    PetscCall(put_reals(file, 3, x));
    PetscCall(put_reals(file, 3, u));
    PetscCall(put_reals(file, 3, v));
    PetscCall(put_reals(file, 6, u + 6));
    if (output->remembers) PetscCall(put_reals(file, CR_NSHOWN, u + 12));
    PetscCall(end_row(file));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTablesExtremes(CrOutput *output, const CrModel *model, const CrAudit *audit)
{
  OutputFile *file = &output->tables[TABLE_EXTREMES];

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < NFIELDS; f++) {
    if (!output->extremes[f]) continue;
    for (PetscInt b = 0; b < model->nbodies; b++) {
      const PetscReal *range = output->ranges + 2 * (f * model->nbodies + b);
      const PetscReal  ends[] = {range[0], -range[1]};

      PetscCall(CrFilePrint(file, "%.17g,%s", audit->time, CrOutputFields[f].name));
      PetscCall(put_name(file, model->bodies[b].name));
      PetscCall(put_reals(file, 2, ends));
      PetscCall(end_row(file));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
