// A box with a step in its mesh size; two regions, two surfaces (one with a space in its name), one
// surface inside, an edge and a point. The stored meshes were made with
//   gmsh -3 -format msh22 [-bin] and -format msh41 [-bin], tets-order2.msh with -order 2 -clscale 2.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {1, 0, 0, 1, 1, 1};
Coherence;
MeshSize{:} = 0.7;
MeshSize{ PointsOf{ Surface{1}; } } = 0.4;
Physical Volume("all", 1) = {1, 2};
Physical Volume("near", 2) = {1};
Physical Surface("left side", 3) = {1};
Physical Surface("middle", 4) = {2};
Physical Surface(7) = {6};
Physical Curve("edge", 5) = {1};
Physical Point("corner", 6) = {1};
