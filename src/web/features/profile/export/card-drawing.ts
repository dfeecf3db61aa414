import { BRAND_FLAKE } from '../../../ui/growing-flake.tsx';
import { flakePath } from '../id-flake.ts';
import {
  drawCovering,
  fillRounded,
  pageFont,
  placed,
  within,
  writeLine,
  type Box,
  type Pen,
} from './canvas.ts';

export const WIDTH = 1200;
export const HEIGHT = 630;
export const INSET = 56;
const BAND: Box = { x: 0, y: 0, width: WIDTH, height: 232 };
const AVATAR = { x: INSET + 120, y: 256, radius: 120, ring: 7 };
/** As large as the platform draws it around a picture. */
const DECORATION = 1.2;
export const BESIDE_AVATAR = AVATAR.x + AVATAR.radius * DECORATION + 32;

export type Colors = Readonly<Record<'surface' | 'text' | 'quiet' | 'note' | 'line', string>>;

type BandLook = {
  readonly id: string;
  readonly tints: readonly string[];
  readonly banner: HTMLImageElement | undefined;
};

export const drawBand = (pen: Pen, { id, tints, banner }: BandLook): void =>
  within(
    pen,
    (path) => path.rect(BAND.x, BAND.y, BAND.width, BAND.height),
    () => {
      const light = pen.createLinearGradient(0, 0, BAND.width, BAND.height);
      for (const [place, tint] of tints.entries())
        light.addColorStop(place / Math.max(1, tints.length - 1), tint);
      pen.fillStyle = light;
      pen.fillRect(BAND.x, BAND.y, BAND.width, BAND.height);
      if (banner) return drawCovering(pen, banner, BAND);
      pen.translate(placed(pen, WIDTH - 170), 70);
      pen.scale(5, 5);
      Object.assign(pen, { strokeStyle: 'rgb(255 255 255 / 40%)', lineWidth: 1.5, lineCap: 'round' });
      pen.stroke(new Path2D(flakePath(id)));
    },
  );

type AvatarLook = Readonly<Record<'avatar' | 'decoration', HTMLImageElement | undefined>> &
  Readonly<Record<'initials' | 'surface' | 'accent' | 'tint', string>>;

const around = (radius: number): Box => ({
  x: AVATAR.x - radius,
  y: AVATAR.y - radius,
  width: 2 * radius,
  height: 2 * radius,
});

export const drawAvatar = (pen: Pen, look: AvatarLook): void => {
  const { avatar, decoration, initials, surface, accent, tint } = look;
  const inner = AVATAR.radius - 2 * AVATAR.ring;
  for (const [ring, color] of [surface, accent, surface, tint].entries()) {
    const radius = AVATAR.radius + AVATAR.ring * (1 - ring);
    fillRounded(pen, { ...around(radius), radius, color });
  }
  within(
    pen,
    (path) => path.arc(placed(pen, AVATAR.x), AVATAR.y, inner, 0, 2 * Math.PI),
    () => {
      if (avatar) return drawCovering(pen, avatar, around(inner));
      Object.assign(pen, { fillStyle: '#fff', font: `700 88px ${pageFont()}`, textAlign: 'center' });
      pen.fillText(initials, placed(pen, AVATAR.x), AVATAR.y + 31);
    },
  );
  if (decoration) drawCovering(pen, decoration, around(inner * DECORATION));
};

const MARK = { y: 400, height: 44, icon: 26, gap: 10 };

export type Chip = { readonly text: string; readonly icon: HTMLImageElement | undefined };

