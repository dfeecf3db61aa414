import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SERVER_ARGS } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import { startChildServer, temporaryFolder, type ChildServer } from './child-server.ts';
import type { RecordedAnswer } from './bare-server.ts';
import { postRequest } from './http-load.ts';
import { solvedProofs } from './solved-proofs.ts';

/**
 * The product and its two floors, each in a process of its own, answering with the same bodies: `bare` with the headers
 * that it cannot do without, `sameBytes` with all that the product sends.
 */
export type HttpServers = AsyncDisposable & {
  readonly product: ChildServer;
  readonly bare: ChildServer;
  readonly sameBytes: ChildServer;
  readonly scriptPath: string;
};

/** A sample profile of the sandbox; after the first lookup it is in the cache. */
export const PROFILE_ID = '441997505123577857';
const UNLIMITED = '10000000';

const BARE = fileURLToPath(import.meta.resolve('./bare-server.ts'));

/** The real server, with room for any number of visitors and puzzles that are soon solved. */
export const startProduct = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildServer> => {
  const port = await freePort();
  return startChildServer({
    args: SERVER_ARGS,
    port,
    env: {
      PORT: String(port),
      ADMIN_PORT: '0',
      SANDBOX_PORT: '0',
      PUBLIC_URL: `http://localhost:${port}`,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      POW_MAX_NUMBER: '1000',
      CHALLENGES_PER_MINUTE: UNLIMITED,
      LOOKUPS_PER_MINUTE: UNLIMITED,
      LOOKUPS_PER_DAY: UNLIMITED,
      ...settings,
    },
  });
};

const lookupBody = (proof: string): string => JSON.stringify({ discord_id: PROFILE_ID, proof });

export const lookupRequest = (proof: string): string => postRequest('/lookup', lookupBody(proof));

/** Node writes these by itself. */
const OF_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length']);

const record = async (port: number, path: string, body?: string): Promise<RecordedAnswer> => {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = {
    'accept-encoding': 'br',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const asked = request({ port, path, method, headers }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const { rawHeaders } = response;
  return {
    headers: rawHeaders.filter((_, n) => !OF_NODE.has((rawHeaders[n & ~1] ?? '').toLowerCase())),
    body: (await buffer(response)).toString('base64'),
  };
};

const findScript = async (port: number): Promise<string> => {
  const html = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const path = /"(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
  if (path === undefined) throw new Error('The page has no script.');
  return path;
};

const recordAll = async (port: number, scriptPath: string): Promise<Record<string, RecordedAnswer>> => {
  const [first = '', second = ''] = await solvedProofs(port, 2);
  await record(port, '/lookup', lookupBody(first));
  // From then on a profile says its age.
  await delay(1_100);
  return {
    '/': await record(port, '/'),
    '/challenge': await record(port, '/challenge'),
    '/lookup': await record(port, '/lookup', lookupBody(second)),
    [scriptPath]: await record(port, scriptPath),
  };
};

export const startHttpServers = async (): Promise<HttpServers> => {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(temporaryFolder());
  const product = parts.use(await startProduct(folder.path));
  const scriptPath = await findScript(product.port);
  const answers = join(folder.path, 'answers.json');
  writeFileSync(answers, JSON.stringify(await recordAll(product.port, scriptPath)));
  const startFloor = async (...args: string[]): Promise<ChildServer> => {
    const port = await freePort();
    const all = [BARE, '--port', String(port), '--answers', answers, ...args];
    return parts.use(await startChildServer({ args: all, port }));
  };
  const bare = await startFloor();
  const sameBytes = await startFloor('--all-headers');
  const running = parts.move();
  return { product, bare, sameBytes, scriptPath, [Symbol.asyncDispose]: () => running.disposeAsync() };
};
