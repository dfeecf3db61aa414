import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { SERVER_ARGS } from '#test/support/app-process.ts';
import { atMost, interleave, ratio, type Benchmark, type Figure } from './benchmark.ts';
import { launchBrowser, PROFILE_ID, startProduct, type Server } from './server.ts';

const RATIO_AIM = 0.7;
/** A slow phone: the processor four times slower, 150 ms to the server, 1.6 Mbit/s. */
const SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };

/** Runs in the page before its own code; a string, because this project's types know no browser. */
const WATCH = `(() => {
  const seen = { values: [], shift: 0, blockedMs: 0 };
  globalThis.seen = seen;
  const look = () => {
    const field = document.querySelector('main input[name=id]');
    if (field && seen.values.at(-1) !== field.value) seen.values.push(field.value);
    if (document.querySelector('article h2')) seen.cardMs ??= performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const observe = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  observe('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  observe('longtask', (entry) => { seen.blockedMs += Math.max(0, entry.duration - 50); });
  observe('paint', (entry) => {
    seen.paintMs = entry.startTime;
  });
})()`;

type Seen = {
  readonly cardMs: number;
  readonly paintMs: number;
  readonly values: readonly string[];
  readonly shift: number;
  readonly blockedMs: number;
};

/** Somebody opens the link for the first time. */
const open = async (browser: Browser, { port }: Server): Promise<Seen> => {
  await using context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript(WATCH);
  await page.goto(`http://localhost:${port}/?id=${PROFILE_ID}`);
  await page.locator('article h2').waitFor();
  return await page.evaluate('seen');
};

/** The same journey with the build in another folder, if `BENCH_BASE` names one. */
const startBuild = (folder?: string): Promise<Server> => {
  const args = [...SERVER_ARGS.slice(0, -1), join(folder ?? '', 'bin/whoflake')];
  return startProduct({ POW_MAX_NUMBER: '100000' }, folder === undefined ? SERVER_ARGS : args);
};

export const sharedLink: Benchmark = {
  name: 'link',
  title: 'A link to a profile on a slow phone, from the press on it to the card',
  run: async ({ quick }) => {
    const base = process.env['BENCH_BASE'];
    await using product = await startBuild();
    await using other = await startBuild(base);
    await using browser = await launchBrowser();
    const ours: Seen[] = [];
    const theirs: Seen[] = [];
    const measured = (server: Server, into: Seen[]) => async (): Promise<number> => {
      const seen = await open(browser, server);
      into.push(seen);
      return seen.cardMs;
    };
    const { now, before } = await interleave(quick ? 1 : 7, {
      now: measured(product, ours),
      before: measured(other, theirs),
    });
    const of = (all: readonly Seen[], value: (seen: Seen) => number): Pick<Figure, 'samples'> => ({
      samples: all.slice(1).map(value),
    });
    return {
      method: [
        `Chromium ${browser.version()}, ${NETWORK.latency} ms, 1.6 Mbit/s, the processor ${SLOWDOWN} times slower; a new visitor each round.`,
        base === undefined
          ? 'Against itself: BENCH_BASE names no other build.'
          : 'Against the build in BENCH_BASE.',
      ],
      figures: [
        { what: 'time to the card, of what it was before', ...ratio(now, before), aim: atMost(RATIO_AIM) },
        { what: '  now', samples: now, unit: 'ms' },
        { what: '  before', samples: before, unit: 'ms' },
        { what: 'first paint', ...of(ours, ({ paintMs }) => paintMs), unit: 'ms' },
        { what: '  before', ...of(theirs, ({ paintMs }) => paintMs), unit: 'ms' },
        { what: 'changes of the field', ...of(ours, ({ values }) => values.length - 1), aim: atMost(0) },
        { what: 'layout shift', ...of(ours, ({ shift }) => shift), digits: 3, aim: atMost(0) },
        { what: 'blocked until the card', ...of(ours, ({ blockedMs }) => blockedMs), unit: 'ms' },
        { what: '  before', ...of(theirs, ({ blockedMs }) => blockedMs), unit: 'ms' },
      ],
    };
  },
};
