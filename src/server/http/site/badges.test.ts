import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../../web/public/badges/', import.meta.url);

/** What browsers may have kept for ever. Draw a badge again under another name. */
const KEPT = [
  ['active-developer', 'a197836e'],
  ['bug-hunter-level-1', '9d45629d'],
  ['bug-hunter-level-2', '03c147c6'],
  ['early-supporter', '350fc8a6'],
  ['early-verified-bot-developer', 'eaa71449'],
  ['house-balance', 'cbe0c9aa'],
  ['house-bravery', '412c537c'],
  ['house-brilliance', 'd561c02d'],
  ['http-interactions-bot', '396011c6'],
  ['hypesquad-events', '1c2a7ca0'],
  ['moderator-alumni', 'c519df73'],
  ['partner', '45330986'],
  ['staff', '57876c0d'],
  ['team', '17e139b7'],
  ['verified-bot', '4314e032'],
] as const;

it.each(KEPT)('the picture of the badge %s is the one that browsers keep', (name, digest) => {
  expect(hash('sha256', readFileSync(new URL(`${name}.svg`, FOLDER))).slice(0, 8)).toBe(digest);
});

it('has every badge in that list', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(KEPT.map(([name]) => `${name}.svg`));
});
