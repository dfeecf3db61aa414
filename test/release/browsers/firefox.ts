import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '#test/support/program-process.ts';
import { asPageCode, type Browser, type Tab } from './browser.ts';

const FIREFOX = '/usr/bin/firefox-esr';

export const FIREFOX_PROGRAMS = [FIREFOX];

/** Off, so that nothing that is not ours is asked for. */
const PREFERENCES = [
  'app.normandy.enabled',
  'browser.newtabpage.enabled',
  'browser.safebrowsing.downloads.enabled',
  'datareporting.policy.dataSubmissionEnabled',
  'network.captive-portal-service.enabled',
  'network.connectivity-service.enabled',
];

type Send = <T>(method: string, params?: object) => Promise<T>;
type Reply = { readonly id?: number; readonly type: string; readonly result: unknown };
type Evaluated = { readonly type: string; readonly result: { readonly value: string } };

/** Firefox speaks WebDriver BiDi by itself, over a WebSocket. */
export const startFirefox = async (): Promise<Browser> => {
  const firefox = await startProgram({
    program: FIREFOX,
    args: (folder) => {
      const lines = PREFERENCES.map((name) => `user_pref("${name}", false);\n`);
      writeFileSync(join(folder, 'user.js'), lines.join(''));
      return ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', folder];
    },
    env: { MOZ_CRASHREPORTER_DISABLE: '1' },
    readyLine: /WebDriver BiDi listening on (ws:\S+)/,
  });
  const socket = new WebSocket(`${firefox.ready}/session`);
  await once(socket, 'open');
  const waiting = new Map<number | undefined, (reply: Reply) => void>();
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  let last = 0;
  const send: Send = async <T>(method: string, params = {}) => {
    const id = (last += 1);
    const { promise, resolve } = Promise.withResolvers<Reply>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params }));
    const reply = await promise;
    if (reply.type !== 'success') throw new Error(`${method}: ${JSON.stringify(reply)}`);
    return reply.result as T;
  };
  await send('session.new', { capabilities: {} });
  return { openTab: () => openTab(send), [Symbol.asyncDispose]: () => firefox[Symbol.asyncDispose]() };
};

const openTab = async (send: Send): Promise<Tab> => {
  const { userContext } = await send<{ userContext: string }>('browser.createUserContext');
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab', userContext });
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 900 } });
  return {
    goTo: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    run: async <Args extends readonly unknown[], T>(task: (...args: Args) => T, ...args: Args) => {
      const { type, result } = await send<Evaluated>('script.callFunction', {
        functionDeclaration: asPageCode(task),
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        target: { context },
        awaitPromise: true,
      });
      if (type !== 'success') throw new Error(`The page threw: ${JSON.stringify(result)}`);
      return JSON.parse(result.value) as T;
    },
    act: (actions) => send('input.performActions', { context, actions }),
    traverseHistory: (delta) => send('browsingContext.traverseHistory', { context, delta }),
    [Symbol.asyncDispose]: () => send('browser.removeUserContext', { userContext }),
  };
};
