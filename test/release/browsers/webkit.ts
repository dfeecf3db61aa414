import { expect } from '@playwright/test';
import { freePort } from '#test/support/free-port.ts';
import { asPageCode, type Browser, type Tab } from './browser.ts';
import { startProgram } from '#test/support/program-process.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const SCREEN = '/usr/bin/Xvfb';

export const WEBKIT_PROGRAMS = [DRIVER, SCREEN];

/** A machine for tests has no graphics card. */
const IN_SOFTWARE = { LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' };

type Send = <T>(path: string, body?: object, method?: string) => Promise<T>;

/** WebKit's driver speaks WebDriver over HTTP, and needs a screen, which is drawn into memory. */
export const startWebKit = async (): Promise<Browser> => {
  const screen = await startProgram({
    program: SCREEN,
    args: () => ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'],
    readyLine: /^(\d+)\n/m,
  });
  const display = `:${screen.ready}`;
  // When a start never ends, nothing but another driver helps.
  const session = await startSession(display).catch(() => startSession(display));
  return {
    openTab: async () => openTab(session.send),
    [Symbol.asyncDispose]: async () => {
      await session[Symbol.asyncDispose]();
      await screen[Symbol.asyncDispose]();
    },
  };
};

/** A start of this browser sometimes never ends. */
const LIMIT_MS = 50_000;

const questionsTo =
  (driverUrl: string): Send =>
  async <T>(path: string, body: object = {}, method = 'POST') => {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const sent = method === 'POST' ? { body: JSON.stringify(body) } : {};
    const response = await fetch(driverUrl + path, { method, signal, ...sent });
    const { value } = (await response.json()) as { value: T };
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };

/** The browser takes longer to start than a journey takes, so all journeys are in one. */
const startSession = async (display: string): Promise<AsyncDisposable & { readonly send: Send }> => {
  await using starting = new AsyncDisposableStack();
  const port = await freePort();
  starting.use(
    await startProgram({
      program: DRIVER,
      args: () => [`--port=${port}`],
      env: { DISPLAY: display, ...IN_SOFTWARE },
    }),
  );
  const send = questionsTo(`http://127.0.0.1:${port}`);
  await expect.poll(() => send('/status', undefined, 'GET').catch(() => null)).not.toBeNull();
  const { sessionId } = await send<{ sessionId: string }>('/session', { capabilities: {} });
  const session = `/session/${sessionId}`;
  await send(`${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 1000 });
  const programs = starting.move();
  return {
    send: (path, ...question) => send(session + path, ...question),
    [Symbol.asyncDispose]: async () => {
      await send(session, {}, 'DELETE');
      await programs.disposeAsync();
    },
  };
};

const openTab = (send: Send): Tab => {
  const run: Tab['run'] = async <Args extends readonly unknown[], T>(
    task: (...args: Args) => T,
    ...args: Args
  ) => {
    const script = `return (${asPageCode(task)})(arguments[0])`;
    return JSON.parse(await send<string>('/execute/sync', { script, args: [JSON.stringify(args)] })) as T;
  };
  return {
    goTo: (url) => send('/url', { url }),
    run,
    act: (actions) => send('/actions', { actions }),
    traverseHistory: (delta) => send(delta < 0 ? '/back' : '/forward'),
    // What one journey has kept is not there for the next.
    [Symbol.asyncDispose]: async () => {
      await run(() => localStorage.clear());
      await send('/url', { url: 'about:blank' });
    },
  };
};
