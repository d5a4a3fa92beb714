// The unit square, cut irregularly, with a node at the inner point (0.4, 0.6).
//   gmsh -2 -order 1 -format msh22 square.geo -o t3.msh
//   gmsh -2 -order 2 -format msh22 square.geo -o t6.msh
//   with -setnumber quads 1 also: -order 1 -o q4.msh, -order 2 -o q9.msh,
//   -order 2 -setnumber Mesh.SecondOrderIncomplete 1 -o q8.msh
If (!Exists(quads)) quads = 0; EndIf
s = 0.35;
Point(1) = {0, 0, 0, s};  Point(2) = {1, 0, 0, 0.8 * s};  Point(3) = {1, 1, 0, s};  Point(4) = {0, 1, 0, 1.2 * s};
Point(5) = {0.4, 0.6, 0, s};
Line(1) = {1, 2};  Line(2) = {2, 3};  Line(3) = {3, 4};  Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Point{5} In Surface{1};
If (quads) Recombine Surface{1}; EndIf
Physical Curve("bottom") = {1};  Physical Curve("right") = {2};
Physical Curve("top") = {3};     Physical Curve("left") = {4};
Physical Surface("all") = {1};
