import { describe, expect, it } from 'vitest';
import { parseDiscordUser } from '#server/platform/wire/discord-objects.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';
import { toProfile } from './to-profile.ts';

const CDN = 'https://cdn.example';

const profileWith = (fields: Readonly<Record<string, unknown>>) => {
  const user = parseDiscordUser({ id: '175928847299117063', username: 'nelly', ...fields });
  return user && toProfile(user, createCdnUrls(CDN));
};
const nameplateOf = (nameplate: unknown) => profileWith({ collectibles: { nameplate } })?.nameplate;
const stylesOf = (display_name_styles: unknown) => profileWith({ display_name_styles })?.display_name_styles;

describe('a nameplate', () => {
  it.each([
    ['nameplates/nameplates/twilight/', 'nameplates/nameplates/twilight/'],
    ['nameplates_v3/Cat-Beans/', 'nameplates_v3/Cat-Beans/'],
    ['nameplates/pokémon/', 'nameplates/pok%C3%A9mon/'],
  ])('builds the addresses of the nameplate %j', (asset, path) => {
    const nameplate = { asset, label: 'TWILIGHT', palette: 'cobalt', sku_id: '1349849614198505602' };
    expect(nameplateOf(nameplate)).toEqual({
      static_url: `${CDN}/assets/collectibles/${path}static.png`,
      animated_url: `${CDN}/assets/collectibles/${path}img.png`,
      sku_id: '1349849614198505602',
      expires_at: null,
      label: 'TWILIGHT',
      palette: 'cobalt',
    });
  });

  const PATHS = 'nameplates/../ ../ / //evil.example/ nameplates/x nameplates//x/ a%2f../ x?/ x#/'.split(' ');
  const ODD = ['a b/', '\ud800/', 'a/'.repeat(7), `${'a'.repeat(65)}/`, null, 5, ['a/']];
  it.each([...PATHS, ...ODD])('shows no nameplate of the asset %j', (asset) => {
    expect(nameplateOf({ asset })).toBeNull();
  });

  it.each([
    ['', 'plaid', null, null],
    ['L'.repeat(301), 'constructor', null, null],
    [7, ['cobalt'], null, null],
    ['L'.repeat(300), 'bubble_gum', 'L'.repeat(300), 'bubble_gum'],
  ])('takes only the labels and palettes that there are: %j, %j', (label, palette, ...shown) => {
    const nameplate = nameplateOf({ asset: 'x/', label, palette });
    expect([nameplate?.label, nameplate?.palette]).toEqual(shown);
  });
});

describe('what is worn', () => {
  it.each([
    ['1349849614198505602', 1_758_582_000, '1349849614198505602', '2025-09-22T23:00:00.000Z'],
    ['1349849614198505602', null, '1349849614198505602', null],
    [null, undefined, null, null],
    ['../evil', 0, null, null],
    [7, -1, null, null],
    [{}, 8.64e12 + 1, null, null],
    ['', '2026-01-01', null, null],
    ['secret', 1.5, null, null],
  ])('with the number %j until %j', (sku_id, expires_at, ...shown) => {
    const nameplate = nameplateOf({ asset: 'x/', sku_id, expires_at });
    expect([nameplate?.sku_id, nameplate?.expires_at]).toEqual(shown);
  });
});

describe('the style of a name', () => {
  it.each([
    [{ font_id: 8, effect_id: 2, colors: [0x7a_4f_d0, 0] }, 'pixelify', 'gradient', ['#7a4fd0', '#000000']],
    [{ font_id: 11, effect_id: 1, colors: [0xff] }, 'default', 'solid', ['#0000ff']],
    [{ font_id: 999, effect_id: 3, colors: null }, 'default', 'neon', []],
    [{ font_id: '8', effect_id: 'toString', colors: [1] }, 'default', 'solid', ['#000001']],
    [{ font_id: 1, effect_id: -1, colors: ['red', -1, 1.5, {}, 2] }, 'bangers', 'solid', ['#000002']],
    [{ font_id: 16, effect_id: 8, colors: Array(9).fill(3) }, 'kalam', 'gummy', Array(5).fill('#000003')],
  ])('names the style %j', (display_name_styles, font, effect, colors) => {
    expect(stylesOf(display_name_styles)).toEqual({ font, effect, colors });
  });

  it.each([null, undefined, [], 'neon', {}, { font_id: 11, effect_id: 1, colors: [] }, { font_id: 999 }])(
    'takes %j for no style',
    (display_name_styles) => {
      expect(stylesOf(display_name_styles)).toBeNull();
    },
  );
});
