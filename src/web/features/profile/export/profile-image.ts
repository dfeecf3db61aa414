import { fill } from '#shared/fill.ts';
import { ACCENT_COLOR } from '#shared/colors.ts';
import type { ProfileAnswer } from '../../../read-profile.ts';
import { formatsOf } from '../../../texts/formats.ts';
import type { TextStore } from '../../../texts/text-store.ts';
import { distinctTags, guildsOf } from '../guild-tags.ts';
import { colorOf } from '../id-flake.ts';
import { formsOf, stillOf, withOwnPictures } from '../picture-forms.ts';
import { handleOf, initialsOf, profileTitle, shownName } from '../profile-name.ts';
import { gradientColors, writeLine, type Pen } from './canvas.ts';
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
import { accountKind } from './account-kind.ts';
import { drawName } from './name-drawing.ts';

/** As the page shows it now, in either theme. */
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

/** Standing still, and about as large as it is drawn. Undefined if it does not load. */
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
const PIXELS = [256, 2048, 256];
const BADGE_PIXELS = 64;

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

const factsOf = (profile: ProfileAnswer, { section, language }: TextStore): readonly Fact[] => {
  const [card, { lookedUp, kinds }, ui] = [section('card'), section('export'), section('ui')];
  const formats = formatsOf(language);
  const createdMs = Date.parse(profile.created_at);
  const age = formats.span([createdMs, Date.now()], ui);
  return [
    { name: card.created, value: formats.utc(createdMs), note: fill(ui.ago, { age }) },
    { name: card.id, value: profile.id, note: accountKind(profile, kinds) },
    { name: lookedUp, value: formats.day(Date.parse(profile.looked_up_at)), note: location.host },
  ];
};

/** How far the names move down if there are no tags and badges. */
const LOWER = 22;

type Shown = { readonly pictures: Pictures; readonly texts: TextStore };

const draw = (pen: Pen, profile: ProfileAnswer, { pictures, texts }: Shown): void => {
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
  const down = chips.length + pictures.badges.length === 0 ? LOWER : 0;
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
  drawFacts(pen, factsOf(profile, texts), colors);
};

/** An image of the card for people to share, and whether all of the card's pictures are in it. */
export const drawProfile = async (
  profile: ProfileAnswer,
  texts: TextStore,
): Promise<{ readonly blob: Blob; readonly complete: boolean }> => {
  const pictures = await readPictures(profile);
  const lettersUsed = `${profileTitle(profile, '')}${profile.username}`;
  for (const weight of [400, 700]) await document.fonts.load(`${weight} 58px Figtree`, lettersUsed);
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser does not draw.');
  draw(pen, profile, { pictures, texts });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob === null) throw new Error('This browser does not save pictures.');
  return { blob, complete: pictures.complete };
};
