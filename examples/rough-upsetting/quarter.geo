// A quarter of the billet, upper half: 4 x 4 bricks in the middle, three rings around, 8 layers. Made by
//   gmsh -3 -order 1 quarter.geo -o quarter.msh
R = 10; L = 10; a = 0.58 * R; c = 0.46 * R; d = R / Sqrt(2);
Point(1) = {0, 0, 0}; Point(2) = {a, 0, 0}; Point(3) = {c, c, 0}; Point(4) = {0, a, 0};
Point(5) = {R, 0, 0}; Point(6) = {d, d, 0}; Point(7) = {0, R, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {2, 5}; Line(6) = {3, 6}; Line(7) = {4, 7};
Circle(8) = {5, 1, 6}; Circle(9) = {6, 1, 7};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Curve Loop(2) = {5, 8, -6, -2}; Plane Surface(2) = {2};
Curve Loop(3) = {6, 9, -7, -3}; Plane Surface(3) = {3};
Transfinite Curve {1, 2, 3, 4, 8, 9} = 5;
Transfinite Curve {5, 6, 7} = 4;
Transfinite Surface {1, 2, 3}; Recombine Surface {1, 2, 3};
out[] = Extrude {0, 0, L} { Surface{1, 2, 3}; Layers{8}; Recombine; };
eps = 1e-3;
Physical Volume("billet") = {1, 2, 3};
Physical Surface("bottom") = Surface In BoundingBox {-eps, -eps, -eps, R + eps, R + eps, eps};
Physical Surface("x0") = Surface In BoundingBox {-eps, -eps, -eps, eps, R + eps, L + eps};
Physical Surface("y0") = Surface In BoundingBox {-eps, -eps, -eps, R + eps, eps, L + eps};
