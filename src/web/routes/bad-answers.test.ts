// @vitest-environment happy-dom
import fc from 'fast-check';
import { act, createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { PROFILE } from '#test/support/profile.ts';
import { SITE, STATUS } from '#test/support/site.ts';
import { ENGLISH, fullTextStore } from '#test/support/texts.ts';
import type { Failure, Network } from '../ask-server.ts';
import { EnvironmentContext } from '../environment.ts';
import { readStatus } from '../features/status/read-status.ts';
import { lookUp, type LookupAnswer } from '../features/lookup/look-up.ts';
import { ErrorBoundary } from '../ui/text-page.tsx';
import { lookupFlow } from './lookup-flow.tsx';
import { StatusRoute } from './status.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const RUNS = { numRuns: 20 };
/** Made once: it is most of what drawing a page costs. */
const TEXTS = fullTextStore('en');

/** What a field may hold in place of what it should. */
const JUNK = [null, '', 'x', '0', 0, -1, 1.5, true, [], {}, [null], [{}], '\u202e', 'javascript:alert(1)'];
const junk = fc.oneof(fc.constantFrom(...JUNK), fc.jsonValue({ maxDepth: 2 }));

const spoiltFields = (value: object): fc.Arbitrary<unknown> => {
  const fields = Object.entries(value).map(([name, field]) => [name, spoilt(field)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
};

/** The same value with any of its fields, at any depth, missing or replaced by junk. */
const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) return fc.tuple(...value.map(spoilt));
  const isObject = typeof value === 'object' && value !== null;
  const inside = isObject ? spoiltFields(value) : fc.constant(value);
  return fc.oneof({ weight: 4, arbitrary: inside }, { weight: 1, arbitrary: junk });
};

const networkWith = (body: unknown, status = 200) => ({
  fetch: async () => Response.json(body ?? null, { status }),
  isOnline: () => true,
  isSeen: () => true,
  savesData: () => true,
  after: () => () => undefined,
  signal: new AbortController().signal,
  errors: ENGLISH.errors,
});

/** Shows a part of a page with everything opened, and everything around it that catches errors. */
const show = async (part: ReactNode, browser: Network = networkWith(null)) => {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place, { onCaughtError: () => undefined });
  const environment = { site: { ...SITE, status: STATUS }, browser: { ...networkWith(null), ...browser } };
  const value = { ...environment, texts: TEXTS };
  const whole = createElement(EnvironmentContext, { value }, createElement(ErrorBoundary, null, part));
  await act(async () => root.render(whole));
  await act(async () => place.querySelectorAll('details').forEach((details) => (details.open = true)));
  const count = (selector: string): number => place.querySelectorAll(selector).length;
  const shown = {
    text: place.textContent,
    alerts: count('[role=alert]'),
    cards: count('article'),
    traps: count('a[href^="javascript:"]'),
  };
  await act(async () => root.unmount());
  place.remove();
  expect(shown.text).not.toContain(ENGLISH.frame.unexpectedError);
  return shown;
};

const flowOf = (answer: LookupAnswer | Failure): ReactNode =>
  createElement(lookupFlow.LookupFlow, {
    request: {
      ...(answer.kind === 'failed'
        ? { state: { step: 'refused', input: PROFILE.id, failure: answer, proof: 'p' }, failure: answer }
        : { state: { step: 'answered', answer, proof: 'p' }, answer }),
      dispatch: () => undefined,
    },
    expected: false,
    field: { text: '', tokenSeen: false, inAddress: false },
    wait: { seconds: 0, left: 0 },
    onTryAgain: () => undefined,
    onDonate: undefined,
  });

const PICTURES = { static_url: 'https://cdn.example/plate.png', animated_url: 'https://cdn.example/a.png' };
const PROFILE_ANSWER = {
  ...PROFILE,
  banner_url: 'https://cdn.example/banners/1/2.png',
  badge_url: 'https://cdn.example/badges/1/2.png',
  accent_color: '#4f7cac',
  flags: [{ id: 'STAFF', name: 'Staff', image: '/badges/staff.svg' }],
  clan: { tag: 'OWLS', identity_guild_id: '1' },
  primary_guild: { tag: 'BATS', identity_guild_id: '2' },
  avatar_decoration_url: 'https://cdn.example/decorations/1.png',
  nameplate: { ...PICTURES, sku_id: '1', expires_at: '2030-01-01', label: 'Snow', palette: 'blue' },
  display_name_styles: { font: 'bangers', effect: 'gummy', colors: ['#ff0000', '#00ff00'] },
  looked_up_at: '2026-11-17T09:00:00.000Z',
  pictures: { expires_at: '2026-11-17T21:00:00.000Z', avatar_url: '/picture/1', nameplate: null },
};

it('a lookup ends in a card, a warning or an error, whatever the server answers', async () => {
  const request = { input: PROFILE.id, proof: 'p', unreachable: 'Unreachable.' };
  const statuses = fc.constantFrom(200, 200, 200, 404, 429, 500);
  await fc.assert(
    fc.asyncProperty(spoilt(PROFILE_ANSWER), statuses, async (body, status) => {
      const { alerts, cards, traps } = await show(flowOf(await lookUp(request, networkWith(body, status))));
      expect([alerts + cards, traps]).toEqual([1, 0]);
    }),
    RUNS,
  );
});

it('the status is shown, or the page says that it was not to be read, whatever the server answers', async () => {
  await fc.assert(
    fc.asyncProperty(spoilt(STATUS), async (body) => {
      const { alerts } = await show(createElement(StatusRoute), networkWith(body));
      expect(alerts === 0).toBe((await readStatus(networkWith(body))).kind === 'read');
    }),
    RUNS,
  );
});
