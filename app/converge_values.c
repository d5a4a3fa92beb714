/* Reads the results of a run for a convergence study: energies, losses, bodies, pairs and probes. */
#include <math.h>
#include <string.h>
#include "app/converge.h"
#include "report/table.h"

#define EVERYTHING 1e12 /* numbers of a table: none is left out */
/* Of the size of the model, or of the speed inside bodies: what solvers leave. */
#define ROUNDING 1e-10

/* The tables of one level. */
typedef struct {
  PetscInt  level;
  PetscReal size; /* of the model; 0: a run of an older program does not say it */
  PetscReal open; /* the greatest energy that nothing explains */
  CrTable  *history, *bodies, *contacts, *probes;
} Level;

/* ---- tables ------------------------------------------------------------------------------- */

static PetscReal at(const CrTable *table, const char name[], PetscInt row)
{
  const CrColumn *column = CrTableFind(table, name);

  return column && row >= 0 ? column->values[row] : NAN;
}

/* The last row that belongs to a word of a column. */
static PetscInt last_row(const CrTable *table, const CrColumn *of, PetscInt word)
{
  for (PetscInt r = table->nrows - 1; r >= 0; r--)
    if (of->values[r] == (PetscReal)word) return r;
  return -1;
}

/* ---- energies ----------------------------------------------------------------------------- */

