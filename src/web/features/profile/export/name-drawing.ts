import { fitted, gradientColors, placed, within, type Pen } from './canvas.ts';

type Place = { readonly x: number; readonly y: number; readonly width: number; readonly size: number };

const SHADOW = /^(?<color>.+?\)) [-\d.]+px (?<down>[-\d.]+)px (?<blur>[\d.]+)px/;

/** As `gradientOf` has it: from corner to corner, starting at 10 % and ending at 90 %. */
const blendOf = (pen: Pen, colors: readonly string[], { x, y, width, size }: Place): CanvasGradient => {
  const blend = pen.createLinearGradient(x, y - size, x + width, y);
  for (const [place, color] of colors.entries())
    blend.addColorStop(0.1 + (0.8 * place) / Math.max(1, colors.length - 1), color);
  return blend;
};

const partsOf = (name: Element, text: string): readonly (readonly [text: string, color: string])[] => {
  const { color } = getComputedStyle(name);
  if (name.children.length === 0 || text !== name.textContent) return [[text, color]];
  return [...name.children].map((letter) => [letter.textContent, getComputedStyle(letter).color]);
};

export const drawName = (pen: Pen, name: Element, place: Place): void => {
  const { x, y, width, size } = place;
  const css = getComputedStyle(name);
  const scale = size / Number.parseFloat(css.fontSize);
  pen.save();
  Object.assign(pen, { font: `${css.fontWeight} ${size}px ${css.fontFamily}`, lineJoin: 'round' });
  const text = fitted(pen, name.textContent, width);
  const written = pen.measureText(text).width;
  const [start, room] = [placed(pen, x, written), placed(pen, x, width)];
  Object.assign(pen, { direction: css.direction, textAlign: 'left' });
  const { color, down = '', blur = '' } = SHADOW.exec(css.textShadow)?.groups ?? {};
  if (color)
    Object.assign(pen, {
      shadowColor: color,
      shadowOffsetY: Number(down) * scale,
      shadowBlur: Number(blur) * scale,
    });
  const stroke = Number.parseFloat(css.webkitTextStrokeWidth) * scale;
  const colors = gradientColors(name);
  const blend = colors.length > 0 ? blendOf(pen, colors, { ...place, x: start, width: written }) : undefined;
  // Stacked accents would reach into the banner.
  within(
    pen,
    (path) => path.rect(room - size / 2, y - size * 1.3, width + size, size * 1.9),
    () => {
      let at = start;
      for (const [part, ink] of partsOf(name, text)) {
        Object.assign(pen, {
          fillStyle: blend ?? ink,
          strokeStyle: css.webkitTextStrokeColor,
          lineWidth: stroke,
        });
        if (stroke > 0) pen.strokeText(part, at, y);
        pen.fillText(part, at, y);
        at += pen.measureText(part).width;
      }
    },
  );
  pen.restore();
};
