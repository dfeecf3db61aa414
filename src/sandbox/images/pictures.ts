import { drawsFrom, type Draws } from '../seeded-draws.ts';
import { draw, type Coverage, type Film, type Inks, type Raster } from './raster.ts';
import { crystalCoverage, drawCrystal, type SnowCrystal } from './snow-crystal.ts';

export type PictureKind = 'avatar' | 'banner' | 'default-avatar' | 'tag-badge' | 'decoration';

export type PictureRequest = {
  readonly kind: PictureKind;
  /** The hash decides how the picture looks. */
  readonly hash: string;
  /** Width in pixels. */
  readonly size: number;
  readonly animated: boolean;
};

const FRAMES = 12;
const FRAME_MS = 90;
const BANNER_RATIO = 0.4;
const BANNER_FLAKES = 7;
const WHITE = 0xff_ff_ff_ff;

const SCHEMES: readonly Inks[] = [
  { ground: [0xff_1f_3b_73, 0xff_38_a3_c7], ink: [0xff_e8_f6_ff, WHITE] },
  { ground: [0xff_3b_1f_5c, 0xff_d0_5c_9e], ink: [0xff_ff_e9_f4, 0xff_ff_d9_c7] },
  { ground: [0xff_0f_4c_4a, 0xff_7c_c2_7a], ink: [0xff_ee_ff_e6, 0xff_ff_fb_d6] },
  { ground: [0xff_7a_2e_1f, 0xff_f2_a6_5a], ink: [0xff_ff_f1_dc, WHITE] },
  { ground: [0xff_23_27_4d, 0xff_7a_6f_d0], ink: [0xff_e6_e6_ff, 0xff_c7_f0_ff] },
  { ground: [0xff_12_2b_3d, 0xff_46_7b_8c], ink: [0xff_ff_dd_a8, 0xff_ff_f6_e0] },
  { ground: [0xff_f2_d5_c4, 0xff_f7_f0_e8], ink: [0xff_b3_5c_44, 0xff_7a_3b_52] },
  { ground: [0xff_d5_e8_f2, 0xff_f2_f7_fb], ink: [0xff_2f_5f_8a, 0xff_3b_3b_7a] },
];

const FLAT_SCHEMES: readonly Inks[] = [
  0x5c_6b_c0, 0x78_82_90, 0x3c_9a_6d, 0xe0_9b_3d, 0xd6_54_5a, 0xc7_5c_a8,
].map((color) => ({ ground: [0xff_00_00_00 + color, 0xff_00_00_00 + color], ink: [WHITE, WHITE] }));

type Scene = (
  draws: Draws,
  request: PictureRequest,
) => { readonly inks: Inks; readonly at: (phase: number) => Coverage };

/** One turn by an arm's angle looks like none, so a film of it has no seam. */
const armTurn = (crystal: SnowCrystal, phase: number): number => (phase * 2 * Math.PI) / crystal.arms;

const centred = (size: number, share: number, turn: number) => ({
  x: size / 2,
  y: size / 2,
  radius: size * share,
  turn: turn + Math.PI / 2,
});

const avatarScene: Scene = (draws, { size }) => {
  const inks = draws.pick(SCHEMES);
  const crystal = drawCrystal(draws);
  return { inks, at: (phase) => crystalCoverage(crystal, centred(size, 0.4, armTurn(crystal, phase))) };
};

const hills = (draws: Draws, size: number): Coverage => {
  const height = size * BANNER_RATIO;
  const ridges = [0.62, 0.78].map((base) => ({
    base: base * height,
    swell: height * (0.06 + draws.unit() * 0.08),
    waves: (2 * Math.PI * (1 + draws.unit() * 1.5)) / size,
    shift: draws.unit() * 7,
  }));
  return (x, y) => {
    const depth = ridges.filter(
      (ridge) => y > ridge.base + ridge.swell * Math.sin(x * ridge.waves + ridge.shift),
    ).length;
    return depth / 3;
  };
};

