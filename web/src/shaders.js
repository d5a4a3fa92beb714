// Programs of WebGL 2 for what raster.js does in JavaScript; colours are mixed by the same whole numbers.

const head = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
`;

// places of the screen in pixels, y down, z towards the eye: to those of WebGL
const place = `
uniform vec2 size;
uniform float reach; // nothing is farther from the middle, in pixels
vec4 placed(vec3 s) { return vec4(2.0 * s.x / size.x - 1.0, 1.0 - 2.0 * s.y / size.y, -s.z / reach, 1.0); }
float depthOf(float z) { return 0.5 - 0.5 * z / reach; }
`;

const view = `
uniform mat3 turn; // rows of the projection
uniform vec3 shift;
vec3 screen(vec3 x) { return x * turn + shift; }
`;

const colours = `
ivec3 shaded(ivec3 c, int l) { return (c * l) >> 8; }
ivec3 mixed(ivec3 c, ivec3 d, int s) { return c + (((d - c) * s) >> 8); }
vec4 done(ivec3 c, int alpha) { return vec4(vec3(c) / 255.0, float(alpha) / 256.0); }
`;

/** A texel of a list that is laid out in rows. */
const listed = `
ivec2 at(int k, int width) { return ivec2(k % width, k / width); }
`;

export const ROW = 2048; // texels in a row of a list

// Every vertex finds its whole triangle: the light on it and how far its sides are do not vary over it.
const trianglesVertex = `${head}${place}${view}${listed}
uniform usampler2D mesh; // corners, and the body with its sides
uniform sampler2D positions, values, bodies;
uniform bool hasValues, through, isLit, quick;
uniform vec3 light;
uniform vec4 cut;
uniform bool isCut;
uniform float near; // half of the width of a side's line
flat out ivec4 flatColour; // its fourth: opacity
flat out vec3 nodal, beyond, sides; // values of the corners; how far beyond the cut; shares of the line
flat out ivec2 lit; // light, and whether it is seen from behind
flat out int isFlat;
out vec3 share;
void main() {
  uvec4 t = texelFetch(mesh, at(gl_VertexID / 3, ${ROW}), 0);
  int corner = gl_VertexID % 3;
  int body = int(t.w >> 3);
  vec4 is = texelFetch(bodies, at(body, ${ROW}), 0);
  vec3 p = screen(texelFetch(positions, at(int(t.x), ${ROW}), 0).xyz);
  vec3 q = screen(texelFetch(positions, at(int(t.y), ${ROW}), 0).xyz);
  vec3 r = screen(texelFetch(positions, at(int(t.z), ${ROW}), 0).xyz);
  vec3 n = cross(q - p, r - p);
  bool shown = (through ? is.a > 0.0 && is.a < 1.0 : is.a >= 1.0) && n.z != 0.0 && !(quick && n.z > 0.0);
  beyond = isCut ? vec3(dot(cut.xyz, p), dot(cut.xyz, q), dot(cut.xyz, r)) - cut.w : vec3(-1.0);
  if (!shown || all(greaterThan(beyond, vec3(0.0)))) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  share = vec3(corner == 0, corner == 1, corner == 2);
  gl_Position = placed(corner == 0 ? p : corner == 1 ? q : r);
  float area = abs(n.z);
  uint side = t.w & 7u;
  sides = near / area * vec3((side & 2u) != 0u ? distance(q.xy, r.xy) : -1.0, (side & 4u) != 0u ? distance(r.xy, p.xy) : -1.0, (side & 1u) != 0u ? distance(p.xy, q.xy) : -1.0);
  bool isBehind = n.z > 0.0;
  n *= sign(n.z);
  lit = ivec2(isLit ? min(256, int(256.0 * (0.6 + 0.4 * abs(dot(n, light) / length(n))) + 0.5)) : 256, isBehind);
  flatColour = ivec4(is.rgb * 255.0 + 0.5, through ? int(256.0 * is.a + 0.5) : 256);
  nodal = hasValues ? vec3(texelFetch(values, at(int(t.x), ${ROW}), 0).x, texelFetch(values, at(int(t.y), ${ROW}), 0).x, texelFetch(values, at(int(t.z), ${ROW}), 0).x) : vec3(0.0);
  isFlat = !hasValues ? 1 : any(lessThan(nodal, vec3(-1.0e8))) ? 2 : 0;
}`;

const trianglesFragment = `${head}${colours}
uniform sampler2D map;
uniform int last;
uniform bool words, isCut;
uniform ivec3 nan, edge;
uniform int strength, hollow;
flat in ivec4 flatColour;
flat in vec3 nodal, beyond, sides;
flat in ivec2 lit;
flat in int isFlat;
in vec3 share;
out vec4 colour;
void main() {
  if (isCut && dot(share, beyond) > 0.0) discard;
  ivec3 c = isFlat == 2 ? nan : flatColour.rgb;
  if (isFlat == 0) {
    float s = words ? (share.x >= share.y && share.x >= share.z ? nodal.x : share.y >= share.z ? nodal.y : nodal.z) : dot(share, nodal);
    c = ivec3(texelFetch(map, ivec2(clamp(int(floor(s * float(last) + 0.5)), 0, last), 0), 0).rgb * 255.0 + 0.5);
  }
  if (isCut && lit.y == 1) c = mixed(c, nan, hollow);
  if (lit.x < 256) c = shaded(c, lit.x);
  if (strength > 0 && any(lessThan(share, sides))) c = mixed(c, edge, strength);
  colour = done(c, flatColour.a);
}`;

// A square for every ball, cut to its outline.
const ballsVertex = `${head}${place}${view}
layout(location = 0) in vec4 pose; // centre, radius
layout(location = 1) in vec4 quaternion;
layout(location = 2) in uvec4 tint;
layout(location = 3) in float alpha;
uniform float scale;
uniform bool through, isCut;
uniform vec4 cut;
flat out vec3 centre;
flat out float radius;
flat out mat3 axes; // from the screen to the body
flat out ivec4 base;
flat out int isMarked;
out vec2 from;
void main() {
  bool shown = (through ? alpha > 0.0 && alpha < 1.0 : alpha >= 1.0) && !(isCut && dot(cut.xyz, pose.xyz) > cut.w);
  centre = screen(pose.xyz);
  radius = pose.w * scale;
  from = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (radius + 1.0);
  gl_Position = shown ? placed(centre + vec3(from, 0.0)) : vec4(2.0, 2.0, 2.0, 1.0);
  float w = quaternion.x, x = quaternion.y, y = quaternion.z, z = quaternion.w;
  mat3 turned = mat3(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y),
    2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x),
    2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)); // columns: axes of the body
  axes = transpose(turned) * turn / scale;
  isMarked = dot(quaternion, quaternion) > 0.0 ? 1 : 0;
  base = ivec4(ivec3(tint.rgb), through ? int(256.0 * alpha + 0.5) : 256);
}`;

const ballsFragment = `${head}${place}${colours}
uniform vec3 light;
uniform bool isLit;
uniform float rim;
uniform int dull, rimmed;
flat in vec3 centre;
flat in float radius;
flat in mat3 axes;
flat in ivec4 base;
flat in int isMarked;
in vec2 from;
out vec4 colour;
void main() {
  float rest = radius * radius - dot(from, from);
  if (rest < 0.0) discard;
  vec3 d = vec3(from, isLit ? sqrt(rest) : 0.0);
  ivec3 c = base.rgb;
  if (isMarked == 1) {
    vec3 X = axes * d;
    if ((X.x > 0.0 != X.y > 0.0) != (isLit ? X.z > 0.0 : true)) c = shaded(c, dull);
  }
  float inner = max(0.0, radius - min(rim, radius / 8.0)); // small discs keep their colour
  if (isLit) c = shaded(c, int(128.5 + 128.0 * max(0.0, dot(d, light) / radius)));
  else if (dot(from, from) > inner * inner) c = shaded(base.rgb, rimmed);
  colour = done(c, base.a);
  gl_FragDepth = depthOf(centre.z + d.z);
}`;

// Lines are as wide across the axis that they run along least, as those of the software raster.
const linesVertex = `${head}${place}
layout(location = 0) in vec3 first;
layout(location = 1) in vec3 second;
layout(location = 2) in uvec4 tint;
layout(location = 3) in float thick;
flat out ivec3 base;
void main() {
  bool isSteep = abs(second.y - first.y) > abs(second.x - first.x);
  vec3 p = (gl_VertexID & 1) == 0 ? first : second;
  vec2 way = second.xy - first.xy;
  float size = max(abs(way.x), abs(way.y));
  if (size > 0.0) p.xy += way / size * ((gl_VertexID & 1) == 0 ? -0.5 : 0.5); // the pixels of both ends
  float across = -0.5 * thick + ((gl_VertexID >> 1) == 0 ? 0.0 : max(1.0, floor(thick)));
  if (isSteep) p.x += across;
  else p.y += across;
  gl_Position = placed(p);
  base = ivec3(tint.rgb);
}`;

const linesFragment = `${head}${colours}
flat in ivec3 base;
out vec4 colour;
void main() { colour = done(base, 256); }`;

// Four corners of a pane; the floor has a grid of shadows over its sides.
const paneVertex = `${head}${place}
uniform vec3 corner[4];
out vec2 over;
void main() {
  over = vec2(gl_VertexID == 1 || gl_VertexID == 2, gl_VertexID > 1);
  gl_Position = placed(corner[gl_VertexID]);
}`;

const floorFragment = `${head}${colours}
uniform ivec3 base;
uniform sampler2D shadow;
in vec2 over;
out vec4 colour;
float dark(ivec2 k) { return texelFetch(shadow, k, 0).x * 255.0; }
void main() {
  float n = float(textureSize(shadow, 0).x);
  vec2 x = clamp(over * n - 0.5, 0.0, n - 1.0);
  ivec2 k = ivec2(min(vec2(n - 2.0), floor(x)));
  vec2 u = x - vec2(k);
  float d = mix(mix(dark(k), dark(k + ivec2(1, 0)), u.x), mix(dark(k + ivec2(0, 1)), dark(k + ivec2(1, 1)), u.x), u.y);
  int shade = int(d + 0.5);
  colour = done(shade > 0 ? shaded(base, 256 - shade) : base, 256);
}`;

const glassFragment = `${head}${colours}
uniform ivec3 base;
uniform int strength;
in vec2 over;
out vec4 colour;
void main() { colour = done(base, strength); }`;

export const sources = {
  triangles: [trianglesVertex, trianglesFragment],
  balls: [ballsVertex, ballsFragment],
  lines: [linesVertex, linesFragment],
  floor: [paneVertex, floorFragment],
  glass: [paneVertex, glassFragment],
};
