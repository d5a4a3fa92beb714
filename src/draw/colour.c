/* Colours. */
#include "draw/internal.h"

/* A path through the perceptual space of the kind of "viridis": brightness rises evenly from dark
   blue-violet over teal and green to yellow. Support points, mixed linearly between. */
void CrMapFill(CrColour map[CR_MAP_SIZE])
{
  static const CrColour points[] = {{68, 1, 84},    {71, 45, 123},  {59, 82, 139},
                                    {44, 114, 142}, {33, 144, 140}, {39, 173, 129},
                                    {93, 200, 99},  {170, 220, 50}, {253, 231, 37}};
  const int             n        = (int)(sizeof points / sizeof points[0]) - 1;

  for (int k = 0; k < CR_MAP_SIZE; k++) {
    PetscReal s = (PetscReal)k * n / (CR_MAP_SIZE - 1);
    int       j = PetscMin((int)s, n - 1);

    for (int i = 0; i < 3; i++)
      map[k][i] = (unsigned char)(points[j][i] + (s - j) * (points[j + 1][i] - points[j][i]) + 0.5);
  }
}

const CrColour CrPaleColours[6] = {{152, 196, 224}, {240, 200, 130}, {150, 208, 180},
                                   {228, 176, 200}, {236, 226, 130}, {200, 200, 200}};

/* open, sticking, slipping, pressed without friction */
const CrColour CrStatusColours[4] = {{222, 222, 222}, {0, 114, 178}, {213, 94, 0}, {0, 158, 115}};

/* Okabe and Ito's set, the dark ones first */
const char *const CrCurveColours[8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#000000", "#56b4e9", "#8a8a8a"};
const char *const CrCurveDashes[8]  = {"",     "7 3", "2 2.5",       "9 3 2 3",
                                       "12 4", "",    "5 2 1 2 1 2", "4 4"};
