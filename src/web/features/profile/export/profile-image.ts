import { ACCENT_COLOR } from '#shared/colors.ts';
import { fill } from '#shared/fill.ts';
import type { ProfileAnswer } from '../../../read-profile.ts';
import type { Environment } from '../../../environment.ts';
import { formatsOf } from '../../../texts/formats.ts';
import type { TextStore } from '../../../texts/text-store.ts';
import { distinctTags, guildsOf } from '../guild-tags.ts';
import { createdFacts } from '../account-age.tsx';
import { colorOf } from '../id-flake.ts';
import { formsOf, stillOf, withOwnPictures } from '../picture-forms.ts';
import { accountKind, handleOf, initialsOf, profileTitle, shownName } from '../profile-name.ts';
import { gradientColors, SCALE, writeLine, type Pen } from './canvas.ts';
import {
  BESIDE_AVATAR,
  drawAvatar,
  drawBand,
  drawFacts,
  drawMarks,
  HEIGHT,
  INSET,
  WIDTH,
  type Colors,
  type Fact,
} from './card-drawing.ts';
import { drawName } from './name-drawing.ts';

const themeColors = (): Colors => {
  const probe = document.createElement('i');
  document.body.append(probe);
  const resolve = (name: string): string => {
    probe.style.color = `var(--color-${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    surface: resolve('surface'),
    text: resolve('text'),
    quiet: resolve('text-quiet'),
    note: resolve('note'),
    line: resolve('line'),
  };
  probe.remove();
  return colors;
};

const readPicture = async (url: string | null, pixels: number): Promise<HTMLImageElement | undefined> => {
  if (url === null) return undefined;
  const image = new Image();
  image.src =
    formsOf(url)
      .find(({ name }) => name === 'WebP')
      ?.urlAt(pixels) ?? stillOf(url);
  return image.decode().then(
    () => image,
    () => undefined,
  );
};

/** Of avatar, banner and decoration. */
const PIXELS = [512, 4096, 512];
const BADGE_PIXELS = 128;

const readPictures = async (profile: ProfileAnswer) => {
  const { avatar_url, banner_url, avatar_decoration_url, badge_url, flags } = withOwnPictures(profile);
  const urls = [avatar_url, banner_url, avatar_decoration_url, badge_url, ...flags.map(({ image }) => image)];
  const read = await Promise.all(urls.map((url, place) => readPicture(url, PIXELS[place] ?? BADGE_PIXELS)));
  const [avatar, banner, decoration, tagBadge, ...badges] = read;
  return {
    avatar,
    banner,
    decoration,
    tagBadge,
    badges: badges.filter((badge) => badge !== undefined),
    complete: urls.every((url, place) => url === null || read[place] !== undefined),
  };
};

type Pictures = Awaited<ReturnType<typeof readPictures>>;
type Shown = { readonly pictures: Pictures; readonly texts: TextStore; readonly brandName: string };

const factsOf = (profile: ProfileAnswer, { texts, brandName }: Shown): readonly Fact[] => {
  const [card, { lookedUp, kinds }, ui] = [
    texts.section('card'),
    texts.section('export'),
    texts.section('ui'),
  ];
  const formats = formatsOf(texts.language);
  const { age, created, place } = createdFacts([Date.parse(profile.created_at), Date.now()], formats, ui);
  return [
    { name: card.created, value: age, note: created, place },
    { name: card.id, value: profile.id, note: accountKind(profile, kinds) },
    {
      name: brandName,
      value: location.host,
      note: fill(lookedUp, { day: formats.day(Date.parse(profile.looked_up_at)) }),
      flake: true,
    },
  ];
};

const draw = (pen: Pen, profile: ProfileAnswer, shown: Shown): void => {
  const { pictures, texts } = shown;
  const card = texts.section('card');
  const colors = themeColors();
  // The banner is the card's first part, and has its colours behind it.
  const tints = gradientColors(document.querySelector('article > div'));
  const tint = tints[0] ?? colorOf(profile.id);
  const initials = initialsOf(profileTitle(profile, card.invisibleName));
  const accent = profile.accent_color ?? ACCENT_COLOR;
  const chips = distinctTags(guildsOf(profile, card)).flatMap(({ guild, badge }) => {
    const text = shownName(guild.tag);
    return text === undefined ? [] : [{ text, icon: badge === null ? undefined : pictures.tagBadge }];
  });
  const down = chips.length + pictures.badges.length === 0 ? 22 : 0;
  const names = { x: BESIDE_AVATAR, width: WIDTH - INSET - BESIDE_AVATAR };
  const handle = `${profile.discriminator === '0' ? '@' : ''}${shownName(handleOf(profile)) ?? ''}`;

  pen.direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
  pen.fillStyle = colors.surface;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  drawBand(pen, { id: profile.id, tints, banner: pictures.banner });
  drawAvatar(pen, { ...pictures, ...colors, initials, accent, tint });
  const name = document.querySelector('article h2 bdi');
  if (name) drawName(pen, name, { ...names, y: 318 + down, size: 58 });
  writeLine(pen, { ...names, text: handle, y: 368 + down, font: '400 32px', color: colors.quiet });
  drawMarks(pen, { chips, badges: pictures.badges }, colors);
  drawFacts(pen, factsOf(profile, shown), colors);
};

export const drawProfile = async (profile: ProfileAnswer, { texts, site: { brandName } }: Environment) => {
  const pictures = await readPictures(profile);
  const lettersUsed = `${profileTitle(profile, '')}${profile.username}`;
  for (const weight of [400, 700]) await document.fonts.load(`${weight} 58px Figtree`, lettersUsed);
  const canvas = Object.assign(document.createElement('canvas'), {
    width: SCALE * WIDTH,
    height: SCALE * HEIGHT,
  });
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser does not draw.');
  pen.scale(SCALE, SCALE);
  draw(pen, profile, { pictures, texts, brandName });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob === null) throw new Error('This browser does not save pictures.');
  return { blob, complete: pictures.complete };
};