export const drawMarks = (
  pen: Pen,
  marks: { readonly chips: readonly Chip[]; readonly badges: readonly HTMLImageElement[] },
  colors: Colors,
): void => {
  const { y, height, icon: side, gap } = MARK;
  let x = BESIDE_AVATAR;
  for (const { text, icon } of marks.chips) {
    pen.font = `700 24px ${pageFont()}`;
    const before = icon ? side + 8 : 0;
    const width = before + pen.measureText(text).width + 28;
    fillRounded(pen, { x, y, width, height, radius: 12, color: colors.line });
    const inner = { x: x + 2, y: y + 2, width: width - 4, height: height - 4 };
    fillRounded(pen, { ...inner, radius: 10, color: colors.note });
    if (icon) drawCovering(pen, icon, { x: x + 14, y: y + (height - side) / 2, width: side, height: side });
    writeLine(pen, { text, x: x + 14 + before, y: y + 31, width, font: '700 24px', color: colors.text });
    x += width + gap;
  }
  const each = Math.min(height + gap, (WIDTH - INSET - x) / Math.max(1, marks.badges.length));
  const size = each - Math.min(gap, each / 5);
  for (const [place, badge] of marks.badges.entries())
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

type Fit = Readonly<Record<'width' | 'weight' | 'largest' | 'smallest', number>>;

const fontFor = (pen: Pen, text: string, { width, weight, largest, smallest }: Fit): string => {
  pen.font = `${weight} ${largest}px ${pageFont()}`;
  const fits = Math.floor((largest * width) / pen.measureText(text).width);
  return `${weight} ${Math.max(smallest, Math.min(largest, fits))}px`;
};

const drawTimeLine = (pen: Pen, box: Box, { place, color }: { place: string; color: string }): void => {
  const [from, to] = [placed(pen, box.x), placed(pen, box.x + box.width)];
  const at = from + ((to - from) * Number.parseFloat(place)) / 100;
  Object.assign(pen, { strokeStyle: color, fillStyle: color, lineWidth: 3, lineCap: 'round' });
  const drawFrom = (start: number): void => pen.stroke(new Path2D(`M${start} ${box.y}H${to}`));
  pen.globalAlpha = 0.3;
  drawFrom(from);
  pen.globalAlpha = 1;
  drawFrom(at);
  pen.beginPath();
  pen.arc(at, box.y, 7, 0, 2 * Math.PI);
  pen.fill();
};

const drawFlake = (pen: Pen, at: Pick<Box, 'x' | 'y'>, color: string): void => {
  pen.save();
  pen.translate(placed(pen, at.x), at.y);
  pen.scale(0.26, 0.26);
  Object.assign(pen, { strokeStyle: color, lineWidth: 8, lineCap: 'round' });
  pen.stroke(new Path2D(BRAND_FLAKE));
  pen.restore();
};

export const drawFacts = (pen: Pen, facts: readonly Fact[], colors: Colors): void => {
  let x = INSET;
  for (const [index, { name, value, note, place, flake }] of facts.entries()) {
    const width = FACTS.widths[index] ?? 0;
    fillRounded(pen, { x, y: FACTS.y, width, height: FACTS.height, radius: 18, color: colors.note });
    const line = { x: x + FACTS.inset, width: width - 2 * FACTS.inset };
    const largest = place === undefined ? 24 : 38;
    const font = fontFor(pen, value, { width: line.width, weight: 700, largest, smallest: 17 });
    const noteFont = fontFor(pen, note, { width: line.width, weight: 400, largest: 20, smallest: 15 });
    const y = FACTS.y + (place === undefined ? 8 : 0);
    if (flake) drawFlake(pen, { x: line.x + 10, y: y + 29 }, colors.text);
    const title = flake ? { x: line.x + 32, width: line.width - 32 } : line;
    writeLine(pen, { ...title, text: name, y: y + 36, font: '600 20px', color: colors.quiet });
    writeLine(pen, { ...line, text: value, y: y + 76, font, color: colors.text });
    if (place !== undefined)
      drawTimeLine(pen, { ...line, y: y + 95, height: 0 }, { place, color: colors.text });
    writeLine(pen, {
      ...line,
      text: note,
      y: y + (place === undefined ? 108 : 123),
      font: noteFont,
      color: colors.quiet,
    });
    x += width + FACTS.gap;
  }
};
