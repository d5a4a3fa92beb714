// The golf ball of tetrahedra of second order. Made by
//   gmsh -3 -format msh41 ball.geo -o ball.msh
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 21.35};
Physical Volume("ball") = {1};
Physical Surface("outer") = Surface{:};
Mesh.MeshSizeMin = 7; Mesh.MeshSizeMax = 7;
Mesh.ElementOrder = 2; Mesh.HighOrderOptimize = 0; Mesh.Optimize = 1;
