/* A film as bytes. A block holds some frames; within it a frame is coded by its difference to the one
   before. Of each frame, in this order: how far the nodes of bodies that deform have moved since the start, less
   the motion of the centre of their body (x of all, y of all, ...), coded fields at these nodes, centres of all
   bodies (two words a component: low, high), contact forces of the nodes that ever carry one; of
   rigid bodies how they are turned (2D: the angle, a full turn is 65536; 3D: four words), velocity of
   the centre, spin (both only where there is a field of velocities). Offsets, forces, velocities and
   quaternions are signed, the rest counts from 0; 65535 in a field is NaN. */
#include "report/film_code.h"
#include <math.h>
#include <string.h>

#define BLOCK_FRAMES 10
#define NOT_A_NUMBER 65535
#define FINE         4194303 /* levels of positions at the start, on either side */

/* ---- what the numbers are relative to ----------------------------------------------------- */

/* The centres before any displacement. */
static PetscErrorCode find_centres(const CrFilm *film, CrFilmCode *code)
{
  PetscInt *count;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(3 * film->nbodies, &code->from));
  PetscCall(PetscCalloc1(film->nbodies, &count));
  for (PetscInt k = 0; k < film->nnodes; k++) {
    count[film->node_body[k]]++;
    for (int i = 0; i < 3; i++) code->from[3 * film->node_body[k] + i] += film->origin[3 * k + i];
  }
  for (PetscInt b = 0; b < film->nbodies; b++)
    for (int i = 0; i < 3; i++) code->from[3 * b + i] /= PetscMax(1, count[b]);
  PetscCall(PetscFree(count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where node k was at the start, from the centre of its body. */
static PetscReal offset_before(const CrFilm *film, const CrFilmCode *code, PetscInt k, int i)
{
  return film->origin[3 * k + i] - code->from[3 * film->node_body[k] + i];
}

static PetscErrorCode find_extents(const CrFilm *film, CrFilmCode *code)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(film->nbodies, &code->extent));
  PetscCall(PetscCalloc1(film->nbodies, &code->reach));
  for (int i = 0; i < 3; i++) {
    code->box[0][i] = PETSC_MAX_REAL;
    code->box[1][i] = -PETSC_MAX_REAL;
  }
  for (PetscInt f = 0; f < film->nframes; f++)
    for (PetscInt k = 0; k < film->nnodes; k++) {
      const PetscInt b = film->node_body[k];
      const float   *offset = film->offset + 3 * (f * film->nnodes + k);

      for (int i = 0; i < 3; i++) {
        PetscReal d = (PetscReal)offset[i], x = film->centre[3 * (f * film->nbodies + b) + i] + d;

        code->extent[b] = PetscMax(code->extent[b], fabs(d));
        code->reach[b] = PetscMax(code->reach[b], fabs(d - offset_before(film, code, k, i)));
        code->box[0][i] = PetscMin(code->box[0][i], x);
        code->box[1][i] = PetscMax(code->box[1][i], x);
      }
    }
  for (PetscInt k = 0; k < film->nnodes; k++)
    for (int i = 0; i < 3; i++) {
      PetscReal *extent = &code->extent[film->node_body[k]];

      *extent = PetscMax(*extent, fabs(offset_before(film, code, k, i)));
    }
  for (PetscInt b = 0; b < film->nbodies; b++)
    code->extent[b] = PetscMax(code->extent[b], film->ball[b]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void find_cube(const CrFilm *film, CrFilmCode *code)
{
  const PetscInt n = film->nframes * film->nbodies;

  for (int i = 0; i < 3; i++) {
    PetscReal low = PETSC_MAX_REAL, high = -PETSC_MAX_REAL;

    for (PetscInt k = 0; k < n; k++) {
      low = PetscMin(low, film->centre[3 * k + i]);
      high = PetscMax(high, film->centre[3 * k + i]);
    }
    code->low[i] = low;
    code->size = PetscMax(code->size, high - low);
  }
}

PetscInt CrFilmLevels(const CrShown *shown, const CrFilmQuality *quality)
{
  return shown->kind == CR_SHOWN_FIELD && shown->index == CR_FILM_STATUS ? 3
                                                                         : quality->field_levels;
}

static PetscErrorCode find_forces(const CrFilm *film, CrFilmCode *code)
{
  PetscFunctionBeginUser;
  if (!film->force) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(film->nnodes, &code->force_nodes));
  for (PetscInt k = 0; k < film->nnodes; k++) {
    PetscReal greatest = 0;

    for (PetscInt f = 0; f < film->nframes; f++)
      for (int i = 0; i < 3; i++)
        greatest = PetscMax(greatest, fabs((double)film->force[3 * (f * film->nnodes + k) + i]));
    if (greatest > 0) code->force_nodes[code->nforces++] = k;
    code->greatest_force = PetscMax(code->greatest_force, greatest);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void find_speeds(const CrFilm *film, CrFilmCode *code)
{
  const PetscInt n = film->nframes * (film->nbodies - film->first_rigid);

  for (PetscInt k = 0; film->speed && k < n; k++)
    for (int i = 0; i < 3; i++) {
      const float *s = film->speed + 6 * k;

      code->greatest_speed = PetscMax(code->greatest_speed, fabs((PetscReal)s[i]));
      code->greatest_spin = PetscMax(code->greatest_spin, fabs((PetscReal)s[3 + i]));
    }
}

/* ---- coding ------------------------------------------------------------------------------- */

static uint16_t signed_word(PetscReal value, PetscReal greatest, PetscInt levels)
{
  return (uint16_t)(int16_t)(greatest > 0 ? lround(value / greatest * levels) : 0);
}

static uint16_t field_word(PetscReal value, const PetscReal range[2], PetscInt levels)
{
  if (!isfinite(value)) return NOT_A_NUMBER;
  if (!(range[1] > range[0])) return 0;
  value = PetscMax(range[0], PetscMin(value, range[1]));
  return (uint16_t)lround((value - range[0]) / (range[1] - range[0]) * levels);
}

/* One frame after the other; the words of this one and of the one before. */
typedef struct {
  const CrFilm        *film;
  const CrFilmQuality *quality;
  const CrShownRange  *ranges;
  CrFilmCode          *code;
  uint16_t            *now, *before; /* owned */
  PetscInt             at;           /* words used */
} Coder;

/* How rigid bodies are turned, in words. */
static void put_turns(Coder *c, PetscInt f)
{
  const CrFilm  *film = c->film;
  const PetscInt n = film->nbodies - film->first_rigid;
  const float   *turn = film->turn + 4 * f * n;

  for (PetscInt b = 0; film->dim == 2 && b < n; b++) {
    PetscReal half = atan2((PetscReal)turn[4 * b + 3], (PetscReal)turn[4 * b]);

    c->now[c->at++] = (uint16_t)(int32_t)lround(half / PETSC_PI * 65536);
  }
  for (PetscInt i = 0; film->dim == 3 && i < 4; i++)
    for (PetscInt b = 0; b < n; b++)
      c->now[c->at++] = signed_word((PetscReal)turn[4 * b + i], 1, 32767);
}

static void put_speeds(Coder *c, PetscInt f)
{
  const CrFilm  *film = c->film;
  const PetscInt n = film->nbodies - film->first_rigid;
  const PetscInt levels = c->quality->field_levels;

  for (PetscInt i = 0; film->speed && i < 6; i++) {
    PetscReal greatest = i < 3 ? c->code->greatest_speed : c->code->greatest_spin;

    if (film->dim == 2 && i > 1 && i < 5) continue;
    for (PetscInt b = 0; b < n; b++)
      c->now[c->at++] = signed_word((PetscReal)film->speed[6 * (f * n + b) + i], greatest, levels);
  }
}

/* Motions and fields of the nodes of bodies that deform. */
static void put_nodes(Coder *c, PetscInt f)
{
  const CrFilm  *film = c->film;
  const PetscInt soft = film->first_rigid_node;

  for (int i = 0; i < film->dim; i++)
    for (PetscInt k = 0; k < soft; k++) {
      PetscReal moved = (PetscReal)film->offset[3 * (f * film->nnodes + k) + i] -
                        offset_before(film, c->code, k, i);

      c->now[c->at++] =
          signed_word(moved, c->code->reach[film->node_body[k]], c->quality->position_levels);
    }
  for (PetscInt s = 0; s < CR_SHOWN_FIELDS; s++) {
    const CrShown *shown = &CrShownTable[s];

    if (!CrShownIsCoded(film, shown, c->quality->parts)) continue;
    for (PetscInt k = 0; k < soft; k++)
      c->now[c->at++] = field_word(CrShownValue(film, shown, f, k), c->ranges[s].coded,
                                   CrFilmLevels(shown, c->quality));
  }
}

static void put_frame(Coder *c, PetscInt f)
{
  const CrFilm *film = c->film;
  CrFilmCode   *code = c->code;

  c->at = 0;
  put_nodes(c, f);
  for (PetscInt i = 0; i < film->dim; i++)
    for (int half = 0; half < 2; half++)
      for (PetscInt b = 0; b < film->nbodies; b++) {
        PetscReal share = film->centre[3 * (f * film->nbodies + b) + i] - code->low[i];
        uint32_t  v = code->size > 0 ? (uint32_t)(share / code->size * 4294967295.0) : 0;

        c->now[c->at++] = (uint16_t)(half ? v >> 16 : v & 0xffff);
      }
  for (PetscInt i = 0; i < film->dim; i++)
    for (PetscInt k = 0; k < code->nforces; k++) {
      PetscInt node = f * film->nnodes + code->force_nodes[k];

      c->now[c->at++] =
          signed_word((PetscReal)film->force[3 * node + i], code->greatest_force, 32767);
    }
  if (film->first_rigid == film->nbodies) return;
  put_turns(c, f);
  put_speeds(c, f);
}

/* Arrays are coded one by one: the difference to the neighbour ends where another quantity begins. */
static PetscErrorCode code_frame(Coder *c, PetscBool first, CrBytes *bytes)
{
  const CrFilm  *film = c->film;
  const PetscInt nrigid = film->nbodies - film->first_rigid, dim = film->dim;
  PetscInt       start = 0, kinds[4][2] = {{dim, film->first_rigid_node}, /* arrays, of so many */
                                           {2 * dim, film->nbodies},
                                           {dim, c->code->nforces},
                                           {dim == 2 ? 1 : 4, nrigid}};

  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < CR_SHOWN_FIELDS; s++)
    kinds[0][0] += CrShownIsCoded(film, &CrShownTable[s], c->quality->parts) ? 1 : 0;
  if (film->speed) kinds[3][0] += dim == 2 ? 3 : 6;
  for (int kind = 0; kind < 4; kind++)
    for (PetscInt a = 0, n = kinds[kind][1]; a < kinds[kind][0]; a++, start += n)
      PetscCall(CrCodeWords(bytes, n, c->now + start, first ? NULL : c->before + start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode code_block(Coder *c, PetscInt first, PetscInt n, CrBytes *out)
{
  CrBytes bytes = {0};

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    uint16_t *other = c->before;

    put_frame(c, c->code->frames[first + k]);
    PetscCall(code_frame(c, k == 0, &bytes));
    c->before = c->now;
    c->now = other;
  }
  PetscCall(CrBytesDeflate(&bytes, out));
  PetscCall(CrBytesFree(&bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode code_blocks(const CrFilm *film, const CrFilmQuality *quality,
                                  const CrShownRange *ranges, CrFilmCode *code)
{
  Coder  c = {.film = film, .quality = quality, .ranges = ranges, .code = code};
  size_t n = (size_t)film->nnodes * (3 + CR_SHOWN_FIELDS + 3) + 16 * (size_t)film->nbodies;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &c.now));
  PetscCall(PetscMalloc1(n, &c.before));
  code->nblocks = (code->nframes + BLOCK_FRAMES - 1) / BLOCK_FRAMES;
  PetscCall(PetscCalloc1(code->nblocks, &code->blocks));
  PetscCall(PetscMalloc1(code->nblocks, &code->counts));
  for (PetscInt b = 0; b < code->nblocks; b++) {
    code->counts[b] = PetscMin(BLOCK_FRAMES, code->nframes - b * BLOCK_FRAMES);
    PetscCall(code_block(&c, b * BLOCK_FRAMES, code->counts[b], &code->blocks[b]));
    code->total += code->blocks[b].size;
  }
  PetscCall(PetscFree(c.now));
  PetscCall(PetscFree(c.before));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the bodies begin, and their nodes from there. */
static PetscErrorCode code_shapes(const CrFilm *film, const CrFilmCode *code, CrBytes *bytes)
{
  PetscInt *column;

  PetscFunctionBeginUser;
  PetscCall(CrCodeReals(bytes, 3 * film->nbodies, code->from));
  PetscCall(PetscMalloc1(film->nnodes, &column));
  for (int i = 0; i < film->dim; i++) {
    for (PetscInt k = 0; k < film->nnodes; k++) {
      PetscReal extent = code->extent[film->node_body[k]];

      column[k] =
          extent > 0 ? (PetscInt)lround(offset_before(film, code, k, i) / extent * FINE) : 0;
    }
    PetscCall(CrCodeIntegers(bytes, film->nnodes, column));
  }
  PetscCall(PetscFree(column));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Triangles, of all but balls; nodes: their bodies, numbers in the field files, and those with forces. */
static PetscErrorCode code_mesh(const CrFilm *film, CrFilmCode *code)
{
  PetscInt *column;
  CrBytes   bytes = {0};

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(film->ntriangles, &column));
  for (int part = 0; part < 5; part++) {
    code->ntriangles = 0;
    for (PetscInt k = 0; k < film->ntriangles; k++) {
      const CrFilmTriangle *t = &film->triangles[k];

      if (film->ball[t->body] > 0) continue;
      column[code->ntriangles++] = part < 3 ? t->nodes[part] : part == 3 ? t->sides : t->body;
    }
    PetscCall(CrCodeIntegers(&bytes, code->ntriangles, column));
  }
  PetscCall(CrCodeIntegers(&bytes, film->nnodes, film->node_body));
  PetscCall(CrCodeIntegers(&bytes, film->nnodes, film->node));
  PetscCall(CrCodeIntegers(&bytes, code->nforces, code->force_nodes));
  PetscCall(code_shapes(film, code, &bytes));
  PetscCall(CrBytesDeflate(&bytes, &code->mesh));
  PetscCall(CrBytesFree(&bytes));
  PetscCall(PetscFree(column));
  code->total = code->mesh.size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFilmCodeCreate(const CrFilm *film, const CrFilmQuality *quality,
                                const CrShownRange ranges[CR_SHOWN_FIELDS], CrFilmCode **result)
{
  CrFilmCode *code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&code));
  PetscCall(PetscMalloc1(film->nframes, &code->frames));
  for (PetscInt f = 0; f < film->nframes; f++)
    if (f % quality->every == 0 || f == film->nframes - 1) code->frames[code->nframes++] = f;
  PetscCall(find_centres(film, code));
  PetscCall(find_extents(film, code));
  find_cube(film, code);
  PetscCall(find_forces(film, code));
  find_speeds(film, code);
  PetscCall(code_mesh(film, code));
  PetscCall(code_blocks(film, quality, ranges, code));
  *result = code;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFilmCodeDestroy(CrFilmCode **code)
{
  PetscFunctionBeginUser;
  if (!*code) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrBytesFree(&(*code)->mesh));
  for (PetscInt b = 0; b < (*code)->nblocks; b++) PetscCall(CrBytesFree(&(*code)->blocks[b]));
  PetscCall(PetscFree((*code)->blocks));
  PetscCall(PetscFree((*code)->counts));
  PetscCall(PetscFree((*code)->frames));
  PetscCall(PetscFree((*code)->force_nodes));
  PetscCall(PetscFree((*code)->extent));
  PetscCall(PetscFree((*code)->reach));
  PetscCall(PetscFree((*code)->from));
  PetscCall(PetscFree(*code));
  PetscFunctionReturn(PETSC_SUCCESS);
}
