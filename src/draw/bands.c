/* Draws 2D bodies in files of lines and areas. A triangle is divided along lines of equal value into bands of one
   colour each. Bands are drawn level by level, so that areas of one colour share one path of the file. */
#include <math.h>
#include "draw/picture.h"

#define LEVELS 64
#define AROUND 24 /* corners of a dot */

static const CrColour ink = {38, 38, 44}, unknown = {205, 205, 205};

typedef struct {
  PetscInt  n;
  PetscReal x[8][2], v[8];
} Polygon;

/* The part of a polygon whose values are not below a bound. */
static Polygon cut(const Polygon *p, PetscReal bound)
{
  Polygon q = {0};

  for (PetscInt k = 0; k < p->n; k++) {
    const PetscInt  l = (k + 1) % p->n;
    const PetscReal a = p->v[k] - bound, b = p->v[l] - bound;

    if (a >= 0) {
      q.v[q.n] = p->v[k];
      for (int i = 0; i < 2; i++) q.x[q.n][i] = p->x[k][i];
      q.n++;
    }
    if ((a >= 0) == (b >= 0)) continue;
    q.v[q.n] = bound;
    for (int i = 0; i < 2; i++) q.x[q.n][i] = p->x[k][i] + a / (a - b) * (p->x[l][i] - p->x[k][i]);
    q.n++;
  }
  return q;
}

/* The corners of a triangle on the picture, and their values from 0 to LEVELS. */
static Polygon corners(const Drawing *d, const CrFilmTriangle *triangle)
{
  const CrFilm *film = d->scene->film;
  const float *field = d->field < 0 ? NULL : film->field[d->field] + d->scene->frame * film->nnodes;
  Polygon      p = {.n = 3};
  PetscReal    q[3];

  for (int i = 0; i < 3; i++) {
    CrCameraSee(&d->camera, d->scene->x + 3 * triangle->nodes[i], q);
    p.x[i][0] = q[0];
    p.x[i][1] = q[1];
    if (field)
      p.v[i] =
          LEVELS * ((PetscReal)field[triangle->nodes[i]] - d->least) / (d->greatest - d->least);
  }
  return p;
}

static void fill(Drawing *d, Polygon *p, const CrColour colour)
{
  if (p->n > 2) d->sheet.ops->area(&d->sheet, p->n, p->x, colour);
}

/* States of contact do not blend: each corner has the part of the triangle that is nearest to it. */
static void fill_parts(Drawing *d, const Polygon *p)
{
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Polygon   part = {.n = 4};

    for (int c = 0; c < 2; c++) {
      part.x[0][c] = p->x[i][c];
      part.x[1][c] = 0.5 * (p->x[i][c] + p->x[j][c]);
      part.x[2][c] = (p->x[0][c] + p->x[1][c] + p->x[2][c]) / 3;
      part.x[3][c] = 0.5 * (p->x[i][c] + p->x[k][c]);
    }
    fill(d, &part, CrStatusColours[(int)PetscClipInterval(3 * p->v[i] / LEVELS + 0.5, 0, 3)]);
  }
}

static PetscBool is_area(const CrFilmTriangle *t)
{
  return t->nodes[0] != t->nodes[2] && t->nodes[1] != t->nodes[2] ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool has_values(const Polygon *p)
{
  return isfinite(p->v[0]) && isfinite(p->v[1]) && isfinite(p->v[2]) ? PETSC_TRUE : PETSC_FALSE;
}

/* What of a triangle lies in a level or above it: higher levels are drawn over it later, so that no seam shows between
   them. Values beyond the scale belong to its ends. */
static void fill_level(Drawing *d, const Polygon *p, PetscInt level)
{
  const PetscReal least = PetscMin(p->v[0], PetscMin(p->v[1], p->v[2]));
  const PetscReal greatest = PetscMax(p->v[0], PetscMax(p->v[1], p->v[2]));
  const PetscReal low = level ? (PetscReal)level : -PETSC_MAX_REAL;
  const PetscReal high = level < LEVELS - 1 ? (PetscReal)(level + 1) : PETSC_MAX_REAL;
  Polygon         band = *p;

  if (greatest < low || least > high || (greatest == low && least < low)) return;
  if (least < low) band = cut(&band, low);
  fill(d, &band, d->map[(CR_MAP_SIZE - 1) * (2 * level + 1) / (2 * LEVELS)]);
}

static void fill_body(Drawing *d, const CrFilmTriangle *triangle, Polygon *p)
{
  if (d->field < 0)
    fill(d, p, CrPaleColours[triangle->body % 6]);
  else if (!has_values(p))
    fill(d, p, unknown);
  else if (d->field == CR_FILM_STATUS)
    fill_parts(d, p);
}

/* Bodies without extent, and those that are a line. */
static void draw_thin(Drawing *d, const CrFilmTriangle *triangle, Polygon *p)
{
  PetscReal ring[AROUND][2];

  if (triangle->nodes[0] != triangle->nodes[2]) {
    d->sheet.ops->path(&d->sheet, 2, p->x, 2 * d->unit, ink, 1);
    return;
  }
  for (int rim = 1; rim >= 0; rim--) {
    for (int k = 0; k < AROUND; k++) {
      const PetscReal t = 2 * PETSC_PI * k / AROUND, r = (rim ? 6.5 : 5) * d->unit;

      ring[k][0] = p->x[0][0] + r * cos(t);
      ring[k][1] = p->x[0][1] + r * sin(t);
    }
    d->sheet.ops->area(&d->sheet, AROUND, ring, rim ? ink : CrPaleColours[triangle->body % 6]);
  }
}

static void draw_sides(Drawing *d, PetscReal opacity)
{
  const CrFilm *film = d->scene->film;

  for (PetscInt k = 0; k < film->ntriangles; k++) {
    const CrFilmTriangle *t = &film->triangles[k];
    const Polygon         p = corners(d, t);

    for (int i = 0; is_area(t) && i < 3; i++) {
      PetscReal line[2][2] = {{p.x[i][0], p.x[i][1]}, {p.x[(i + 1) % 3][0], p.x[(i + 1) % 3][1]}};

      if (t->sides >> i & 1) d->sheet.ops->path(&d->sheet, 2, line, 0.8 * d->unit, ink, opacity);
    }
  }
}

void CrDrawBands(Drawing *d)
{
  const CrFilm   *film = d->scene->film;
  const PetscBool smooth = d->field >= 0 && d->field != CR_FILM_STATUS;
  const PetscReal shown = PetscClipInterval((CrMeanSide(d) / d->unit - 2.5) / 9, 0, 1);

  for (PetscInt k = 0; k < film->ntriangles; k++) {
    Polygon p = corners(d, &film->triangles[k]);

    if (is_area(&film->triangles[k])) fill_body(d, &film->triangles[k], &p);
  }
  for (PetscInt level = 0; smooth && level < LEVELS; level++)
    for (PetscInt k = 0; k < film->ntriangles; k++) {
      const Polygon p = corners(d, &film->triangles[k]);

      if (is_area(&film->triangles[k]) && has_values(&p)) fill_level(d, &p, level);
    }
  if (d->asked->mesh && shown > 0) draw_sides(d, 0.42 * shown);
  for (PetscInt k = 0; k < film->ntriangles; k++) {
    Polygon p = corners(d, &film->triangles[k]);

    if (!is_area(&film->triangles[k])) draw_thin(d, &film->triangles[k], &p);
  }
}
