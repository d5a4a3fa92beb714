/* The colours of pictures. */
#include "draw/internal.h"

/* The map "viridis" as a polynomial, without its darkest end, as the page has it (web/src/colour.js). */
void CrMapFill(CrColour map[CR_MAP_SIZE])
{
  static const PetscReal c[3][7] = {
      {0.2777273272234177, 0.1050930431085774, -0.3308618287255563, -4.634230498983486,
       6.228269936347081, 4.776384997670288, -5.435455855934631},
      {0.005407344544966578, 1.404613529898575, 0.214847559468213, -5.799100973351585,
       14.17993336680509, -13.74514537774601, 4.645852612178535},
      {0.3340998053353061, 1.384590162594685, 0.09509516302823659, -19.33244095627987,
       56.69055260068105, -65.35303263337234, 26.3124352495832}};

  for (int k = 0; k < CR_MAP_SIZE; k++)
    for (int i = 0; i < 3; i++) {
      PetscReal s = 0.22 + 0.78 * k / (CR_MAP_SIZE - 1), sum = 0;

      for (int j = 6; j >= 0; j--) sum = sum * s + c[i][j];
      map[k][i] = (unsigned char)(255 * PetscClipInterval(sum, 0, 1) + 0.5);
    }
}

const CrColour CrPaleColours[6] = {{152, 196, 224}, {240, 200, 130}, {150, 208, 180},
                                   {228, 176, 200}, {236, 226, 130}, {200, 200, 200}};

/* open, sticking, slipping, pressed without friction */
const CrColour CrStatusColours[4] = {{201, 206, 214}, {0, 114, 178}, {213, 94, 0}, {230, 184, 0}};

/* Okabe and Ito's set, the dark ones first */
const char *const CrCurveColours[8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#000000", "#56b4e9", "#8a8a8a"};
const char *const CrCurveDashes[8] = {"",     "7 3", "2 2.5",       "9 3 2 3",
                                      "12 4", "",    "5 2 1 2 1 2", "4 4"};
