/* The state of the law `wear` at a point. */
#pragma once

enum {
  WEAR_COUNT,    /* commits */
  WEAR_GREATEST, /* energy density so far */
  WEAR_TIME,     /* sum of step sizes */
  WEAR_CHANGE,   /* sum of changes of the energy density */
  WEAR_SIZE
};
