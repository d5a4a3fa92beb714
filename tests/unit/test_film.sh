#!/usr/bin/env bash
# carom film: the pictures are those of carom picture; ffmpeg gets them all; without it the message says what to do.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
carom=$CAROM

cat > deck.yaml << 'END'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0, 0.1], to: [1, 1.1], elements: [3, 3]}}, material: m, velocity: [0, -2]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block, floor], friction: 0}]
time: {method: dissipative, step: 0.01, end: 0.1}
output: {frames: 5, report: false}
END
"$carom" run deck.yaml -o run > log 2>&1
check $? "the run"
frames=$(ls run/fields/*.vtu | wc -l)

"$carom" film run -o pictures --size 320 > log 2>&1
check $? "pictures alone"
[ "$(ls pictures/*.png | wc -l)" = "$frames" ]
check $? "one for each frame"
# each is the picture of its frame, with the room and the colours of the whole run
for k in 0 $((frames - 1)); do
  "$carom" picture run -o one.png --frame "$k" --whole --range run --size 320 > log 2>&1
  cmp -s one.png "pictures/$(printf %04d "$k").png"
  check $? "picture $k"
done

# without ffmpeg
mkdir empty
PATH=$PWD/empty "$carom" film run -o x.mp4 > log 2>&1
[ $? = 2 ] && grep -q "x.mp4: ffmpeg, the program that makes films, was not found" log && [ ! -e x.mp4 ] && [ ! -e x.mp4.frames ]
check $? "no ffmpeg"
"$carom" film run -o x.avi > log 2>&1
[ $? = 2 ] && grep -q -- "-o x.avi: expected .mp4, .gif or .webm, or a folder" log
check $? "another ending"

# a stand-in that counts what it is given and writes to its last argument
mkdir bin
cat > bin/ffmpeg << 'END'
#!/bin/bash
echo "$@" > words
while [ "$1" != -i ]; do shift; done
ls "$(dirname "$2")"/*.png | wc -l > "${@: -1}"
wc -c < "$(dirname "$2")/0000.png" > size
END
chmod +x bin/ffmpeg
PATH=$PWD/bin:$PATH "$carom" film run -o x.gif > log 2>&1
[ $? = 0 ] && [ "$(cat x.gif)" = "$frames" ] && [ ! -e x.gif.frames ]
check $? "all pictures went to ffmpeg, and are gone"
grep -q -- "-framerate 5 " words
check $? "a short run: five frames a second"
PATH=$PWD/bin:$PATH "$carom" film run -o x.gif --fps 12.5 --size 320 > log 2>&1 && grep -q -- "-framerate 12.5 " words
check $? "--fps"
[ "$(cat size)" -gt "$(wc -c < pictures/0000.png)" ]
check $? "pictures for ffmpeg are packed with little effort"
"$carom" film run -o x.gif --fps 0 > log 2>&1
[ $? = 2 ] && grep -q -- "--fps" log
check $? "no frame a second"
printf '#!/bin/bash\necho broken >&2\nexit 1\n' > bin/ffmpeg
PATH=$PWD/bin:$PATH "$carom" film run -o y.mp4 > log 2>&1
[ $? = 2 ] && grep -q "ffmpeg could not make the film y.mp4; its messages are in y.mp4.frames/log" log && grep -q broken y.mp4.frames/log
check $? "a failure of ffmpeg"

if command -v ffmpeg > /dev/null; then
  for ending in mp4 gif webm; do
    "$carom" film run -o "film.$ending" --size 320 > log 2>&1 && [ -s "film.$ending" ]
    check $? "$ending by ffmpeg itself"
  done
fi
check_end
