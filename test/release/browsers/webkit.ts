import { expect } from '@playwright/test';
import { freePort } from '#test/support/free-port.ts';
import { startProgram } from '#test/support/program-process.ts';
import { asPageCode, type Browser, type Tab } from './browser.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const SCREEN = '/usr/bin/Xvfb';

export const WEBKIT_PROGRAMS = [DRIVER, SCREEN];

/** A machine for tests has no graphics card. */
const IN_SOFTWARE = { LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' };

/** A start of this browser sometimes never ends, and then nothing but another driver helps. */
const LIMIT_MS = 50_000;

type Send = <T>(path: string, body?: object, method?: string) => Promise<T>;

const sendTo =
  (address: string): Send =>
  async <T>(path: string, body: object = {}, method = 'POST') => {
    const sent = method === 'POST' ? { body: JSON.stringify(body) } : {};
    const signal = AbortSignal.timeout(LIMIT_MS);
    const response = await fetch(address + path, { method, signal, ...sent });
    const { value } = (await response.json()) as { value: T };
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };

/** WebKit's driver speaks WebDriver over HTTP, and needs a screen, which is drawn into memory. */
export const startWebKit = async (): Promise<Browser> => {
  await using starting = new AsyncDisposableStack();
  const screen = await startProgram({
    program: SCREEN,
    args: () => ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'],
    readyLine: /^(\d+)\n/m,
  });
  starting.use(screen);
  const startSession = async (): Promise<Send> => {
    const port = await freePort();
    const env = { DISPLAY: `:${screen.ready}`, ...IN_SOFTWARE };
    starting.use(await startProgram({ program: DRIVER, args: () => [`--port=${port}`], env }));
    const address = `http://127.0.0.1:${port}`;
    const driver = sendTo(address);
    await expect.poll(() => driver('/status', undefined, 'GET').catch(() => null)).not.toBeNull();
    const { sessionId } = await driver<{ sessionId: string }>('/session', { capabilities: {} });
    return sendTo(`${address}/session/${sessionId}`);
  };
  const send = await startSession().catch(startSession);
  starting.defer(() => send('', {}, 'DELETE'));
  await send('/window/rect', { x: 0, y: 0, width: 1280, height: 1000 });
  const programs = starting.move();
  return { openTab: async () => openTab(send), [Symbol.asyncDispose]: () => programs.disposeAsync() };
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
