import { expect } from '@playwright/test';
import { watchWorkers } from '#test/browser/support/watch-workers.ts';
import type { Tab } from './browser.ts';
import { findElement, type PageWithPress, type Role } from './find-element.ts';

type PageWithProblems = typeof globalThis & { problems?: string[]; found?: unknown[] };

const KEYS = { Tab: '\uE004', Enter: '\uE007', Control: '\uE009', Escape: '\uE00C' };

/** Somebody with a mouse and a keyboard, who finds things by their role and name, and waits for what is to come. */
export const createVisitor = (tab: Tab, origin: string) => {
  const find = (role: Role, name: string) => tab.run(findElement, role, name);
  const keys = (actions: readonly object[]): Promise<void> => tab.act([{ type: 'key', id: 'keys', actions }]);
  const type = (text: string): Promise<void> => keys(text.split('').flatMap(stroke));

  const press = async (role: Role, name: string): Promise<void> => {
    await tab.run(() => void ((globalThis as PageWithPress).missed = true));
    await eventually(async () => {
      const found = await find(role, name);
      expect(found, `${role} ${name}`).toMatchObject({ reachable: true });
      if (found !== null) await tab.act([click(found)]);
      // A press may lead to another page, which knows nothing of it, or is on its way.
      const missed = () => tab.run(() => (globalThis as PageWithPress).missed).catch(() => undefined);
      await expect.poll(missed, { timeout: 5_000 }).not.toBe(true);
    });
  };

  const seeValue = (name: string, value: string): Promise<void> =>
    eventually(async () => expect(await find('textbox', name)).toMatchObject({ value }));

  return {
    open: async (path: string) => {
      await tab.goTo(origin + path);
      await tab.run(collectProblems);
    },
    press,
    type,
    key: (name: keyof typeof KEYS) => keys(stroke(KEYS[name])),
    tabTo: (role: Role, name: string) =>
      eventually(async () => {
        await keys(stroke(KEYS.Tab));
        expect(await find(role, name)).toMatchObject({ focused: true });
      }),
    fill: async (name: string, text: string) => {
      await press('textbox', name);
      const [down, up] = stroke(KEYS.Control);
      await keys([down!, ...stroke('a'), up!]);
      await type(text);
      await seeValue(name, text);
    },
    see: (role: Role, name: string) => eventually(async () => expect(await find(role, name)).not.toBeNull()),
    notSee: (role: Role, name: string) => eventually(async () => expect(await find(role, name)).toBeNull()),
    read: async (pattern: RegExp) => {
      let text = '';
      await eventually(async () => {
        text = await tab.run(() => document.body.innerText);
        expect(text).toMatch(pattern);
      });
      return pattern.exec(text)?.[0] ?? '';
    },
    seeValue,
    /** Every picture of the page is there and can be drawn. */
    seePictures: () => eventually(async () => expect(await tab.run(missingPictures)).toEqual([])),
    seeAddress: (path: string) =>
      eventually(async () => expect(await tab.run(() => location.href)).toBe(origin + path)),
    watchWorkers: () => tab.run(watchWorkers),
    /** Since they are watched. */
    foundByWorkers: () => tab.run(() => (globalThis as PageWithProblems).found ?? []),
    goBack: () => tab.traverseHistory(-1),
    goForward: () => tab.traverseHistory(1),
    describePage: () => tab.run(() => `${location.href}\n${document.querySelector('main')?.innerText}`),
    /** No uncaught error, and no violation of the content security policy, since the page was opened. */
    expectNoProblems: async () =>
      expect(await tab.run(() => (globalThis as PageWithProblems).problems ?? [])).toEqual([]),
  };
};

export type Visitor = ReturnType<typeof createVisitor>;

/** A page may go while it is looked at: then the next one is. */
const eventually = (check: () => Promise<void>): Promise<void> =>
  expect(check).toPass({ timeout: 60_000, intervals: [50, 100, 250] });

/** Runs in the page. */
const collectProblems = (): void => {
  const problems: string[] = [];
  (globalThis as PageWithProblems).problems = problems;
  addEventListener('error', ({ message }) => problems.push(message));
  addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    problems.push(`CSP: ${violatedDirective} blocked ${blockedURI}`),
  );
};

/** Runs in the page. */
const missingPictures = (): string[] =>
  [...document.images].filter((image) => image.naturalWidth === 0).map((image) => image.src);

const stroke = (value: string): object[] => [
  { type: 'keyDown', value },
  { type: 'keyUp', value },
];

const click = ({ x, y }: { readonly x: number; readonly y: number }): object => ({
  type: 'pointer',
  id: 'mouse',
  parameters: { pointerType: 'mouse' },
  actions: [
    { type: 'pointerMove', x, y },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ],
});
