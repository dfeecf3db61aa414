import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '#test/support/free-port.ts';
import { startChildServer, temporaryFolder, type ChildServer } from './child-server.ts';
import { getRequest, postRequest, runLoad } from './http-load.ts';
import { solvedProofs } from './solved-proofs.ts';

/** The product and the yardstick, each in a process of its own, answering with the same bytes. */
export type HttpServers = AsyncDisposable & {
  readonly product: ChildServer;
  readonly bare: ChildServer;
  readonly scriptPath: string;
};

/** A sample profile of the sandbox; after the first lookup it is in the cache. */
export const PROFILE_ID = '441997505123577857';
const UNLIMITED = '10000000';

const PRODUCT = fileURLToPath(import.meta.resolve('../src/server/main.ts'));
const BARE = fileURLToPath(import.meta.resolve('./bare-server.ts'));

/** The real server, with room for any number of visitors and puzzles that are soon solved. */
export const startProduct = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildServer> => {
  const port = await freePort();
  return startChildServer({
    script: PRODUCT,
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

export const lookupRequest = (proof: string): string =>
  postRequest('/lookup', JSON.stringify({ discord_id: PROFILE_ID, proof }));

const bodyOf = async (port: number, request: string): Promise<Buffer> => {
  let body = '';
  await runLoad({ port, requests: [request], onBody: (text) => (body = text) });
  return Buffer.from(body, 'latin1');
};

const findScript = async (port: number): Promise<string> => {
  const html = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const path = /<script[^>]* src="([^"]+)"/.exec(html)?.[1];
  if (path === undefined) throw new Error('The page has no script.');
  return path;
};

export const startHttpServers = async (): Promise<HttpServers> => {
  const folder = temporaryFolder();
  const product = await startProduct(folder.path);
  const scriptPath = await findScript(product.port);
  const [proof = ''] = await solvedProofs(product.port, 1);
  const port = await freePort();
  const contents = { page: getRequest('/'), script: getRequest(scriptPath), profile: lookupRequest(proof) };
  const args = ['--port', String(port)];
  for (const [name, request] of Object.entries(contents)) {
    const file = join(folder.path, name);
    writeFileSync(file, await bodyOf(product.port, request));
    args.push(`--${name}`, file);
  }
  const bare = await startChildServer({ script: BARE, args, port });
  return {
    product,
    bare,
    scriptPath,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([product, bare].map((server) => server[Symbol.asyncDispose]()));
      folder[Symbol.dispose]();
    },
  };
};
