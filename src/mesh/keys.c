/* The keys of `mesh:` and of the kinds of mesh under it. */
#include "mesh/internal.h"

/* One row, one line. */
/* clang-format off */
#define TYPES "T3|Q4|T6|Q8|Q9|T4|H8|T10"

static const CrKey block_keys[] = {
    {"from", CR_REALS | CR_MUST, .help = "corner with the lowest coordinates"},
    {"to", CR_REALS | CR_MUST, .help = "corner with the highest coordinates"},
    {"elements", CR_REALS | CR_MUST, .range = "[1,inf)", .help = "number of elements in each direction"},
    {"type", CR_WORD, .words = TYPES, .help = "element type; Q4 in 2D, H8 in 3D"},
    {"grading", CR_REALS, .range = "(0,inf)",
     .help = "for each direction, size of the last element divided by size of the first"},
    {0},
};

static const CrKey quad_keys[] = {
    {"corners", CR_MATRIX | CR_MUST, .help = "corners of the quadrilateral: four points, counter-clockwise"},
    {"elements", CR_REALS | CR_MUST, .range = "[1,inf)",
     .help = "number of elements along the side from corner 1 to corner 2, and from corner 2 to corner 3"},
    {"type", CR_WORD, .words = TYPES, .help = "element type; default Q4"},
    {"grading", CR_REALS, .range = "(0,inf)",
     .help = "for each direction, size of the last element divided by size of the first"},
    {0},
};

static const CrKey hex_keys[] = {
    {"corners", CR_MATRIX | CR_MUST, .help = "corners of the hexahedron: eight points in VTK's order"},
    {"elements", CR_REALS | CR_MUST, .range = "[1,inf)", .help = "number of elements in each direction"},
    {"type", CR_WORD, .words = TYPES, .help = "element type; default H8"},
    {"grading", CR_REALS, .range = "(0,inf)",
     .help = "for each direction, size of the last element divided by size of the first"},
    {0},
};

static const CrKey disc_keys[] = {
    {"center", CR_REALS, .help = "centre of the mesh; default: the origin"},
    {"radius", CR_REAL | CR_MUST, .range = "(0,inf)", .help = "radius of the disc"},
    {"core", CR_INTEGER | CR_MUST, .range = "[1,inf)",
     .help = "number of elements along a side of the square core"},
    {"rings", CR_INTEGER | CR_MUST, .range = "[1,inf)", .help = "number of rings of elements around the core"},
    {0},
};

static const CrKey ring_keys[] = {
    {"center", CR_REALS, .help = "centre of the mesh; default: the origin"},
    {"radius", CR_REAL | CR_MUST, .range = "(0,inf)", .help = "outer radius"},
    {"thickness", CR_REAL | CR_MUST, .range = "(0,inf)", .help = "outer minus inner radius"},
    {"around", CR_INTEGER | CR_MUST, .range = "[3,inf)",
     .help = "number of elements around the ring; the first node is at angle 0"},
    {"across", CR_INTEGER | CR_MUST, .range = "[1,inf)", .help = "number of elements through the thickness"},
    {0},
};

static const CrKey ball_keys[] = {
    {"center", CR_REALS, .help = "centre of the mesh; default: the origin"},
    {"radius", CR_REAL | CR_MUST, .range = "(0,inf)", .help = "radius of the ball"},
    {"elements", CR_INTEGER | CR_MUST, .range = "[1,inf)",
     .help = "number of elements across the body, per direction"},
    {0},
};

const CrKey CrMeshKeys[] = {
    {"block", CR_MAP, .keys = block_keys, .help = "box with edges parallel to the axes"},
    {"quad", CR_MAP, .keys = quad_keys, .help = "regular mesh mapped to a quadrilateral (2D)"},
    {"hex", CR_MAP, .keys = hex_keys, .help = "regular mesh mapped to a hexahedron (3D)"},
    {"disc", CR_MAP, .keys = disc_keys, .help = "disc with a square core and rings of elements around it (2D)"},
    {"ring", CR_MAP, .keys = ring_keys, .help = "ring of quadrilateral elements (2D)"},
    {"ball", CR_MAP, .keys = ball_keys, .help = "square or cube mapped to a disc or ball"},
    {"file", CR_TEXT, .help = "Gmsh file, 2.2 or 4.1; path relative to the deck"},
    {"refine", CR_INTEGER, .range = "[0,8]",
     .help = "how many times every element is halved in each direction; default 0"},
    {0},
};
