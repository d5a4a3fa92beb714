/* The keys of `mesh:` and of the kinds of mesh under it. */
#include "mesh/internal.h"

#define TYPES "T3|Q4|T6|Q8|Q9|T4|H8|T10"

static const CrKey block_keys[] = {
    {.name = "from", .types = CR_REALS | CR_MUST, .help = "corner with the lowest coordinates"},
    {.name = "to", .types = CR_REALS | CR_MUST, .help = "corner with the highest coordinates"},
    {.name = "elements",
     .types = CR_REALS | CR_MUST,
     .range = "[1,inf)",
     .help = "elements per direction"},
    {.name = "type", .types = CR_WORD, .words = TYPES, .help = "element type; Q4 in 2D, H8 in 3D"},
    {.name = "grading",
     .types = CR_REALS,
     .range = "(0,inf)",
     .help = "last over first element size, per direction"},
    {0},
};

static const CrKey quad_keys[] = {
    {.name = "corners", .types = CR_MATRIX | CR_MUST, .help = "four points, counter-clockwise"},
    {.name = "elements",
     .types = CR_REALS | CR_MUST,
     .range = "[1,inf)",
     .help = "elements along corners 1-2 and 2-3"},
    {.name = "type", .types = CR_WORD, .words = TYPES, .help = "element type; default Q4"},
    {.name = "grading",
     .types = CR_REALS,
     .range = "(0,inf)",
     .help = "last over first element size, per direction"},
    {0},
};

static const CrKey hex_keys[] = {
    {.name = "corners",
     .types = CR_MATRIX | CR_MUST,
     .help = "eight points in the order of VTK's hexahedron"},
    {.name = "elements",
     .types = CR_REALS | CR_MUST,
     .range = "[1,inf)",
     .help = "elements per direction"},
    {.name = "type", .types = CR_WORD, .words = TYPES, .help = "element type; default H8"},
    {.name = "grading",
     .types = CR_REALS,
     .range = "(0,inf)",
     .help = "last over first element size, per direction"},
    {0},
};

static const CrKey disc_keys[] = {
    {.name = "center", .types = CR_REALS, .help = "default: the origin"},
    {.name = "radius",
     .types = CR_REAL | CR_MUST,
     .range = "(0,inf)",
     .help = "radius of the disc"},
    {.name = "core",
     .types = CR_INTEGER | CR_MUST,
     .range = "[1,inf)",
     .help = "the core has this number squared of quads"},
    {.name = "rings",
     .types = CR_INTEGER | CR_MUST,
     .range = "[1,inf)",
     .help = "rings of quads around the core"},
    {0},
};

static const CrKey ring_keys[] = {
    {.name = "center", .types = CR_REALS, .help = "default: the origin"},
    {.name = "radius", .types = CR_REAL | CR_MUST, .range = "(0,inf)", .help = "outer radius"},
    {.name = "thickness",
     .types = CR_REAL | CR_MUST,
     .range = "(0,inf)",
     .help = "outer minus inner radius"},
    {.name = "around",
     .types = CR_INTEGER | CR_MUST,
     .range = "[3,inf)",
     .help = "quads around; the first node is at angle 0"},
    {.name = "across",
     .types = CR_INTEGER | CR_MUST,
     .range = "[1,inf)",
     .help = "quads through the thickness"},
    {0},
};

static const CrKey ball_keys[] = {
    {.name = "center", .types = CR_REALS, .help = "default: the origin"},
    {.name = "radius",
     .types = CR_REAL | CR_MUST,
     .range = "(0,inf)",
     .help = "radius of the ball"},
    {.name = "elements",
     .types = CR_INTEGER | CR_MUST,
     .range = "[1,inf)",
     .help = "elements across, per direction"},
    {0},
};

const CrKey CrMeshKeys[] = {
    {.name = "block", .types = CR_MAP, .keys = block_keys, .help = "box along the axes"},
    {.name = "quad",
     .types = CR_MAP,
     .keys = quad_keys,
     .help = "grid mapped to a quadrilateral (2D)"},
    {.name = "hex", .types = CR_MAP, .keys = hex_keys, .help = "grid mapped to a hexahedron (3D)"},
    {.name = "disc",
     .types = CR_MAP,
     .keys = disc_keys,
     .help = "disc: square core, then rings (2D)"},
    {.name = "ring", .types = CR_MAP, .keys = ring_keys, .help = "ring of quads (2D)"},
    {.name = "ball",
     .types = CR_MAP,
     .keys = ball_keys,
     .help = "square or cube mapped to a disc or ball"},
    {.name = "file", .types = CR_TEXT, .help = "Gmsh file, 2.2 or 4.1; path relative to the deck"},
    {0},
};
