/* Writes the tables of a run as CSV files, with all digits of the numbers. */
#include <math.h>
#include <string.h>
#include "model/reactions.h"
#include "output/internal.h"

static const struct {
  const char *name, *header;
  const char *losses; /* columns behind them where a law has a state */
} table[NTABLES] = {
    [TABLE_HISTORY] = {.name = "history.csv", .header = NULL}, /* CrAuditColumnName */
    [TABLE_BODIES] = {.name = "bodies.csv",
                      .header = "time,body,mass,x,y,z,px,py,pz,jx,jy,jz,kinetic,strain,angle,"
                                "spin_x,spin_y,spin_z",
                      .losses = ",plastic,viscous"},
    [TABLE_CONTACTS] = {.name = "contacts.csv",
                        .header = "time,pair,points,sticking,slipping,fx,fy,fz,friction_loss,"
                                  "max_penetration,mean_slip,min_slip,max_slip,"
                                  "overlap_ab,overlap_ba,unseen,"
                                  "impulse_x,impulse_y,impulse_z,normal_impulse_x,"
                                  "normal_impulse_y,normal_impulse_z,tangential_impulse_x,"
                                  "tangential_impulse_y,tangential_impulse_z,"
                                  "filtered_x,filtered_y,filtered_z"},
    [TABLE_PROBES] = {.name = "probes.csv",
                      .header = "time,probe,x,y,z,ux,uy,uz,vx,vy,vz,fx,fy,fz,gap,slip,pressure",
                      .losses = ",plastic_strain,plastic_work,viscous_work,temperature_rise"},
    [TABLE_EXTREMES] = {.name = "extremes.csv", .header = "time,field,body,min,max"},
    [TABLE_EVENTS] = {.name = "events.csv", .header = "time,pair,state,jn,jt,energy_change"},
    [TABLE_REACTIONS] = {.name = "reactions.csv",
                         .header = "time,name,fx,fy,fz,mx,my,mz,work,"
                                   "impulse_x,impulse_y,impulse_z"},
};

const char *CrTablesName(PetscInt i)
{
  return table[i].name;
}

/* Has the history this column? */
static PetscBool has_column(const CrOutput *output, PetscInt i)
{
  switch (CrAuditColumnNeeds(i)) {
  case CR_NEEDS_STATE: return output->loses;
  case CR_NEEDS_DRAG: return output->drags;
  default: return PETSC_TRUE;
  }
}

static PetscErrorCode put_history_header(CrOutput *output)
{
  OutputFile *file = &output->tables[TABLE_HISTORY];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; CrAuditColumnName(i); i++)
    if (has_column(output, i))
      PetscCall(CrFilePrint(file, "%s%s", i ? "," : "", CrAuditColumnName(i)));
  PetscCall(CrFilePrint(file, "\n"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTablesBegin(CrOutput *output, const char dir[])
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < NTABLES; i++) {
    PetscCall(CrFileBegin(&output->tables[i], dir, table[i].name));
    if (i == TABLE_HISTORY)
      PetscCall(put_history_header(output));
    else
      PetscCall(CrFilePrint(&output->tables[i], "%s%s\n", table[i].header,
                            output->loses && table[i].losses ? table[i].losses : ""));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Many numbers are zero, and printf takes its time for these too. */
static PetscErrorCode put_reals(OutputFile *file, PetscInt n, const PetscReal v[])
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < n; i++)
    if (v[i] == 0 && !signbit(v[i]))
      PetscCall(CrFileWrite(file, ",0", 2));
    else
      PetscCall(CrFilePrint(file, ",%.17g", v[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Writes numbers times a sign, at most six; zeros stay as they are. */
static PetscErrorCode put_signed(OutputFile *file, PetscInt n, PetscReal sign, const PetscReal v[])
{
  PetscReal out[6];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < n; i++) out[i] = v[i] == 0 ? v[i] : sign * v[i];
  PetscCall(put_reals(file, n, out));
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
  OutputFile *file = &output->tables[TABLE_HISTORY];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; CrAuditColumnName(i); i++) {
    const PetscReal value = CrAuditColumn(audit, i);

    if (!has_column(output, i)) continue;
    if (i) PetscCall(CrFilePrint(file, ","));
    PetscCall(CrFilePrint(file, CrAuditColumnIsCount(i) ? "%.0f" : "%.17g", value));
  }
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
    if (output->loses) PetscCall(put_reals(file, CR_NLOSSES, body->losses));
    PetscCall(end_row(file));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Impulses since the start, whole and in parts, and the filtered force of a pair. */
static PetscErrorCode put_impulses(OutputFile *file, const CrImpulses *impulses, PetscInt pair,
                                   PetscReal sign)
{
  const PetscReal *whole = impulses->total + 6 * pair, *normal = whole + 3;
  const PetscReal  rest[3] = {whole[0] - normal[0], whole[1] - normal[1], whole[2] - normal[2]};

  PetscFunctionBeginUser;
  PetscCall(put_signed(file, 6, sign, whole));
  PetscCall(put_signed(file, 3, sign, rest));
  PetscCall(put_signed(file, 3, sign, impulses->filtered + 3 * pair));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_reactions(CrOutput *output, const CrAudit *audit)
{
  const CrReactions *r = output->reactions;
  OutputFile        *file = &output->tables[TABLE_REACTIONS];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; r && k < r->n; k++) {
    PetscCall(CrFilePrint(file, "%.17g", audit->time));
    PetscCall(put_name(file, r->names[k]));
    PetscCall(put_reals(file, 3, r->all[k].force));
    PetscCall(put_reals(file, 3, r->all[k].moment));
    PetscCall(put_reals(file, 1, &r->all[k].work));
    PetscCall(put_reals(file, 3, r->all[k].impulse));
    PetscCall(end_row(file));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTablesContacts(CrOutput *output, const CrAudit *audit)
{
  const CrContact *c = output->contact;
  OutputFile      *file = &output->tables[TABLE_CONTACTS];

  PetscFunctionBeginUser;
  PetscCall(put_reactions(output, audit));
  for (PetscInt k = 0; c && k < c->npairs; k++) {
    const CrPair      *pair = &c->pairs[k];
    const CrTallySums *sums = &c->picture->tally.pairs[k];
    const PetscReal    ends[] = {c->past.loss[k], sums->max_penetration};
    const PetscReal   *o = c->picture->overlap + 3 * k;
    const PetscReal    overlap[] = {o[pair->swapped], o[!pair->swapped], o[2]};

    if (pair->found && !c->picture->touched[k] && !(c->picture->overlap[3 * k + 2] > 0)) continue;
    PetscCall(CrFilePrint(file, "%.17g", audit->time));
    PetscCall(put_name(file, pair->name));
    PetscCall(CrFilePrint(file, ",%.0f,%.0f,%.0f", (double)sums->points, (double)sums->sticking,
                          (double)sums->slipping));
    PetscCall(put_signed(file, 3, CrPairSign(pair), sums->force));
    PetscCall(put_reals(file, 2, ends));
    PetscCall(put_reals(file, 3, c->picture->slip + 3 * k));
    PetscCall(put_reals(file, 3, overlap));
    PetscCall(put_impulses(file, c->past.impulses, k, CrPairSign(pair)));
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
    if (output->loses) PetscCall(put_reals(file, CR_NSHOWN, u + 12));
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
