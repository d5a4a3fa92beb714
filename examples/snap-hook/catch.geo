SetFactory("OpenCASCADE");
If (!Exists(h)) h = 0.5; EndIf
Box(1) = {10.05, -2.4, -0.5, 3, 2, 3};
MeshSize {:} = h; Mesh.MeshSizeMax = h; Mesh.ElementOrder = order; Mesh.SecondOrderLinear = 1;
Physical Volume("catch") = {1};
Physical Surface("skin") = Surface{:};
