// Triangles beside quadrangles, second order (Q9), the right half outlined clockwise; in the plane
// z = 2. Made with gmsh -2 -order 2 -format msh41 (mixed.msh) and -format msh22 (mixed-q8.msh) with
// -setnumber Mesh.SecondOrderIncomplete 1.
lc = 0.5;
Point(1) = {0, 0, 2, lc};
Point(2) = {1, 0, 2, lc};
Point(3) = {2, 0, 2, lc};
Point(4) = {2, 1, 2, lc};
Point(5) = {1, 1, 2, lc};
Point(6) = {0, 1, 2, lc};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {2, 5};
Curve Loop(1) = {1, 7, 5, 6};
Plane Surface(1) = {1};
Curve Loop(2) = {-2, 7, -4, -3};
Plane Surface(2) = {2};
Transfinite Surface {2};
Recombine Surface {2};
Physical Curve("right") = {3};
Physical Curve("cut") = {7};
Physical Surface("left half") = {1};
Physical Surface("right half") = {2};
