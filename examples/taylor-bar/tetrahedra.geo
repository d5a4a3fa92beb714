// A quarter of the Taylor bar of tetrahedra of second order, small at the foot. Made by
//   gmsh -3 -format msh41 tetrahedra.geo -o tetrahedra.msh
SetFactory("OpenCASCADE");
R = 3.2e-3; L = 32.4e-3; foot = 0.8e-3; tail = 2.0e-3;
Cylinder(1) = {0, 0, 0, 0, 0, L, R, Pi/2};
eps = 1e-6;
Physical Volume("bar") = {1};
Physical Surface("foot") = Surface In BoundingBox {-eps, -eps, -eps, R + eps, R + eps, eps};
Physical Surface("x0") = Surface In BoundingBox {-eps, -eps, -eps, eps, R + eps, L + eps};
Physical Surface("y0") = Surface In BoundingBox {-eps, -eps, -eps, R + eps, eps, L + eps};
Field[1] = MathEval; Field[1].F = Sprintf("%g + (%g - %g) * z / %g", foot, tail, foot, 0.6 * L);
Field[2] = MathEval; Field[2].F = Sprintf("%g", tail);
Field[3] = Min; Field[3].FieldsList = {1, 2};
Background Field = 3;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0; Mesh.MeshSizeFromCurvature = 0;
Mesh.ElementOrder = 2; Mesh.HighOrderOptimize = 0; Mesh.Optimize = 1;
