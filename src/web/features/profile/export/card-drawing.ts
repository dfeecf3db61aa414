import { flakePath } from '../id-flake.ts';
import { shortTitle } from '../profile-name.ts';

export type Pen = CanvasRenderingContext2D;

export const WIDTH = 1200;
export const HEIGHT = 630;
const BAND = 250;
const INSET = 64;
const AVATAR = 232;
const RING = 8;
export const FONT = 'Figtree, system-ui, sans-serif';

type Size = readonly [width: number, height: number];

const drawCovering = (pen: Pen, image: HTMLImageElement, [width, height]: Size): void => {
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight);
  const [w, h] = [image.naturalWidth * scale, image.naturalHeight * scale];
  pen.drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
};

/** What `draw` does outside the shape is not seen, and what it changes of the pen is forgotten. */
const within = (pen: Pen, shape: (path: Path2D) => void, draw: () => void): void => {
  const path = new Path2D();
  shape(path);
  pen.save();
  pen.clip(path);
  draw();
  pen.restore();
};

type BandLook = { readonly id: string; readonly tint: string; readonly banner: HTMLImageElement | undefined };

export const drawBand = (pen: Pen, { id, tint, banner }: BandLook): void =>
  within(
    pen,
    (path) => path.rect(0, 0, WIDTH, BAND),
    () => {
      const light = pen.createLinearGradient(0, 0, WIDTH, BAND);
      light.addColorStop(0, 'rgb(0 0 0 / 35%)');
      light.addColorStop(1, 'rgb(255 255 255 / 25%)');
      for (const fillStyle of [tint, light]) {
        pen.fillStyle = fillStyle;
        pen.fillRect(0, 0, WIDTH, BAND);
      }
      if (banner) return drawCovering(pen, banner, [WIDTH, BAND]);
      pen.translate(WIDTH - 170, 70);
      pen.scale(5, 5);
      Object.assign(pen, { strokeStyle: 'rgb(255 255 255 / 40%)', lineWidth: 1.5, lineCap: 'round' });
      pen.stroke(new Path2D(flakePath(id)));
    },
  );

type AvatarLook = {
  readonly avatar: HTMLImageElement | undefined;
  readonly initials: string;
  readonly surface: string;
  readonly accent: string;
  readonly tint: string;
};

export const drawAvatar = (pen: Pen, { avatar, initials, surface, accent, tint }: AvatarLook): void => {
  const disc = (path: CanvasPath, radius: number): void =>
    path.arc(INSET + AVATAR / 2, BAND, radius, 0, 2 * Math.PI);
  for (const [ring, color] of [surface, accent, surface, tint].entries()) {
    pen.fillStyle = color;
    pen.beginPath();
    disc(pen, AVATAR / 2 + RING - ring * RING);
    pen.fill();
  }
  const side = AVATAR - 4 * RING;
  within(
    pen,
    (path) => disc(path, side / 2),
    () => {
      pen.translate(INSET + 2 * RING, BAND - side / 2);
      if (avatar) return drawCovering(pen, avatar, [side, side]);
      Object.assign(pen, { fillStyle: '#fff', font: `700 84px ${FONT}`, textAlign: 'center' });
      pen.fillText(initials, side / 2, side / 2 + 30);
    },
  );
};

/** What fits of a line, and a sign that there was more. */
const fitted = (pen: Pen, text: string): string => {
  const characters = Array.from(shortTitle(text));
  const fits = (): boolean => pen.measureText(`${characters.join('')}…`).width <= WIDTH - 2 * INSET;
  const all = characters.length;
  while (characters.length > 1 && !fits()) characters.pop();
  return characters.length === all ? characters.join('') : `${characters.join('')}…`;
};

type Line = { readonly text: string; readonly y: number; readonly font: string; readonly color: string };

export const writeLine = (pen: Pen, { text, y, font, color }: Line): void => {
  Object.assign(pen, { font: `${font} ${FONT}`, fillStyle: color });
  pen.fillText(fitted(pen, text), INSET, y);
};