const bannerScene: Scene = (draws, { size }) => {
  const inks = draws.pick(SCHEMES);
  const height = size * BANNER_RATIO;
  const land = hills(draws, size);
  const flakes = Array.from({ length: BANNER_FLAKES }, (_, index) => ({
    crystal: drawCrystal(draws),
    x: ((index + 0.2 + draws.unit() * 0.6) * size) / BANNER_FLAKES,
    y: draws.unit() * height * 0.75,
    radius: height * (0.06 + draws.unit() * 0.12),
    spin: draws.unit() * 2,
  }));
  return {
    inks,
    at: (phase) => {
      const crystals = flakes.map(({ crystal, spin, ...place }) =>
        crystalCoverage(crystal, { ...place, turn: spin + armTurn(crystal, phase) }),
      );
      return (x, y) => crystals.reduce((cover, crystal) => Math.max(cover, crystal(x, y)), land(x, y));
    },
  };
};

const defaultAvatarScene: Scene = (draws, { hash, size }) => {
  const inks = FLAT_SCHEMES[Number(hash)] ?? draws.pick(FLAT_SCHEMES);
  const head = { x: size / 2, y: size * 0.4, radius: size * 0.16 };
  const shoulders = { x: size / 2, y: size * 0.92, radius: size * 0.3 };
  const disc =
    (place: typeof head): Coverage =>
    (x, y) =>
      Math.max(0, Math.min(1, place.radius - Math.hypot(x - place.x, y - place.y) + 0.5));
  const [headDisc, shoulderDisc] = [disc(head), disc(shoulders)];
  return { inks, at: () => (x, y) => Math.max(headDisc(x, y), shoulderDisc(x, y)) };
};

/** Ground without opacity: only the ink is seen. */
const clearGround = ({ ink: [first, second] }: Inks): Inks => ({
  ground: [first & 0xff_ff_ff, second & 0xff_ff_ff],
  ink: [first, second],
});

const tagBadgeScene: Scene = (draws, { size }) => {
  const { ground } = draws.pick(SCHEMES);
  const crystal = { ...drawCrystal(draws), thickness: 0.1, heart: 0 };
  return {
    inks: clearGround({ ground, ink: ground }),
    at: () => crystalCoverage(crystal, centred(size, 0.48, 0)),
  };
};

const decorationScene: Scene = (draws, { size }) => {
  const inks = clearGround(draws.pick(SCHEMES));
  const ring = Array.from({ length: 10 }, (_, index) => {
    const angle = (index / 10) * 2 * Math.PI + draws.unit() * 0.2;
    const place = { x: size * (0.5 + 0.42 * Math.cos(angle)), y: size * (0.5 + 0.42 * Math.sin(angle)) };
    return crystalCoverage(drawCrystal(draws), {
      ...place,
      radius: size * (0.04 + draws.unit() * 0.045),
      turn: angle,
    });
  });
  return { inks, at: () => (x, y) => ring.reduce((cover, crystal) => Math.max(cover, crystal(x, y)), 0) };
};

const SCENES: Readonly<Record<PictureKind, Scene>> = {
  avatar: avatarScene,
  banner: bannerScene,
  'default-avatar': defaultAvatarScene,
  'tag-badge': tagBadgeScene,
  decoration: decorationScene,
};

/** The picture that belongs to a hash: always the same, at any size. */
export const paint = (request: PictureRequest): Film => {
  const scene = SCENES[request.kind](drawsFrom(`${request.kind}:${request.hash}`), request);
  const width = request.size;
  const height = request.kind === 'banner' ? Math.round(width * BANNER_RATIO) : width;
  const frame = (phase: number): Raster => draw({ width, height }, scene.inks, scene.at(phase));
  const later = request.animated
    ? Array.from({ length: FRAMES - 1 }, (_, index) => frame((index + 1) / FRAMES))
    : [];
  return { frames: [frame(0), ...later], frameMs: FRAME_MS };
};
