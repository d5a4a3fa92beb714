// A snap hook: a cantilever with a head that a catch lifts. Units: mm. h: size of the elements; b: their size in the beam, which bends.
SetFactory("OpenCASCADE");
If (!Exists(h)) h = 0.5; EndIf
If (!Exists(b)) b = h; EndIf
Point(1) = {0, 0, 0, b}; Point(2) = {8, 0, 0, b}; Point(3) = {8, -1, 0, h}; Point(4) = {10, 0.1547, 0, h}; Point(5) = {10, 1, 0, h}; Point(6) = {0, 1, 0, b};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5};
If (b < h)
  Point(7) = {8, 1, 0, b}; Line(5) = {5, 7}; Line(6) = {7, 6}; Line(7) = {6, 1}; Curve Loop(1) = {1 ... 7};
Else
  Line(5) = {5, 6}; Line(6) = {6, 1}; Curve Loop(1) = {1 ... 6};
EndIf
Plane Surface(1) = {1};
out[] = Extrude {0, 0, 2} { Surface{1}; };
Mesh.MeshSizeMax = h; Mesh.MeshSizeMin = b; Mesh.ElementOrder = order; Mesh.SecondOrderLinear = 1;
Physical Volume("hook") = {out[1]};
Physical Surface("root") = {out[#out[] - 1]};
Physical Surface("head") = {out[3], out[4], out[5]};
