/* Declares the types and functions that the files of src/draw share: images, letters, colours, axes, the z-buffer and
   the camera. In an image x points to the right and y down. The centre of the first pixel is (0.5, 0.5). */
#pragma once

#include "draw/draw.h"

typedef unsigned char CrColour[3];

/* ---- images (image.c, palette.c) -------------------------------------------------------------- */

typedef struct {
  PetscInt  width, height;
  CrColour *pixels; /* [height][width] pixels, row by row; owned */
} CrImage;

PetscErrorCode CrImageCreate(PetscInt width, PetscInt height, const CrColour paper, CrImage *image);
PetscErrorCode CrImageDestroy(CrImage *image);
/* Writes an image as a PNG file. If `small` is true, the file has 256 colours and at most half the size. If `brief` is
   true, it is compressed faster, but less. */
PetscErrorCode CrImageWritePng(const CrImage *image, PetscBool small, PetscBool brief,
                               const char path[]);
/* Divides a path into folder and file name. Stores the folder in `dir`, and returns the file name. */
const char *CrPathSplit(const char path[], char dir[PETSC_MAX_PATH_LEN]);
/* Chooses *n colours, at most 256, that represent an image, and stores them in `palette` (palette.c). For each pixel,
   the array index[width*height] gets the number of its colour in the palette. */
PetscErrorCode CrPaletteMake(const CrImage *image, PetscInt *n, CrColour palette[256],
                             unsigned char *index);

/* ---- letters (font.c) ------------------------------------------------------------------------ */

/* Returns the width of a text in pixels. In all functions below, texts are UTF-8, and `size` is the height of a capital
   letter. y is the position of the base line. `align` says which point of the text is at x: 0 its left end, 0.5 its
   middle, 1 its right end. */
PetscReal CrTextWidth(PetscReal size, const char text[]);
/* Copies the first letter of a UTF-8 text to `letter`, and returns a pointer to the rest of the text. */
const char *CrTextLetter(const char text[], char letter[8]);
/* A CrTrace is a function that receives one piece of a letter's outline. `letter` is M for a new contour that begins at
   p[0]. `letter` is L for a line to p[0], and Q for a parabola to p[1] with control point p[0]. Contours are closed.
   CrTextTrace calls the function `trace` for all pieces of all letters of a text. */
typedef void CrTrace(void *ctx, char letter, PetscReal p[2][2]);
void CrTextTrace(PetscReal x, PetscReal y, PetscReal size, PetscReal align, const char text[],
                 CrTrace *trace, void *ctx);
/* Stores in `text` a power of ten: "10" with a raised exponent. */
void CrPowerText(PetscInt exponent, char text[48]);

/* ---- ink on an image: smooth lines, areas, letters (ink.c) ----------------------------------- */

/* Draws a polyline through n points on the image. If the opacity is below 1, the points where two segments overlap are
   not darker than the rest. */
void CrInkPath(CrImage *image, PetscInt n, PetscReal points[][2], PetscReal width,
               const CrColour colour, PetscReal opacity);
void CrInkArea(CrImage *image, PetscInt n, PetscReal points[][2], const CrColour colour);
void CrInkText(CrImage *image, PetscReal x, PetscReal y, PetscReal size, PetscReal align,
               const CrColour colour, const char text[]);

/* ---- colours (colour.c) ------------------------------------------------------------------- */

#define CR_MAP_SIZE 256

/* Fills the colour map, from dark blue over green to yellow. Greater values have brighter colours, also when printed in
   grey. */
void CrMapFill(CrColour map[CR_MAP_SIZE]);
/* Colours of bodies (pale, for large areas), and colours of contact states. Colour-blind people can distinguish these
   colours. */
extern const CrColour CrPaleColours[6], CrStatusColours[4];
/* Colours and dash patterns of curves in SVG files. */
extern const char *const CrCurveColours[8], *const CrCurveDashes[8];

/* ---- axes (ticks.c) ----------------------------------------------------------------------- */

