import type { Draws } from '../seeded-draws.ts';

type Branch = { readonly at: number; readonly length: number };

/** A crystal in the unit circle: equal arms, each with pairs of branches. */
export type SnowCrystal = {
  readonly arms: number;
  readonly thickness: number;
  readonly branches: readonly Branch[];
  readonly heart: number;
};

export type Placement = {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly turn: number;
};

export const drawCrystal = (draws: Draws): SnowCrystal => ({
  arms: draws.pick([6, 6, 6, 8]),
  thickness: 0.035 + draws.unit() * 0.035,
  branches: Array.from({ length: 2 + draws.integer(2) }, (_, index) => ({
    at: 0.28 + index * 0.24 + draws.unit() * 0.08,
    length: (0.42 - index * 0.11) * (0.7 + draws.unit() * 0.5),
  })),
  heart: draws.pick([0, 0.12, 0.2]),
});

const BRANCH_ANGLE = Math.PI / 3;
const BRANCH_COS = Math.cos(BRANCH_ANGLE);
const BRANCH_SIN = Math.sin(BRANCH_ANGLE);

/** Math.hypot guards against overflow, which costs more than all the rest of a pixel. */
const length = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** From a point to the segment that starts at (startX, 0) and runs for `length` in the given direction. */
const toSegment = (
  point: { x: number; y: number },
  direction: { cos: number; sin: number },
  segment: { startX: number; length: number },
): number => {
  const dx = point.x - segment.startX;
  const along = Math.max(0, Math.min(segment.length, dx * direction.cos + point.y * direction.sin));
  return length(dx - along * direction.cos, point.y - along * direction.sin);
};

const ARM = { cos: 1, sin: 0 };
const BRANCH = { cos: BRANCH_COS, sin: BRANCH_SIN };

/** The distance from a point to the crystal's outline; negative inside. */
const distanceTo = (crystal: SnowCrystal, radius: number, angle: number): number => {
  // Folded into half of one arm's sector, every arm and both sides become the same.
  const sector = (2 * Math.PI) / crystal.arms;
  const folded = Math.abs(angle - Math.round(angle / sector) * sector);
  const point = { x: radius * Math.cos(folded), y: radius * Math.sin(folded) };
  let nearest = toSegment(point, ARM, { startX: 0, length: 0.96 - crystal.thickness });
  for (const { at, length } of crystal.branches) {
    nearest = Math.min(nearest, toSegment(point, BRANCH, { startX: at, length }));
  }
  return Math.min(nearest - crystal.thickness, Math.abs(radius - crystal.heart) - crystal.thickness);
};

/** How much of the pixel at (x, y) the crystal covers, 0..1. */
export const crystalCoverage = (crystal: SnowCrystal, place: Placement) => {
  const { radius } = place;
  return (x: number, y: number): number => {
    const dx = x - place.x;
    const dy = y - place.y;
    if (Math.abs(dx) > radius + 1 || Math.abs(dy) > radius + 1) return 0;
    const fromCentre = length(dx, dy);
    if (fromCentre > radius + 1) return 0;
    const distance = distanceTo(crystal, fromCentre / radius, Math.atan2(dy, dx) + place.turn) * radius;
    return Math.max(0, Math.min(1, 0.5 - distance));
  };
};
