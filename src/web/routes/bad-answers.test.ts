// @vitest-environment happy-dom
import fc from 'fast-check';
import { act, createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, it } from 'vitest';
import { PROFILE } from '#test/support/profile.ts';
import { SITE, STATUS } from '#test/support/site.ts';
import { ENGLISH, fullTextStore } from '#test/support/texts.ts';
import type { Failure } from '../ask-server.ts';
import type { Browser } from '../browser.ts';
import { EnvironmentContext } from '../environment.ts';
import { readStatus } from '../features/status/read-status.ts';
import { lookUp, type LookupAnswer } from '../features/lookup/look-up.ts';
import type { RequestState } from '../proved-request.ts';
import { ErrorBoundary } from '../ui/text-page.tsx';
import { lookupFlow } from './lookup-flow.tsx';
import { StatusRoute } from './status.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const ID = PROFILE.id;
const RUNS = 40;
/** Made once: it is most of what drawing a page costs. */
const TEXTS = fullTextStore('en');

/** What a field may hold in place of what it should. */
const JUNK = [null, '', 'x', '0', 0, -1, 1.5, true, [], {}, [null], [{}], '\u202e', 'javascript:alert(1)'];
const junk = fc.oneof(fc.constantFrom(...JUNK), fc.jsonValue({ maxDepth: 2 }));

/** The same value with any of its fields, at any depth, missing or replaced by junk. */
const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
  const inside: fc.Arbitrary<unknown> = Array.isArray(value)
    ? fc.tuple(...value.map(spoilt))
    : typeof value === 'object' && value !== null
      ? fc.record(Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoilt(field)])), {
          requiredKeys: [],
        })
      : fc.constant(value);
  return fc.oneof({ weight: 4, arbitrary: inside }, { weight: 1, arbitrary: junk });
};

const answerOf = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const browserWith = (fetch: Browser['fetch']): Browser => ({
  fetch,
  isOnline: () => true,
  isSeen: () => true,
  savesData: () => true,
  after: () => () => undefined,
});

/** Shows a part of a page in a document, with everything around it that catches errors. */
const show = async (part: ReactNode, browser = browserWith(() => new Promise(() => undefined))) => {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place, { onCaughtError: () => undefined });
  const environment = { site: { ...SITE, status: STATUS }, browser, texts: TEXTS };
  await act(async () =>
    root.render(
      createElement(EnvironmentContext, { value: environment }, createElement(ErrorBoundary, null, part)),
    ),
  );
  const leave = (): Promise<void> =>
    act(async () => {
      root.unmount();
      place.remove();
    });
  return { place, leave };
};

const flowOf = (answer: LookupAnswer | Failure): ReactNode => {
  const state: RequestState<LookupAnswer> = { step: 'answered', input: ID, answer, solvedMs: 5 };
  return createElement(lookupFlow.LookupFlow, {
    request: { state, dispatch: () => undefined, [answer.kind === 'failed' ? 'failure' : 'answer']: answer },
    field: { text: '', tokenSeen: false, inAddress: false },
    unasked: false,
    wait: { seconds: 0, left: 0 },
    onProgress: () => undefined,
    onTryAgain: () => undefined,
    onRevisit: () => undefined,
    onDonate: undefined,
  });
};

const PROFILE_ANSWER = {
  ...PROFILE,
  banner_url: 'https://cdn.example/banners/1/2.png',
  badge_url: 'https://cdn.example/badges/1/2.png',
  accent_color: '#4f7cac',
  banner_color: '#4f7cad',
  flags: [{ id: 'STAFF', name: 'Staff', image: '/badges/staff.svg' }],
  clan: { tag: 'OWLS', identity_guild_id: '1' },
  primary_guild: { tag: 'BATS', identity_guild_id: '2' },
  avatar_decoration_url: 'https://cdn.example/decorations/1.png',
  nameplate: {
    static_url: 'https://cdn.example/plate.png',
    animated_url: 'https://cdn.example/plate-animated.png',
    sku_id: '1',
    expires_at: '2030-01-01T00:00:00.000Z',
    label: 'Snow',
    palette: 'blue',
  },
  display_name_styles: { font: 'bangers', effect: 'gummy', colors: ['#ff0000', '#00ff00'] },
  looked_up_at: '2026-11-17T09:00:00.000Z',
  pictures: { expires_at: '2026-11-17T21:00:00.000Z', avatar_url: '/picture/1', nameplate: null },
};

const lookUpWith = (response: () => Response): Promise<LookupAnswer | Failure> =>
  lookUp(
    { input: ID, proof: 'p', platformName: 'Discord', unreachable: ENGLISH.lookup.lookupFailed },
    { ...browserWith(async () => response()), signal: new AbortController().signal, errors: ENGLISH.errors },
  );

describe('whatever the server answers', () => {
  it('a lookup ends in a card, a warning or an error, and never in the screen for our own errors', async () => {
    await fc.assert(
      fc.asyncProperty(
        spoilt(PROFILE_ANSWER),
        fc.constantFrom(200, 200, 200, 201, 404, 400, 429, 500),
        async (body, status) => {
          const { place, leave } = await show(flowOf(await lookUpWith(() => answerOf(body, status))));
          // Some of it is drawn only once it is opened.
          await act(async () => {
            for (const details of place.querySelectorAll('details')) details.open = true;
          });
          expect(place.textContent).not.toContain(ENGLISH.frame.unexpectedError);
          expect(place.querySelectorAll('article, [role=alert]')).toHaveLength(1);
          expect(place.querySelectorAll('a[href^="javascript:"]')).toHaveLength(0);
          await leave();
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('the status is shown, or the page says that it was not to be read', async () => {
    await fc.assert(
      fc.asyncProperty(spoilt(STATUS), async (body) => {
        const network = { ...browserWith(async () => answerOf(body)), signal: new AbortController().signal };
        const answer = await readStatus({ ...network, errors: {} });
        const { place, leave } = await show(createElement(StatusRoute), network);
        expect(place.textContent).not.toContain(ENGLISH.frame.unexpectedError);
        expect(place.querySelector('[role=alert]') === null).toBe(answer.kind === 'read');
        await leave();
      }),
      { numRuns: RUNS },
    );
  });
});
