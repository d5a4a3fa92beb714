/* Drawing: files that another reader understands, the nearest surface wins, colours where the values
   are, round numbers on axes. */
#include <stdint.h>
#include <unistd.h>
#include <zlib.h>
#include "check.h"
#include "draw/internal.h"

static const CrColour white = {255, 255, 255}, black = {0, 0, 0}, red = {255, 0, 0},
                      blue = {0, 0, 255};

/* ---- PNG: taken apart by the letter of the standard ------------------------------------------ */

static uint32_t word(const unsigned char *b)
{
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static int paeth(int a, int b, int c)
{
  int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

static void unfilter(PetscInt width, PetscInt height, unsigned char *raw)
{
  const PetscInt row = 3 * width;

  for (PetscInt y = 0; y < height; y++)
    for (PetscInt i = 0; i < row; i++) {
      unsigned char *now = raw + (row + 1) * y + 1 + i;
      int            a = i < 3 ? 0 : now[-3], b = y ? now[-(row + 1)] : 0;
      int            c = y && i >= 3 ? now[-(row + 1) - 3] : 0;

      switch (raw[(row + 1) * y]) {
      case 0: break;
      case 1: *now = (unsigned char)(*now + a); break;
      case 2: *now = (unsigned char)(*now + b); break;
      case 3: *now = (unsigned char)(*now + (a + b) / 2); break;
      case 4: *now = (unsigned char)(*now + paeth(a, b, c)); break;
      default: CHECK(!"a filter that exists");
      }
    }
}

static void test_png_holds_the_pixels(void)
{
  const PetscInt       width = 37, height = 23;
  static unsigned char file[65536], raw[8192];
  char                 path[] = "/tmp/carom-draw-XXXXXX";
  CrImage              image;
  uLongf               length = sizeof raw;
  size_t               n, at = 8, wrong = 0;
  FILE                *in;
  int                  data = 0, end = 0;

  close(mkstemp(path));
  CHECK_OK(CrImageCreate(width, height, white, &image));
  for (PetscInt k = 0; k < width * height; k++) /* smooth, with steps and noise */
    for (int i = 0; i < 3; i++)
      image.pixels[k][i] = (unsigned char)(k * (i + 1) / 7 + (k % 11 == 0) * 90 + (k * k) % 5);
  CHECK_OK(CrImageWritePng(&image, PETSC_FALSE, PETSC_FALSE, path));
  in = fopen(path, "rb");
  n = fread(file, 1, sizeof file, in);
  fclose(in);
  CHECK(!memcmp(file, "\x89PNG\r\n\x1a\n", 8));
  while (at + 12 <= n) {
    uint32_t size = word(file + at);

    CHECK(crc32(0, file + at + 4, size + 4) == word(file + at + 8 + size));
    if (!memcmp(file + at + 4, "IHDR", 4)) {
      CHECK(size == 13 && word(file + at + 8) == (uint32_t)width);
      CHECK(word(file + at + 12) == (uint32_t)height);
      CHECK(file[at + 16] == 8 && file[at + 17] == 2); /* 8 bits, true colour */
    }
    if (!memcmp(file + at + 4, "IDAT", 4)) {
      CHECK(uncompress(raw, &length, file + at + 8, size) == Z_OK);
      data++;
    }
    if (!memcmp(file + at + 4, "IEND", 4)) end++;
    at += 12 + size;
  }
  CHECK(at == n && data == 1 && end == 1);
  CHECK(length == (uLongf)((3 * width + 1) * height));
  unfilter(width, height, raw);
  for (PetscInt y = 0; y < height; y++)
    wrong +=
        memcmp(raw + (3 * width + 1) * y + 1, image.pixels[y * width], (size_t)(3 * width)) != 0;
  CHECK(wrong == 0);
  CHECK_OK(CrImageDestroy(&image));
  unlink(path);
}

/* Few colours are kept as they are; of many, each pixel gets one close by. */
static void test_palette_is_near(void)
{
  for (int many = 0; many < 2; many++) {
    static unsigned char index[128 * 64];
    CrColour             palette[256], map[CR_MAP_SIZE];
    CrImage              image;
    PetscInt             n, worst = 0;

    CrMapFill(map);
    CHECK_OK(CrImageCreate(128, 64, white, &image));
    for (PetscInt k = 0; k < 128 * 64; k++)
      for (int i = 0; i < 3; i++) /* few: 60 that lie apart; many: a map at 64 degrees of light */
        image.pixels[k][i] = many ? (unsigned char)(map[2 * (k % 128)][i] * (64 + k / 128) / 128)
                                  : (unsigned char)(k % 60 * 4);
    CHECK_OK(CrPaletteMake(&image, &n, palette, index));
    CHECK(n <= 256 && (many || n == 60));
    for (PetscInt k = 0; k < 128 * 64; k++)
      for (int i = 0; i < 3; i++)
        worst = PetscMax(worst, PetscAbs(palette[index[k]][i] - image.pixels[k][i]));
    CHECK(worst <= (many ? 24 : 0));
    CHECK_OK(CrImageDestroy(&image));
  }
}

/* ---- the z-buffer ---------------------------------------------------------------------------- */

static PetscReal darkness(const CrImage *image)
{
  PetscReal sum = 0;

  for (PetscInt k = 0; k < image->width * image->height; k++) sum += 1 - image->pixels[k][1] / 255.;
  return sum;
}

/* The area of a triangle is the sum of what it covers. */
static void test_triangle_covers_its_area(void)
{
  PetscReal p[3][3] = {{10.3, 12.1, 0}, {91.7, 33.9, 0}, {40.2, 88.8, 0}};
  CrFill    fill = {.map = black, .light = 1};
  CrCanvas  canvas;
  CrImage   image;
  PetscReal area = 0.5 * fabs((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
                              (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]));

  CHECK_OK(CrCanvasCreate(100, 100, 3, white, &canvas));
  CrCanvasTriangle(&canvas, p, &fill);
  CHECK_OK(CrCanvasResolve(&canvas, &image));
  /* the error of counting points: a border of 250 pixels times less than a finer pixel */
  CHECK_NEAR(darkness(&image), area, 0.01 * area);
  CHECK_OK(CrImageDestroy(&image));
  CHECK_OK(CrCanvasDestroy(&canvas));
}

/* Two triangles that pierce each other: left of the middle one is nearer, right of it the other,
   whichever is drawn first. A third far outside of the canvas is harmless. */
static void test_nearest_wins(void)
{
  PetscReal a[3][3] = {{0, 0, -10}, {64, 0, 10}, {32, 64, 0}},
            b[3][3] = {{64, 0, -10}, {0, 0, 10}, {32, 64, 0}},
            c[3][3] = {{-1e7, -3e6, 1}, {-1e7, 5e6, 1}, {-9e6, 0, 1}};
  CrFill fa = {.map = red, .light = 1}, fb = {.map = blue, .light = 1};

  for (int order = 0; order < 2; order++) {
    CrCanvas canvas;
    CrImage  image;

    CHECK_OK(CrCanvasCreate(64, 64, 2, white, &canvas));
    if (order) CrCanvasTriangle(&canvas, a, &fa);
    CrCanvasTriangle(&canvas, b, &fb);
    CrCanvasTriangle(&canvas, c, &fb);
    if (!order) CrCanvasTriangle(&canvas, a, &fa);
    CHECK_OK(CrCanvasResolve(&canvas, &image));
    CHECK(!memcmp(image.pixels[10 * 64 + 20], blue, 3));
    CHECK(!memcmp(image.pixels[10 * 64 + 44], red, 3));
    CHECK(!memcmp(image.pixels[60 * 64 + 2], white, 3));
    CHECK_OK(CrImageDestroy(&image));
    CHECK_OK(CrCanvasDestroy(&canvas));
  }
}

/* A field that grows linearly has at every point the colour of its value there; NaN is grey, and a
   side is darker where it is asked for. */
static void test_colour_is_the_value(void)
{
  CrColour    map[CR_MAP_SIZE];
  PetscReal   p[3][3] = {{0, 0, 0}, {200, 0, 0}, {0, 200, 0}};
  const float value[3] = {0, 1, 0}, none[3] = {NAN, 0, 0};
  CrFill      fill = {
           .map = map[0], .value = value, .light = 1, .sides = 1, .side_half = 2, .side_ink = 0.5};
  CrCanvas canvas;
  CrImage  image;

  CrMapFill(map);
  CHECK_OK(CrCanvasCreate(200, 200, 1, white, &canvas));
  CrCanvasTriangle(&canvas, p, &fill);
  CHECK_OK(CrCanvasResolve(&canvas, &image));
  for (int x = 10; x < 150; x += 23) {
    int k = (int)lround((x + 0.5) / 200 * (CR_MAP_SIZE - 1));

    CHECK(!memcmp(image.pixels[30 * 200 + x], map[k], 3));
    CHECK_NEAR(image.pixels[x][1], 0.5 * map[k][1], 1); /* the side along the upper border */
  }
  CHECK_OK(CrImageDestroy(&image));
  CHECK_OK(CrCanvasDestroy(&canvas));

  fill.value = none;
  CHECK_OK(CrCanvasCreate(200, 200, 1, white, &canvas));
  CrCanvasTriangle(&canvas, p, &fill);
  CHECK(canvas.colour[30 * 200 + 30][0] == canvas.colour[30 * 200 + 30][1] &&
        canvas.colour[30 * 200 + 30][1] == canvas.colour[30 * 200 + 30][2]);
  CHECK_OK(CrCanvasDestroy(&canvas));
}

/* Brighter is more, for eyes that see no colours too. */
static void test_map_brightens(void)
{
  CrColour  map[CR_MAP_SIZE];
  PetscReal before = -1;

  CrMapFill(map);
  for (int k = 0; k < CR_MAP_SIZE; k += 15) {
    PetscReal y = 0.2126 * map[k][0] + 0.7152 * map[k][1] + 0.0722 * map[k][2];

    CHECK(y > before);
    before = y;
  }
}

/* ---- the camera ------------------------------------------------------------------------------ */

static PetscReal dot(const PetscReal a[3], const PetscReal b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void test_cameras_are_frames(void)
{
  static const char *const views[] = {"iso", "front",  "back",      "left",   "right",
                                      "top", "bottom", "-140,33.5", "400,-90"};

  for (size_t k = 0; k < 3 * sizeof views / sizeof views[0]; k++) {
    PetscBool known;
    CrCamera  c = CrCameraMake(views[k / 3], (PetscInt)k % 3, &known);
    PetscReal cross[3];

    CHECK(known);
    for (int i = 0; i < 3; i++)
      cross[i] =
          c.right[(i + 1) % 3] * c.up[(i + 2) % 3] - c.right[(i + 2) % 3] * c.up[(i + 1) % 3];
    CHECK_NEAR(dot(cross, c.towards), 1, 1e-14); /* right-handed: no mirror image */
    CHECK_NEAR(dot(c.right, c.right), 1, 1e-14);
    CHECK_NEAR(dot(c.up, c.up), 1, 1e-14);
    CHECK_NEAR(dot(c.right, c.up), 0, 1e-14);
  }
}

/* From the right one sees +x towards oneself, y to the right, z up; a higher viewer looks down. */
static void test_named_views(void)
{
  PetscBool known;
  CrCamera  c = CrCameraMake("right", 2, &known);

  CHECK_NEAR(c.towards[0], 1, 1e-14);
  CHECK_NEAR(c.right[1], 1, 1e-14);
  CHECK_NEAR(c.up[2], 1, 1e-14);
  c = CrCameraMake("front", 2, &known);
  CHECK_NEAR(c.towards[1], -1, 1e-14);
  CHECK_NEAR(c.right[0], 1, 1e-14);
  c = CrCameraMake("front", 1, &known); /* y is upright */
  CHECK_NEAR(c.up[1], 1, 1e-14);
  CHECK_NEAR(c.right[2], 1, 1e-14);
  c = CrCameraMake("iso", 2, &known);
  CHECK(c.towards[2] > 0 && c.up[2] > 0);
  CrCameraMake("sideways", 2, &known);
  CHECK(!known);
  CrCameraMake("10,20,30", 2, &known);
  CHECK(!known);
  CrCameraMake("10,95", 2, &known);
  CHECK(!known);
}

static void test_fit(void)
{
  const PetscReal box[4] = {-3, 2, 5, 4}, into[4] = {10, 20, 210, 320};
  PetscBool       known;
  CrCamera        c = CrCameraMake("flat", 2, &known);
  PetscReal       p[3];

  CrCameraFit(&c, box, into);
  CHECK_NEAR(c.scale, 25, 1e-12); /* 200 pixels for 8 lengths */
  CrCameraSee(&c, (PetscReal[3]){-3, 3, 0}, p);
  CHECK_NEAR(p[0], 10, 1e-10);
  CHECK_NEAR(p[1], 170, 1e-10);
  CrCameraSee(&c, (PetscReal[3]){5, 4, 0}, p);
  CHECK_NEAR(p[0], 210, 1e-10);
  CHECK_NEAR(p[1], 145, 1e-10); /* y up */
}

/* ---- axes and letters ------------------------------------------------------------------------ */

static void test_ticks(void)
{
  static const PetscReal ranges[][2] = {{0, 1},       {-3.2, 17},   {0, 1e-9}, {-5e12, 2e11},
                                        {1000, 1001}, {0.1, 0.1},   {0, 0},    {-2e-300, 3e-300},
                                        {0, 1e300},   {7e5, 7.1e5}, {-1, -0.2}};

  for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++)
    for (int widen = 0; widen < 2; widen++) {
      CrTicks t = CrTicksMake(ranges[r][0], ranges[r][1], 7, widen != 0);
      char    label[32], before[32] = "";

      CHECK(t.n >= 2 && t.n <= 9);
      CHECK(t.least <= ranges[r][0] && t.greatest >= ranges[r][1]);
      for (PetscInt k = 0; k < t.n; k++) {
        CHECK(t.values[k] >= t.least - 1e-9 * fabs(t.least) &&
              t.values[k] <= t.greatest + 1e-9 * fabs(t.greatest));
        CrTickLabel(&t, k, label);
        CHECK(strcmp(label, before)); /* told apart by their labels */
        CHECK_NEAR(atof(label) * pow(10, (double)t.exponent), t.values[k],
                   1e-9 * PetscMax(fabs(t.least), fabs(t.greatest)));
        strcpy(before, label);
      }
    }
}

/* Every character can be drawn, leaves ink (but the blank), and stays in the room it says it needs. */
static void test_letters(void)
{
  for (int c = 32; c < 127; c++) {
    const char text[2] = {(char)c, 0};
    CrImage    image;
    PetscReal  wide = CrTextWidth(24, text);
    PetscInt   outside = 0;

    CHECK_OK(CrImageCreate(80, 80, white, &image));
    CrInkText(&image, 20, 50, 24, 0, black, text);
    CHECK((darkness(&image) > 3) == (c != ' '));
    for (PetscInt k = 0; k < 80 * 80; k++)
      if (image.pixels[k][0] < 250) {
        PetscReal x = (PetscReal)(k % 80) + 0.5, y = (PetscReal)(k / 80) + 0.5;

        outside += x < 17 || x > 23 + wide || y < 18 || y > 62;
      }
    if (outside) printf("'%c' leaves its room\n", c);
    CHECK(outside == 0);
    CHECK_OK(CrImageDestroy(&image));
  }
  CHECK_NEAR(CrTextWidth(10, "ab") + CrTextWidth(10, "cd"), CrTextWidth(10, "abcd"), 1e-12);
  CHECK_NEAR(CrTextWidth(10, "\u00b5m"), CrTextWidth(10, "\u00b5") + CrTextWidth(10, "m"), 1e-12);
  CHECK_NEAR(CrTextWidth(10, "\xc3("), CrTextWidth(10, "?("), 1e-12); /* broken UTF-8 */
}

/* An area darkens pixels by what it covers of them, so that the sum is the area; in either direction. */
static void test_areas(void)
{
  PetscReal corner[4][2] = {{10.25, 8.5}, {31.75, 12.125}, {25.5, 33.375}, {12, 27.75}};
  PetscReal turned[4][2], area = 0;

  for (int k = 0; k < 4; k++) {
    const PetscReal *a = corner[k], *b = corner[(k + 1) % 4];

    area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
    for (int i = 0; i < 2; i++) turned[k][i] = corner[3 - k][i];
  }
  for (int k = 0; k < 2; k++) {
    CrImage   image;
    PetscReal sum = 0;

    CHECK_OK(CrImageCreate(50, 50, white, &image));
    CrInkArea(&image, 4, k ? turned : corner, black);
    for (PetscInt p = 0; p < 50 * 50; p++) sum += (255 - image.pixels[p][0]) / 255.;
    CHECK_NEAR(sum, area, 0.01 * area);
    CHECK_OK(CrImageDestroy(&image));
  }
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_png_holds_the_pixels();
  test_palette_is_near();
  test_triangle_covers_its_area();
  test_nearest_wins();
  test_colour_is_the_value();
  test_map_brightens();
  test_cameras_are_frames();
  test_named_views();
  test_fit();
  test_ticks();
  test_letters();
  test_areas();
  return check_end();
}
