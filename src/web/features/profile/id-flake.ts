const ARMS = 6;
const STEM = 46;
const FIRST_BRANCH = 12;
const BRANCHES = 4;
const BETWEEN_BRANCHES = 8;
const LENGTH_STEP = 4;
const TIMESTAMP_SHIFT = 22n;

const bitsOf = (id: string): number => {
  const value = BigInt(id);
  return Number(((value >> TIMESTAMP_SHIFT) ^ (value << 3n)) & 0xffffn);
};

type Point = readonly [x: number, y: number];

const turned = ([x, y]: Point, arm: number): string => {
  const angle = (arm * 2 * Math.PI) / ARMS;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return `${(x * cos - y * sin).toFixed(1)} ${(x * sin + y * cos).toFixed(1)}`;
};

const armOf = (id: string): readonly (readonly [Point, Point])[] => {
  const bits = bitsOf(id);
  const lines: (readonly [Point, Point])[] = [
    [
      [0, 0],
      [0, -STEM],
    ],
  ];
  for (let branch = 0; branch < BRANCHES; branch += 1) {
    const length = ((bits >> (branch * 2)) & 3) * LENGTH_STEP;
    if (length === 0) continue;
    const root = -(FIRST_BRANCH + branch * BETWEEN_BRANCHES);
    for (const side of [-1, 1])
      lines.push([
        [0, root],
        [side * length * Math.sin(Math.PI / 3), root - length / 2],
      ]);
  }
  return lines;
};

/** A path around 0 0 that reaches 46 units far. */
export const flakePath = (id: string): string =>
  Array.from({ length: ARMS }, (_, arm) =>
    armOf(id)
      .map(([from, to]) => `M${turned(from, arm)}L${turned(to, arm)}`)
      .join(''),
  ).join('');

const FIRST_HUE = 175;
const HUES = 180;

export const colorOf = (id: string): string => `oklch(0.6 0.14 ${FIRST_HUE + (bitsOf(id) % HUES)})`;
