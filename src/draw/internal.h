/* Declarations that the files of this folder share. In an image x goes to the right and y down; the centre of the first
   pixel is (0.5, 0.5). */
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
/* Writes a PNG file. If `small`, it has 256 colours and at most half the size. If `brief`, it is compressed fast, but
   less. */
PetscErrorCode CrImageWritePng(const CrImage *image, PetscBool small, PetscBool brief,
                               const char path[]);
/* Divides a path into its folder, which is stored in `dir`, and a file name, which is returned. */
const char *CrPathSplit(const char path[], char dir[PETSC_MAX_PATH_LEN]);
/* Chooses *n colours, at most 256, that represent an image (palette.c). index[width*height] gets the number of the
   palette colour of each pixel. */
PetscErrorCode CrPaletteMake(const CrImage *image, PetscInt *n, CrColour palette[256],
                             unsigned char *index);

/* ---- letters (font.c) ------------------------------------------------------------------------ */

/* Texts are UTF-8. A size is the height of a capital letter, and y is the height of the base line. `align` is the point
   of the text at x: 0 its left end, 0.5 its middle, 1 its right end. */
PetscReal CrTextWidth(PetscReal size, const char text[]);
/* Copies the first letter of a text, and returns the rest of the text. */
const char *CrTextLetter(const char text[], char letter[8]);
/* A function that receives one piece of a letter's outline. `letter` is M for a new contour that begins at p[0], L for
   a line to p[0], Q for a parabola to p[1] with control point p[0]. Contours are closed. */
typedef void CrTrace(void *ctx, char letter, PetscReal p[2][2]);
void CrTextTrace(PetscReal x, PetscReal y, PetscReal size, PetscReal align, const char text[],
                 CrTrace *trace, void *ctx);
/* Writes a power of ten as text: "10" with its raised exponent. */
void CrPowerText(PetscInt exponent, char text[48]);

/* ---- ink on an image: smooth lines, areas, letters (ink.c) ----------------------------------- */

/* Draws a polyline through n points. If the opacity is below 1, overlapping ends of two segments are not drawn
   darker. */
void CrInkPath(CrImage *image, PetscInt n, PetscReal points[][2], PetscReal width,
               const CrColour colour, PetscReal opacity);
void CrInkArea(CrImage *image, PetscInt n, PetscReal points[][2], const CrColour colour);
void CrInkText(CrImage *image, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
               const CrColour colour, const char text[]);

/* ---- colours (colour.c) ------------------------------------------------------------------- */

#define CR_MAP_SIZE 256

/* Fills the colour map, from dark blue over green to yellow. Greater values are brighter, in grey print too. */
void CrMapFill(CrColour map[CR_MAP_SIZE]);
/* Colours of bodies (pale, for large areas) and of contact states. Colour-blind people can distinguish them. */
extern const CrColour CrPaleColours[6], CrStatusColours[4];
/* Colours and dashes of curves, for SVG. */
extern const char *const CrCurveColours[8], *const CrCurveDashes[8];

/* ---- axes (ticks.c) ----------------------------------------------------------------------- */

#define CR_MAX_TICKS 12

/* Ticks of an axis at round numbers in [least, greatest]. Labels show values / 10^exponent. */
typedef struct {
  PetscInt  n, exponent, decimals;
  PetscReal least, greatest, values[CR_MAX_TICKS];
} CrTicks;

/* Makes at most `most` ticks. If `widen`, the axis is extended so that both its ends are ticks. */
CrTicks CrTicksMake(PetscReal least, PetscReal greatest, PetscInt most, PetscBool widen);
void    CrTickLabel(const CrTicks *ticks, PetscInt k, char label[32]);

/* ---- the z-buffer (canvas.c) -------------------------------------------------------------- */

/* The canvas has `factor` times as many pixels as the image in each direction. Positions are in pixels of the
   image; the third coordinate points towards the viewer. */
typedef struct {
  PetscInt  width, height, factor; /* size of the image, and factor of the canvas */
  CrColour *colour;                /* owned */
  float    *depth;                 /* owned */
} CrCanvas;

/* States how a triangle is filled. */
typedef struct {
  const unsigned char *map;     /* CR_MAP_SIZE colours; if `value` is NULL: one colour */
  const float         *value;   /* [3] values at the corners, 0 to 1; NaN: grey */
  PetscBool            nearest; /* use the value of the nearest corner, without interpolation */
  PetscReal            light;
  unsigned             sides;     /* bit i: the side from corner i to the next is drawn */
  PetscReal            side_half; /* half the width of drawn sides */
  PetscReal            side_ink;  /* darkness of drawn sides, 0 to 1 */
} CrFill;

PetscErrorCode CrCanvasCreate(PetscInt width, PetscInt height, PetscInt factor,
                              const CrColour paper, CrCanvas *canvas);
PetscErrorCode CrCanvasDestroy(CrCanvas *canvas);
void           CrCanvasTriangle(CrCanvas *canvas, PetscReal p[3][3], const CrFill *fill);
/* Draws a line, except where triangles are nearer to the viewer by more than `bias`. */
void CrCanvasLine(CrCanvas *canvas, const PetscReal a[3], const PetscReal b[3], PetscReal width,
                  PetscReal bias, const CrColour colour);
/* Makes the image: each pixel is the mean of the canvas pixels in it. */
PetscErrorCode CrCanvasResolve(const CrCanvas *canvas, CrImage *image);

/* ---- the camera (camera.c) ---------------------------------------------------------------- */

typedef struct {
  PetscReal right[3], up[3], towards[3]; /* unit vectors; `towards` points to the viewer */
  PetscReal scale, centre[2]; /* pixels per length; centre of the view in the picture plane */
  PetscReal middle[2];        /* pixel at which the centre is drawn */
} CrCamera;

/* Returns a camera for a view, given by its name or by angles. `up` is the coordinate axis that points upwards. *known
   is false if no view has this name. */
CrCamera CrCameraMake(const char view[], PetscInt up, PetscBool *known);
/* Fits a box of the picture plane (least x, y, greatest x, y) into a box of the image. */
void CrCameraFit(CrCamera *camera, const PetscReal box[4], const PetscReal into[4]);
/* Computes the pixel position p of a point x, with its depth. */
void CrCameraSee(const CrCamera *camera, const PetscReal x[3], PetscReal p[3]);
/* Computes the coordinates p of a point x in the picture plane, as lengths. */
void CrCameraPlane(const CrCamera *camera, const PetscReal x[3], PetscReal p[2]);
