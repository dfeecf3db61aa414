import { ACCENT_COLOR } from '#shared/colors.ts';
import type { Profile } from '#shared/contract/profile.ts';
import { ageInWords } from '#shared/age.ts';
import { imageLine } from '../../../texts/profile/pictures.ts';
import { colorOf } from '../id-flake.ts';
import { formsOf } from '../picture-forms.ts';
import { handleOf, initialsOf, profileTitle, shownName } from '../profile-name.ts';
import { drawAvatar, drawBand, FONT, HEIGHT, WIDTH, writeLine, type Pen } from './card-drawing.ts';

/** As the page shows it now, in either theme. */
const themeColors = () => {
  const probe = document.createElement('i');
  document.body.append(probe);
  const resolve = (name: string): string => {
    probe.style.color = `var(--color-${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = { surface: resolve('surface'), text: resolve('text'), quiet: resolve('text-quiet') };
  probe.remove();
  return colors;
};

/**
 * Undefined where the server does not let other sites read the picture. In a size that the page does not show: what the
 * page shows is in the browser's cache, without the CORS header that reading it needs.
 */
const readPicture = async (url: string, pixels: number): Promise<HTMLImageElement | undefined> => {
  const png = formsOf(url).find(({ name }) => name === 'PNG');
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = png?.urlAt(pixels) ?? `${url}?size=${pixels}`;
  return image.decode().then(
    () => image,
    () => undefined,
  );
};

type Pictures = {
  readonly avatar: HTMLImageElement | undefined;
  readonly banner: HTMLImageElement | undefined;
};

const draw = (pen: Pen, profile: Profile, pictures: Pictures): void => {
  const { surface, text: ink, quiet } = themeColors();
  const tint = profile.accent_color ?? colorOf(profile.id);
  const title = profileTitle(profile);
  const age = ageInWords(Date.parse(profile.created_at), Date.now());
  const handle = `${profile.discriminator === '0' ? '@' : ''}${shownName(handleOf(profile)) ?? ''}`;
  pen.fillStyle = surface;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  drawBand(pen, { id: profile.id, tint, banner: pictures.banner });
  const accent = profile.accent_color ?? ACCENT_COLOR;
  drawAvatar(pen, { avatar: pictures.avatar, initials: initialsOf(title), surface, accent, tint });
  writeLine(pen, { text: title, y: 438, font: '750 60px', color: ink });
  writeLine(pen, { text: handle, y: 486, font: '400 32px', color: quiet });
  writeLine(pen, { text: imageLine(age, profile.id), y: 546, font: '600 30px', color: ink });
  writeLine(pen, { text: location.host, y: 592, font: '400 24px', color: quiet });
};

/** A picture of the card for people to pass on, and whether it has all that the card has. */
export const drawProfile = async (
  profile: Profile,
): Promise<{ readonly blob: Blob; readonly complete: boolean }> => {
  const { avatar_url, banner_url } = profile;
  const [avatar, banner] = await Promise.all([
    readPicture(avatar_url, 256),
    banner_url === null ? undefined : readPicture(banner_url, 2048),
    document.fonts.load(`700 84px ${FONT}`),
  ]);
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser does not draw.');
  draw(pen, profile, { avatar, banner });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob === null) throw new Error('This browser does not save pictures.');
  return { blob, complete: avatar !== undefined && (banner_url === null || banner !== undefined) };
};
