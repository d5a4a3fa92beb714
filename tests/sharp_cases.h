/* Rigid bodies with sharp corners and edges beside deformable ones, as decks for the tests of several methods. */
#pragma once

#include "rigid_cases.h"

#define BAR                                                                                        \
  "  - {name: bar, rigid: {box: {size: [3, 0.5, 0.5]}, density: 1}, position: [0.07, 0.03, "       \
  "0.7171], angle: 45, axis: [1, 0, 0], velocity: %s}\n"
#define RAIL(elements)                                                                             \
  "dimension: 3\nmaterials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, "   \
  "density: 1}]\nbodies:\n"                                                                        \
  "  - {name: rail, material: m, mass: consistent, angle: 45, axis: [0, 1, 0], mesh: {block: "     \
  "{from: [-0.25, -1.5, -0.25], to: [0.25, 1.5, 0.25], elements: " elements "}}}\n"

static const RigidCase sharp_cases[] = {
    {"edge across an edge",
     RAIL("[1, 3, 1]") "  - {name: bar, rigid: {box: {size: [3, 0.5, 0.5]}, density: 1}, position: "
                       "[0.07, 0.03, 0.7171], angle: 45, axis: [1, 0, 0], velocity: [0.5, 0.3, "
                       "-1]}\ncontact: [{between: [rail, bar]%s}]\n",
     0.01, 40, 0.8, 0.3, 0, 0, 0},
    {"edge slides along the edges of a mesh",
     RAIL("[1, 7, 1]") "  - {name: bar, rigid: {box: {size: [3, 0.5, 0.5]}, density: 1}, position: "
                       "[0.07, -0.3, 0.7171], angle: 45, axis: [1, 0, 0], velocity: [0.3, 3, "
                       "-1]}\ncontact: [{between: [rail, bar]%s}]\n",
     0.01, 40, 2.4, 0.8, 0, 0, 0},
    {"corner of a box on a coarse facet",
     SPACE(SOFT, "[1, 1, 1]") "  - {name: box, rigid: {box: {size: [0.4, 0.4, 0.4]}, density: 5}, "
                              "position: [0.2, 0.1, 0.36], angle: 54.7356, axis: [1, 1, 0], "
                              "velocity: [0.7, 0.2, -1.5], spin: [0.5, -1, 1]}\n"
                              "contact: [{between: [box, block]%s}]\n",
     0.004, 75, 0.5, 0.3, 0, 0, 0},
    {"corner of a hull on a fine mesh",
     SPACE(SOFT, "[7, 7, 2]") "  - {name: gem, rigid: {hull: {points: [[0, 0, -0.4], [0.4, 0, 0], "
                              "[-0.4, 0, 0], [0, 0.4, 0], [0, -0.4, 0], [0, 0, 0.4]]}, density: "
                              "5}, position: [0.1, 0.05, 0.41], velocity: [1, 0.3, -1.5], spin: "
                              "[0.5, -1, 1]}\ncontact: [{between: [block, gem]%s}]\n",
     0.005, 60, 0.6, 0.3, 0, 0, 0},
    {"corner on a ramp in the plane",
     "dimension: 2\nmaterials: [" FIRM "]\nbodies:\n"
     "  - {name: ramp, material: m, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], "
     "elements: [6, 4]}}}\n"
     "  - {name: tool, rigid: {box: {size: [1, 1]}, density: 3}, position: [3, 0.4], velocity: "
     "[-2, 2]}\ncontact: [{between: [tool, ramp]%s}]\n",
     0.005, 80, 8, 20, 0, 0, 0},
    {"mesh corner on a rigid face, then over its edge",
     "dimension: 2\nmaterials: [" SOFT "]\nbodies:\n"
     "  - {name: block, material: m, angle: 30, position: [0.9, 0.71], velocity: [0.8, -1], mesh: "
     "{block: {from: [-0.5, -0.5], to: [0.5, 0.5], elements: [4, 4]}}}\n"
     "  - {name: table, rigid: {box: {size: [2.6, 0.6]}, density: 8}, position: [0, -0.31]}\n"
     "contact: [{between: [block, table]%s}]\n",
     0.005, 120, 1.6, 2, 0, 0, 0},
    {"edge of a box on a fine mesh",
     SPACE(SOFT, "[13, 7, 2]") "  - {name: box, rigid: {box: {size: [0.8, 0.3, 0.3]}, density: 5}, "
                               "position: [0.1, 0.05, 0.23], angle: 40, axis: [1, 0, 0], velocity: "
                               "[0.5, 1, -1.5], spin: [0.5, -1, 1]}\n"
                               "contact: [{between: [box, block]%s}]\n",
     0.005, 60, 0.6, 0.3, 0, 0, 0},
};

#define NSHARP (int)(sizeof sharp_cases / sizeof sharp_cases[0])
