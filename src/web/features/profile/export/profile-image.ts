import { ACCENT_COLOR } from '#shared/colors.ts';
import { fill } from '#shared/fill.ts';
import type { ProfileAnswer } from '../../../read-profile.ts';
import type { Environment } from '../../../environment.ts';
import { formatsOf } from '../../../texts/formats.ts';
import type { TextStore } from '../../../texts/text-store.ts';
import { distinctTags, guildsOf } from '../guild-tags.ts';
import { createdFacts } from '../account-age.tsx';
import { formsOf, stillOf, tintOf, withOwnPictures, wornOf } from '../picture-forms.ts';
import { accountKind, handleOf, initialsOf, profileTitle, shownName } from '../profile-name.ts';
import { SCALE, type Pen } from './canvas.ts';
import {
  drawAvatar,
  drawBand,
  drawFacts,
  drawMarks,
  drawNames,
  HEIGHT,
  WIDTH,
  type Colors,
  type Fact,
} from './card-drawing.ts';

/** Of the theme that the page is shown in. */
const themeColors = (): Colors => {
  const probe = document.body.appendChild(document.createElement('i'));
  const resolve = (name: string): string => {
    probe.style.color = `var(--color-${name})`;
    return getComputedStyle(probe).color;
  };
  const [surface, text, quiet] = [resolve('surface'), resolve('text'), resolve('text-quiet')];
  const colors = { surface, text, quiet, note: resolve('note'), line: resolve('line') };
  probe.remove();
  return colors;
};

const readPicture = async (url: string | null, pixels: number): Promise<HTMLImageElement | undefined> => {
  if (url === null) return undefined;
  const webp = formsOf(url).find(({ name }) => name === 'WebP');
  const image = Object.assign(new Image(), { src: webp?.urlAt(pixels) ?? stillOf(url) });
  return image.decode().then(
    () => image,
    () => undefined,
  );
};

/** Of avatar, banner and decoration. */
const PIXELS = [512, 4096, 512];
const BADGE_PIXELS = 128;

const readPictures = async (profile: ProfileAnswer) => {
  const { avatar_url, banner_url, avatar_decoration_url, badge_url, flags } = withOwnPictures(
    wornOf(profile, Date.now()),
  );
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

const factsOf = (profile: ProfileAnswer, { section, language }: TextStore, site: string): readonly Fact[] => {
  const [card, { lookedUp, kinds }] = [section('card'), section('export')];
  const formats = formatsOf(language);
  const period = [Date.parse(profile.created_at), Date.now()] as const;
  const { age, created, place } = createdFacts(period, formats, section('ui'));
  const day = formats.day(Date.parse(profile.looked_up_at));
  return [
    { name: card.created, value: age, note: created, place },
    { name: card.id, value: profile.id, note: accountKind(profile, kinds) },
    { name: site, value: location.host, note: fill(lookedUp, { day }), flake: true },
  ];
};

type Shown = {
  readonly pictures: Awaited<ReturnType<typeof readPictures>>;
  readonly texts: TextStore;
  readonly brandName: string;
};

const draw = (pen: Pen, profile: ProfileAnswer, { pictures, texts, brandName }: Shown): void => {
  const card = texts.section('card');
  const colors = themeColors();
  const title = profileTitle(profile, card.invisibleName);
  const chips = distinctTags(guildsOf(profile, card)).flatMap(({ guild, badge }) => {
    const text = shownName(guild.tag);
    return text === undefined ? [] : [{ text, icon: badge === null ? undefined : pictures.tagBadge }];
  });
  const handle = `${profile.discriminator === '0' ? '@' : ''}${shownName(handleOf(profile)) ?? ''}`;
  const down = chips.length + pictures.badges.length === 0 ? 22 : 0;
  pen.direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
  pen.fillStyle = colors.surface;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  drawBand(pen, { ...pictures, id: profile.id, tint: tintOf(profile) });
  const accent = profile.accent_color ?? ACCENT_COLOR;
  drawAvatar(pen, { ...pictures, initials: initialsOf(title), accent }, colors);
  drawNames(pen, { title, handle, down }, colors);
  drawMarks(pen, { chips, badges: pictures.badges }, colors);
  drawFacts(pen, factsOf(profile, texts, brandName), colors);
};

export const drawProfile = async (profile: ProfileAnswer, { texts, site: { brandName } }: Environment) => {
  const pictures = await readPictures(profile);
  const lettersUsed = `${profileTitle(profile, '')}${profile.username}`;
  for (const weight of [400, 700]) await document.fonts.load(`${weight} 58px Figtree`, lettersUsed);
  const size = { width: SCALE * WIDTH, height: SCALE * HEIGHT };
  const canvas = Object.assign(document.createElement('canvas'), size);
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser does not draw.');
  pen.scale(SCALE, SCALE);
  draw(pen, profile, { pictures, texts, brandName });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (blob === null) throw new Error('This browser does not save pictures.');
  return { blob, complete: pictures.complete };
};
