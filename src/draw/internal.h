/* What the files of this folder share. Pixels: x to the right, y down, the centre of the first one
   at (0.5, 0.5). */
#pragma once

#include "draw/draw.h"

typedef unsigned char CrColour[3];

/* ---- images (image.c, palette.c) -------------------------------------------------------------- */

typedef struct {
  PetscInt  width, height;
  CrColour *pixels; /* row by row, owned */
} CrImage;

PetscErrorCode CrImageCreate(PetscInt width, PetscInt height, const CrColour paper, CrImage *image);
PetscErrorCode CrImageDestroy(CrImage *image);
/* small: in 256 colours, half of the bytes and less. */
PetscErrorCode CrImageWritePng(const CrImage *image, PetscBool small, const char path[]);
/* index: [width*height] of the n colours (palette.c). */
PetscErrorCode CrPaletteMake(const CrImage *image, PetscInt *n, CrColour palette[256],
                             unsigned char *index);

/* ---- ink on an image: smooth lines and letters (ink.c, font.c) ----------------------------- */

/* A path of n points, drawn in one go, so that joints are not darker. */
void CrInkPath(CrImage *image, PetscInt n, PetscReal points[][2], PetscReal width,
               const CrColour colour);
void CrInkBox(CrImage *image, PetscReal x0, PetscReal y0, PetscReal x1, PetscReal y1,
              const CrColour colour);
/* size: height of a capital. align: 0 left, 0.5 middle, 1 right of x. y: of the base line. */
void      CrInkText(CrImage *image, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
                    const CrColour colour, const char text[]);
PetscReal CrInkTextWidth(PetscReal size, const char text[]);

/* Strokes of a character in units of 1/12 of a capital's height, y up, base line at 4. */
typedef struct {
  const char *strokes; /* font.c says how */
  PetscInt    width;
} CrGlyph;

const CrGlyph *CrGlyphFind(unsigned char character);

/* ---- colours (colour.c) ------------------------------------------------------------------- */

#define CR_MAP_SIZE 256

/* From dark blue over green to yellow: as bright as the value is great, also in print. */
void CrMapFill(CrColour map[CR_MAP_SIZE]);
/* Of bodies and kinds, told apart by the colour-blind too; pale ones for large areas. */
extern const CrColour CrPaleColours[6], CrStatusColours[4];
/* Of curves, for SVG. */
extern const char *const CrCurveColours[8], *const CrCurveDashes[8];

/* ---- axes (ticks.c) ----------------------------------------------------------------------- */

#define CR_MAX_TICKS 12

/* Round numbers of [least, greatest]; labels are values / 10^exponent. */
typedef struct {
  PetscInt  n, exponent, decimals;
  PetscReal least, greatest, values[CR_MAX_TICKS];
} CrTicks;

/* At most `most` ticks. widen: the ends become ticks too. */
CrTicks CrTicksMake(PetscReal least, PetscReal greatest, PetscInt most, PetscBool widen);
void    CrTickLabel(const CrTicks *ticks, PetscInt k, char label[32]);

/* ---- the z-buffer (canvas.c) -------------------------------------------------------------- */

/* Finer than the image by `factor` in each direction. Positions are in pixels of the image, the
   third one towards the viewer. */
typedef struct {
  PetscInt  width, height, factor; /* of the image */
  CrColour *colour;                /* owned */
  float    *depth;                 /* owned */
} CrCanvas;

/* How a triangle is filled. */
typedef struct {
  const unsigned char *map;     /* colours, CR_MAP_SIZE of them, or one colour if value is NULL */
  const float         *value;   /* [3] of the corners, 0 to 1; NaN: grey */
  PetscBool            nearest; /* kinds: the value of the nearest corner, no mixture */
  PetscReal            light;
  unsigned             sides;     /* bit i: the side from corner i to the next is drawn */
  PetscReal            side_half; /* half of its width */
  PetscReal            side_ink;  /* how dark, 0 to 1 */
} CrFill;

PetscErrorCode CrCanvasCreate(PetscInt width, PetscInt height, PetscInt factor,
                              const CrColour paper, CrCanvas *canvas);
PetscErrorCode CrCanvasDestroy(CrCanvas *canvas);
void           CrCanvasTriangle(CrCanvas *canvas, PetscReal p[3][3], const CrFill *fill);
/* A line where nothing stands before it by more than `bias`. */
void CrCanvasLine(CrCanvas *canvas, const PetscReal a[3], const PetscReal b[3], PetscReal width,
                  PetscReal bias, const CrColour colour);
/* The mean of the finer pixels. */
PetscErrorCode CrCanvasResolve(const CrCanvas *canvas, CrImage *image);

/* ---- the camera (camera.c) ---------------------------------------------------------------- */

typedef struct {
  PetscReal right[3], up[3], towards[3]; /* unit vectors; towards: the viewer */
  PetscReal scale, centre[2];            /* pixels per length; in the picture plane */
  PetscReal middle[2];                   /* pixel of the centre */
} CrCamera;

/* Takes a view by name or angles; up: the upright axis; *known false: there is no such view. */
CrCamera CrCameraMake(const char view[], PetscInt up, PetscBool *known);
/* Fits a box of the picture plane (least x, y, greatest x, y) into a box of the image. */
void CrCameraFit(CrCamera *camera, const PetscReal box[4], const PetscReal into[4]);
void CrCameraSee(const CrCamera *camera, const PetscReal x[3], PetscReal p[3]);
/* In the picture plane, in lengths. */
void CrCameraPlane(const CrCamera *camera, const PetscReal x[3], PetscReal p[2]);