static PetscErrorCode read_energies(Converge *c, const Level *l)
{
  static const char *const names[] = {"friction_loss", "plastic",       "viscous", "drag",
                                      "contact_work",  "external_work", "energy",  "kinetic"};
  const CrTable           *t = l->history;
  PetscReal                scale = 0;

  PetscFunctionBeginUser;
  if (!t) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt r = 0; r < t->nrows; r++) {
    PetscReal sum = PetscAbsReal(at(t, "kinetic", r)) + PetscAbsReal(at(t, "strain", r));

    if (sum > scale) scale = sum;
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (CrTableFind(t, names[i])) {
      PetscCall(
          AppConvergeEnter(c, l->level, "", names[i], at(t, names[i], t->nrows - 1), 1e-6 * scale));
      PetscCall(AppConvergeEnterGrain(c, l->level, "", names[i], l->open));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- bodies ------------------------------------------------------------------------------- */

static PetscErrorCode enter_vector(Converge *c, PetscInt level, const char body[],
                                   const char word[], const PetscReal v[3], PetscReal scale)
{
  static const char *const axes[] = {"_x", "_y", "_z"};
  char                     name[64];

  PetscFunctionBeginUser;
  for (int i = 0; i < 3; i++) {
    if (isnan(v[i])) continue;
    snprintf(name, sizeof name, "%s%s", word, axes[i]);
    PetscCall(AppConvergeEnter(c, level, body, name, v[i], scale));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal length(const PetscReal v[3])
{
  PetscReal sum = 0;

  for (int i = 0; i < 3; i++) sum += isnan(v[i]) ? 0 : v[i] * v[i];
  return PetscSqrtReal(sum);
}

static void read_vector(const CrTable *t, const char *const names[3], PetscInt row, PetscReal by,
                        PetscReal v[3])
{
  for (int i = 0; i < 3; i++) v[i] = at(t, names[i], row) / by;
}

static const char *const places[] = {"x", "y", "z"}, *const momenta[] = {"px", "py", "pz"},
                         *const spins[] = {"spin_x", "spin_y", "spin_z"};

/* What components are small beside. */
typedef struct {
  PetscReal speed, way, spin; /* greatest speed, way and spin of any body */
  PetscReal within;           /* greatest speed inside bodies, from their kinetic energy */
} Scales;

/* A body that only trembles has a spin of rounding: it is small beside a thousandth of speed over way. */
static PetscReal least_spin(const Scales *s)
{
  return s->way > 0 ? 1e-3 * s->speed / s->way : 0;
}

static void find_scales(const CrTable *t, Scales *s)
{
  PetscReal v[3], low[3] = {PETSC_MAX_REAL, PETSC_MAX_REAL, PETSC_MAX_REAL};
  PetscReal high[3] = {-PETSC_MAX_REAL, -PETSC_MAX_REAL, -PETSC_MAX_REAL};

  *s = (Scales){0};
  for (PetscInt r = 0; r < t->nrows; r++) {
    read_vector(t, momenta, r, at(t, "mass", r), v);
    s->speed = PetscMax(s->speed, length(v));
    s->within = PetscMax(s->within, PetscSqrtReal(2 * at(t, "kinetic", r) / at(t, "mass", r)));
    read_vector(t, spins, r, 1, v);
    s->spin = PetscMax(s->spin, length(v));
    read_vector(t, places, r, 1, v);
    for (int i = 0; i < 3; i++) {
      if (isnan(v[i])) continue;
      low[i] = PetscMin(low[i], v[i]);
      high[i] = PetscMax(high[i], v[i]);
      s->way = PetscMax(s->way, high[i] - low[i]);
    }
  }
  s->spin = PetscMax(s->spin, least_spin(s));
}

/* A body that is pressed evenly from all sides stays where it is, but for rounding, which has no order. */
static void drop_rounding(PetscReal v[3], PetscReal least)
{
  for (int i = 0; i < 3; i++)
    if (PetscAbsReal(v[i]) <= least) v[i] = 0;
}

static PetscErrorCode read_bodies(Converge *c, const Level *l)
{
  const CrTable  *t = l->bodies;
  const CrColumn *of = t ? CrTableFind(t, "body") : NULL;
  PetscReal       v[3];
  Scales          scales;

  PetscFunctionBeginUser;
  if (!of) PetscFunctionReturn(PETSC_SUCCESS);
  find_scales(t, &scales);
  for (PetscInt b = 0; b < of->nwords; b++) {
    PetscInt  row = last_row(t, of, b);
    PetscReal spin = at(t, "spin", row);

    read_vector(t, momenta, row, at(t, "mass", row), v);
    drop_rounding(v, ROUNDING * scales.within);
    PetscCall(enter_vector(c, l->level, of->words[b], "velocity", v, scales.speed));
    read_vector(t, spins, row, 1, v);
    if (l->size > 0) drop_rounding(v, ROUNDING * scales.within / l->size);
    PetscCall(enter_vector(c, l->level, of->words[b], "spin", v, scales.spin));
    if (!isnan(spin))
      PetscCall(AppConvergeEnter(c, l->level, of->words[b], "spin", spin, scales.spin));
    read_vector(t, places, row, 1, v);
    drop_rounding(v, ROUNDING * l->size);
    PetscCall(enter_vector(c, l->level, of->words[b], "position", v, scales.way));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- pairs -------------------------------------------------------------------------------- */

static const char *const        forces[] = {"fx", "fy", "fz"},
                         *const filtered[] = {"filtered_x", "filtered_y", "filtered_z"},
                         *const impulses[] = {"impulse_x", "impulse_y", "impulse_z"},
                         *const normals[] = {"normal_impulse_x", "normal_impulse_y",
                                             "normal_impulse_z"},
                         *const tangents[] = {"tangential_impulse_x", "tangential_impulse_y",
                                              "tangential_impulse_z"};

/* A pair over the run. Forces of rows are means over the time since the row before. */
typedef struct {
  PetscReal sum, time, deepest; /* sum: of the sizes of impulses */
  PetscReal peak;               /* greatest filtered force */
  PetscReal row;                /* the longest time between rows */
  PetscInt  last;               /* row */
} Pair;

static void add_row(const CrTable *t, PetscInt row, PetscReal dt, Pair *pair)
{
  PetscReal f[3];

  read_vector(t, forces, row, 1, f);
  pair->sum += dt * length(f);
  read_vector(t, filtered, row, 1, f);
  pair->peak = PetscMax(pair->peak, length(f));
  if (at(t, "points", row) > 0) {
    pair->time += dt;
    pair->row = PetscMax(pair->row, dt);
  }
  pair->deepest = PetscMax(pair->deepest, at(t, "max_penetration", row));
  pair->last = row;
}

/* The impulse of a pair at a time, between the rows `row` and `next` of it. */
static void impulse_at(const CrTable *t, PetscInt row, PetscInt next, PetscReal time,
                       PetscReal v[3])
{
  PetscReal t0 = at(t, "time", row), t1 = at(t, "time", next), w[3];

  read_vector(t, impulses, row, 1, v);
  read_vector(t, impulses, next, 1, w);
  for (int i = 0; i < 3 && t1 > t0; i++) v[i] += (w[i] - v[i]) * (time - t0) / (t1 - t0);
}

static PetscInt next_row(const CrTable *t, const CrColumn *of, PetscInt word, PetscInt row)
{
  do row++;
  while (row < t->nrows && of->values[row] != (PetscReal)word);
  return row;
}

/* The greatest mean force over a window of time. */
static PetscReal find_peak(const CrTable *t, const CrColumn *of, PetscInt word, PetscReal window)
{
  PetscInt  first = next_row(t, of, word, -1), after = next_row(t, of, word, first);
  PetscReal peak = 0, from[3], to[3];

  for (PetscInt r = first; r < t->nrows; r = next_row(t, of, word, r)) {
    PetscReal start = at(t, "time", r) - window;

    if (start < at(t, "time", first)) continue;
    while (at(t, "time", after) <= start) {
      first = after;
      after = next_row(t, of, word, after);
    }
    impulse_at(t, first, after, start, from);
    read_vector(t, impulses, r, 1, to);
    for (int i = 0; i < 3; i++) to[i] -= from[i];
    peak = PetscMax(peak, length(to) / window);
  }
  return peak;
}

/* Finer meshes have shorter windows of their own: all levels take the mean over a tenth of the time in contact of the
   first one. */
static PetscReal peak_of(Converge *c, const Level *l, const CrColumn *of, PetscInt word,
                         const Pair *pair)
{
  PetscReal *window;

  if (!c->own_windows || word >= CONVERGE_WINDOWS) return pair->peak;
  window = &c->windows[word];
  if (l->level == 0) *window = pair->time / 10;
  return *window > 0 ? find_peak(l->contacts, of, word, *window) : pair->peak;
}

static PetscErrorCode read_pair(Converge *c, const Level *l, const CrColumn *of, PetscInt word)
{
  const CrTable *t = l->contacts;
  const char    *name = of->words[word];
  PetscReal      before = at(t, "time", 0), v[3];
  Pair           pair = {.deepest = 0};
  Scales         scales = {0};

  PetscFunctionBeginUser;
  for (PetscInt r = 0; r < t->nrows; r++) {
    if (of->values[r] != (PetscReal)word) continue;
    add_row(t, r, at(t, "time", r) - before, &pair);
    before = at(t, "time", r);
  }
  if (pair.time == 0) PetscFunctionReturn(PETSC_SUCCESS);
  read_vector(t, impulses, pair.last, 1, v);
  PetscCall(enter_vector(c, l->level, name, "impulse", v, pair.sum));
  read_vector(t, normals, pair.last, 1, v);
  PetscCall(enter_vector(c, l->level, name, "normal_impulse", v, pair.sum));
  read_vector(t, tangents, pair.last, 1, v);
  PetscCall(enter_vector(c, l->level, name, "tangential_impulse", v, pair.sum));
  PetscCall(AppConvergeEnter(c, l->level, name, "contact_time", pair.time, 0));
  /* the first and the last row may be pressed for a part of it only */
  PetscCall(AppConvergeEnterGrain(c, l->level, name, "contact_time", 2 * pair.row));
  PetscCall(AppConvergeEnter(c, l->level, name, "peak_force", peak_of(c, l, of, word, &pair), 0));
  if (l->bodies) find_scales(l->bodies, &scales); /* what is rounding beside their way is none */
  if (pair.deepest <= ROUNDING * l->size) pair.deepest = 0;
  PetscCall(
      AppConvergeEnter(c, l->level, name, "max_penetration", pair.deepest, 1e-6 * scales.way));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_pairs(Converge *c, const Level *l)
{
  const CrColumn *of = l->contacts ? CrTableFind(l->contacts, "pair") : NULL;

  PetscFunctionBeginUser;
  for (PetscInt w = 0; of && w < of->nwords; w++) PetscCall(read_pair(c, l, of, w));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- probes ------------------------------------------------------------------------------- */

/* Least, greatest and last value of a component of a probe; last is NaN if there is none. */
typedef struct {
  PetscReal low, high, last;
} Range;

static Range find_range(const CrTable *t, const CrColumn *of, PetscInt word, const char column[])
{
  Range range = {PETSC_MAX_REAL, -PETSC_MAX_REAL, NAN};

  for (PetscInt r = 0; r < t->nrows; r++) {
    if (of->values[r] != (PetscReal)word) continue;
    range.last = at(t, column, r);
    range.low = PetscMin(range.low, range.last);
    range.high = PetscMax(range.high, range.last);
  }
  return range;
}

static PetscErrorCode read_probe(Converge *c, const Level *l, const CrColumn *of, PetscInt word)
{
  static const char *const columns[] = {"ux", "uy", "uz"};
  char                     name[32];
  Range                    ranges[3];
  PetscReal                way = 0; /* of the component that moves most */

  PetscFunctionBeginUser;
  for (int i = 0; i < 3; i++) {
    ranges[i] = find_range(l->probes, of, word, columns[i]);
    if (!isnan(ranges[i].last)) way = PetscMax(way, ranges[i].high - ranges[i].low);
  }
  for (int i = 0; i < 3; i++) {
    if (isnan(ranges[i].last)) continue;
    PetscCall(AppConvergeEnter(c, l->level, of->words[word], columns[i], ranges[i].last, way));
    snprintf(name, sizeof name, "min_%s", columns[i]);
    PetscCall(AppConvergeEnter(c, l->level, of->words[word], name, ranges[i].low, way));
    snprintf(name, sizeof name, "max_%s", columns[i]);
    PetscCall(AppConvergeEnter(c, l->level, of->words[word], name, ranges[i].high, way));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_probes(Converge *c, const Level *l)
{
  const CrColumn *of = l->probes ? CrTableFind(l->probes, "probe") : NULL;

  PetscFunctionBeginUser;
  for (PetscInt w = 0; of && w < of->nwords; w++) PetscCall(read_probe(c, l, of, w));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- until when levels agree -------------------------------------------------------------- */

/* The first time at which a body of the finer level is apart from the coarser one by more than 1 % of the way
   that bodies went, and more than rounding of a model of this size. Both tables have their bodies in the same order. */
static PetscReal part_at(const CrTable *coarse, const CrTable *fine, PetscReal size)
{
  const CrColumn *body = CrTableFind(coarse, "body"), *other = CrTableFind(fine, "body");
  PetscReal       x[3], y[3];
  Scales          scales;
  PetscInt        f = 0;

  find_scales(fine, &scales);
  for (PetscInt r = 0; r < coarse->nrows; r++) {
    PetscReal time = at(coarse, "time", r);

    while (f < fine->nrows && at(fine, "time", f) < time * (1 - 1e-9)) f++;
    for (PetscInt q = f; q < fine->nrows && at(fine, "time", q) <= time * (1 + 1e-9); q++) {
      if (other->values[q] != body->values[r]) continue;
      read_vector(coarse, places, r, 1, x);
      read_vector(fine, places, q, 1, y);
      for (int i = 0; i < 3; i++) x[i] -= y[i];
      if (length(x) > PetscMax(0.01 * scales.way, 1e-9 * size)) return time;
    }
  }
  return -1;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* The greatest energy without explanation; in statics the balance is the error of the path, which is another thing. */
static PetscReal unexplained(const AppJob *job)
{
  PetscReal open = AppJobNumber(job, "defect_max_abs");

  return isnan(AppJobNumber(job, "path_error")) && open > 0 ? open : 0;
}

static PetscErrorCode open_level(Converge *c, PetscInt k, Level *l)
{
  static const char *const names[] = {"history.csv", "bodies.csv", "contacts.csv", "probes.csv"};
  CrTable                **tables[] = {&l->history, &l->bodies, &l->contacts, &l->probes};
  char                     path[PETSC_MAX_PATH_LEN + 16];

  PetscFunctionBeginUser;
  *l = (Level){.level = k,
               .size = AppJobResolution(&c->jobs[k], "size"),
               .open = unexplained(&c->jobs[k])};
  c->open[k] = l->open > 0 ? l->open * AppJobNumber(&c->jobs[k], "balance_relative") /
                                 AppJobNumber(&c->jobs[k], "balance_max_abs")
                           : 0;
  if (!isfinite(c->open[k])) c->open[k] = 0;
  if (isnan(l->size)) l->size = 0;
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", c->jobs[k].dir, names[i]);
    PetscCall(CrTableRead(path, EVERYTHING, tables[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_level(Level *l)
{
  PetscFunctionBeginUser;
  PetscCall(CrTableDestroy(&l->history));
  PetscCall(CrTableDestroy(&l->bodies));
  PetscCall(CrTableDestroy(&l->contacts));
  PetscCall(CrTableDestroy(&l->probes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_everywhere(const Converge *c, const ConvergeValue *v)
{
  for (PetscInt k = 0; k < c->n; k++)
    if (isnan(v->values[k])) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Is it zero, up to rounding, at every level? */
static PetscBool is_nothing(const Converge *c, const ConvergeValue *v)
{
  for (PetscInt k = 0; k < c->n; k++)
    if (PetscAbsReal(v->values[k]) > 1e-9 * v->scale) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* As many names as there is room for. */
static void add_partial(Converge *c, const char name[])
{
  size_t used = strlen(c->partial), room = sizeof c->partial - used;

  if (room > strlen(name) + 2 + sizeof ", and more")
    snprintf(c->partial + used, room, "%s%s", used ? ", " : "", name);
  else if (!strstr(c->partial, ", and more"))
    snprintf(c->partial + used, room, ", and more");
}

/* No number is surer than the books of its run: a part of the energy that appears or vanishes by chance, from step to
   step, may make values fall as if they had an order. */
static void coarsen(const Converge *c, ConvergeValue *v)
{
  for (PetscInt k = 0; k < c->n; k++)
    v->grains[k] =
        PetscMax(v->grains[k], c->open[k] * PetscMax(PetscAbsReal(v->values[k]), v->scale));
}

static void estimate(Converge *c)
{
  PetscInt kept = 0;

  for (PetscInt i = 0; i < c->nvalues; i++) {
    ConvergeValue *v = &c->values[i];

    if (!is_everywhere(c, v)) {
      add_partial(c, v->name);
      continue;
    }
    if (is_nothing(c, v)) continue;
    coarsen(c, v);
    CrEstimateMake(c->n, v->values, v->grains, c->ratio, v->scale, &v->estimate);
    c->values[kept++] = *v;
  }
  c->nvalues = kept;
}

PetscErrorCode AppConvergeRead(Converge *c)
{
  CrTable *before = NULL;

  PetscFunctionBeginUser;
  c->apart = -1;
  for (PetscInt k = 0; k < c->n; k++) {
    Level l;

    PetscCall(open_level(c, k, &l));
    PetscCall(read_energies(c, &l));
    PetscCall(read_bodies(c, &l));
    PetscCall(read_pairs(c, &l));
    PetscCall(read_probes(c, &l));
    if (k == c->n - 1 && before && l.bodies) c->apart = part_at(before, l.bodies, l.size);
    PetscCall(CrTableDestroy(&before));
    before = l.bodies;
    l.bodies = NULL;
    PetscCall(close_level(&l));
  }
  PetscCall(CrTableDestroy(&before));
  PetscCall(AppConvergeKeepWanted(c));
  estimate(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}
