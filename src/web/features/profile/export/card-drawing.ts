import { BRAND_FLAKE } from '../../../ui/growing-flake.tsx';
import { flakePath } from '../id-flake.ts';
import {
  drawCovering,
  fillRounded,
  placed,
  setFont,
  within,
  writeLine,
  type Box,
  type Pen,
} from './canvas.ts';

export const WIDTH = 1200;
export const HEIGHT = 630;
const INSET = 56;
const BAND: Box = { x: 0, y: 0, width: WIDTH, height: 232 };
const AVATAR = { x: INSET + 120, y: 256, radius: 120, ring: 7 };
/** As large as the platform draws it around a picture. */
const DECORATION = 1.2;
const BESIDE_AVATAR = AVATAR.x + AVATAR.radius * DECORATION + 32;
const NAMES = { x: BESIDE_AVATAR, width: WIDTH - INSET - BESIDE_AVATAR };

export type Colors = Readonly<Record<'surface' | 'text' | 'quiet' | 'note' | 'line', string>>;
type Picture = HTMLImageElement | undefined;

const drawFlake = (pen: Pen, path: string, [x, y, scale, width]: readonly number[], color: string): void => {
  pen.save();
  pen.translate(placed(pen, x ?? 0), y ?? 0);
  pen.scale(scale ?? 1, scale ?? 1);
  Object.assign(pen, { strokeStyle: color, lineWidth: width, lineCap: 'round' });
  pen.stroke(new Path2D(path));
  pen.restore();
};

type BandLook = { readonly id: string; readonly tint: string; readonly banner: Picture };

export const drawBand = (pen: Pen, { id, tint, banner }: BandLook): void =>
  within(pen, BAND, 0, () => {
    fillRounded(pen, BAND, 0, tint);
    if (banner) drawCovering(pen, banner, BAND);
    else drawFlake(pen, flakePath(id), [WIDTH - 170, 70, 5, 1.5], 'rgb(255 255 255 / 40%)');
  });

type AvatarLook = Readonly<Record<'avatar' | 'decoration', Picture>> &
  Readonly<Record<'initials' | 'accent', string>>;

const around = (radius: number): Box => ({
  x: AVATAR.x - radius,
  y: AVATAR.y - radius,
  width: 2 * radius,
  height: 2 * radius,
});

export const drawAvatar = (pen: Pen, look: AvatarLook, { surface, note, text }: Colors): void => {
  for (const [ring, color] of [surface, look.accent, surface, note].entries()) {
    const radius = AVATAR.radius + AVATAR.ring * (1 - ring);
    fillRounded(pen, around(radius), radius, color);
  }
  const inner = AVATAR.radius - 2 * AVATAR.ring;
  within(pen, around(inner), inner, () => {
    if (look.avatar) return drawCovering(pen, look.avatar, around(inner));
    setFont(pen, 700, 88);
    Object.assign(pen, { fillStyle: text, textAlign: 'center' });
    pen.fillText(look.initials, placed(pen, AVATAR.x), AVATAR.y + 31);
  });
  if (look.decoration) drawCovering(pen, look.decoration, around(inner * DECORATION));
};

type Names = { readonly title: string; readonly handle: string; readonly down: number };

export const drawNames = (pen: Pen, { title, handle, down }: Names, { text, quiet }: Colors): void => {
  const y = 318 + down;
  // Stacked accents would reach into the banner.
  within(pen, { ...NAMES, y: y - 76, height: 110 }, 0, () =>
    writeLine(pen, { ...NAMES, text: title, y, weight: 750, size: 58, color: text }),
  );
  writeLine(pen, { ...NAMES, text: handle, y: y + 50, weight: 400, size: 32, color: quiet });
};

const MARK = { y: 400, height: 44, icon: 26, gap: 10 };

export type Marks = {
  readonly chips: readonly { readonly text: string; readonly icon: Picture }[];
  readonly badges: readonly HTMLImageElement[];
};

export const drawMarks = (pen: Pen, { chips, badges }: Marks, { line, note, text: color }: Colors): void => {
  const { y, height, icon: side, gap } = MARK;
  let x = BESIDE_AVATAR;
  for (const { text, icon } of chips) {
    setFont(pen, 700, 24);
    const before = icon ? side + 8 : 0;
    const width = before + pen.measureText(text).width + 28;
    fillRounded(pen, { x, y, width, height }, 12, line);
    fillRounded(pen, { x: x + 2, y: y + 2, width: width - 4, height: height - 4 }, 10, note);
    if (icon) drawCovering(pen, icon, { x: x + 14, y: y + (height - side) / 2, width: side, height: side });
    writeLine(pen, { text, x: x + 14 + before, y: y + 31, width, weight: 700, size: 24, color });
    x += width + gap;
  }
  const each = Math.min(height + gap, (WIDTH - INSET - x) / Math.max(1, badges.length));
  const size = each - Math.min(gap, each / 5);
  for (const [place, badge] of badges.entries())
    drawCovering(pen, badge, { x: x + place * each, y: y + (height - size) / 2, width: size, height: size });
};

export type Fact = {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  /** Where on the line from the first ids to today, as a percentage. */
  readonly place?: string;
  readonly flake?: boolean;
};

const FACTS = { y: 462, height: 136, gap: 16, widths: [456, 276, 324], inset: 20 };

const drawTimeLine = (pen: Pen, { x, y, width }: Omit<Box, 'height'>, place: string, color: string): void => {
  const [from, to] = [placed(pen, x), placed(pen, x + width)];
  const at = from + ((to - from) * Number.parseFloat(place)) / 100;
  Object.assign(pen, { strokeStyle: color, fillStyle: color, lineWidth: 3, lineCap: 'round' });
  pen.globalAlpha = 0.3;
  pen.stroke(new Path2D(`M${from} ${y}H${to}`));
  pen.globalAlpha = 1;
  pen.stroke(new Path2D(`M${at} ${y}H${to}`));
  pen.beginPath();
  pen.arc(at, y, 7, 0, 2 * Math.PI);
  pen.fill();
};

export const drawFacts = (pen: Pen, facts: readonly Fact[], { note: ground, text, quiet }: Colors): void => {
  let x = INSET;
  for (const [index, { name, value, note, place, flake }] of facts.entries()) {
    const box = { x, y: FACTS.y, width: FACTS.widths[index] ?? 0, height: FACTS.height };
    fillRounded(pen, box, 18, ground);
    const line = { x: x + FACTS.inset, width: box.width - 2 * FACTS.inset };
    const [y, size, below] = place === undefined ? [box.y + 8, 24, 108] : [box.y, 38, 123];
    const before = flake ? 32 : 0;
    if (flake) drawFlake(pen, BRAND_FLAKE, [line.x + 10, y + 29, 0.26, 8], text);
    const title = { x: line.x + before, width: line.width - before, text: name };
    writeLine(pen, { ...title, y: y + 36, weight: 600, size: 20, color: quiet });
    writeLine(pen, { ...line, text: value, y: y + 76, weight: 700, size, least: 17, color: text });
    if (place !== undefined) drawTimeLine(pen, { ...line, y: y + 95 }, place, text);
    writeLine(pen, { ...line, text: note, y: y + below, weight: 400, size: 20, least: 15, color: quiet });
    x += box.width + FACTS.gap;
  }
};