#define CR_MAX_TICKS 12

/* The ticks of an axis, at round numbers from `least` to `greatest`. The labels show values / 10^exponent, with
   `decimals` decimals. */
typedef struct {
  PetscInt  n, exponent, decimals;
  PetscReal least, greatest, values[CR_MAX_TICKS];
} CrTicks;

/* Returns at most `most` ticks for an axis from `least` to `greatest`. If `widen` is true, the axis is extended so that
   both its ends are ticks. */
CrTicks CrTicksMake(PetscReal least, PetscReal greatest, PetscInt most, PetscBool widen);
void    CrTickLabel(const CrTicks *ticks, PetscInt k, char label[32]);

/* ---- the z-buffer (canvas.c) -------------------------------------------------------------- */

/* The canvas is a z-buffer with `factor` times as many pixels as the image in each direction. Arguments of the
   functions below are positions in pixels of the image. The third coordinate of a position points towards the
   viewer. */
typedef struct {
  /* size of the image in pixels, and number of canvas pixels per image pixel in each direction */
  PetscInt  width, height, factor;
  CrColour *colour; /* owned */
  float    *depth;  /* owned */
} CrCanvas;

/* Describes how a triangle is filled. */
typedef struct {
  /* colour map of CR_MAP_SIZE colours; if `value` is NULL: one colour */
  const unsigned char *map;
  const float         *value; /* [3] field values at the corners, scaled to 0 to 1; NaN: grey */
  PetscBool nearest;          /* true: use the value of the nearest corner, without interpolation */
  PetscReal light;
  unsigned  sides;     /* bit i: the side from corner i to the next corner is drawn */
  PetscReal side_half; /* half the line width of drawn sides, in pixels */
  PetscReal side_ink;  /* darkness of drawn sides, 0 to 1 */
} CrFill;

PetscErrorCode CrCanvasCreate(PetscInt width, PetscInt height, PetscInt factor,
                              const CrColour paper, CrCanvas *canvas);
PetscErrorCode CrCanvasDestroy(CrCanvas *canvas);
void           CrCanvasTriangle(CrCanvas *canvas, PetscReal p[3][3], const CrFill *fill);
/* Draws a line from a to b, except where a triangle is nearer to the viewer than the line by more than `bias`. */
void CrCanvasLine(CrCanvas *canvas, const PetscReal a[3], const PetscReal b[3], PetscReal width,
                  PetscReal bias, const CrColour colour);
/* Makes the image from the canvas: the colour of each image pixel is the mean of its canvas pixels. */
PetscErrorCode CrCanvasResolve(const CrCanvas *canvas, CrImage *image);

/* ---- the camera (camera.c) ---------------------------------------------------------------- */

typedef struct {
  /* unit vectors in space; `towards` points to the viewer */
  PetscReal right[3], up[3], towards[3];
  /* scale in pixels per unit of length; centre of the view, in coordinates of the picture plane */
  PetscReal scale, centre[2];
  PetscReal middle[2]; /* pixel position at which this centre is drawn */
} CrCamera;

/* Returns a camera for a viewing direction. `view` is the name of the direction, or two angles. `up` is the coordinate
   axis that points upwards. *known is false if no direction has this name. */
CrCamera CrCameraMake(const char view[], PetscInt up, PetscBool *known);
/* Sets scale and centre of the camera so that a box of the picture plane fits into a box of the image. Both boxes are
   given as least x, least y, greatest x, greatest y. */
void CrCameraFit(CrCamera *camera, const PetscReal box[4], const PetscReal into[4]);
/* Computes for a point x in space the pixel position p[0], p[1] and the depth p[2]. */
void CrCameraSee(const CrCamera *camera, const PetscReal x[3], PetscReal p[3]);
/* Computes the coordinates p of a point x in the picture plane, in units of length. */
void CrCameraPlane(const CrCamera *camera, const PetscReal x[3], PetscReal p[2]);
