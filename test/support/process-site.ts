import { join } from 'node:path';
import type { Answer, Visitors } from '#test/suites/load/visitors.ts';
import { createSandbox, type SandboxOptions } from '#sandbox/sandbox.ts';
import { readAdminAt } from './admin-client.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The sandbox in the test's own process, and the settings that lead another process to it. */
export const startPlatform = async (options?: SandboxOptions) => {
  const sandbox = createSandbox(options);
  const { apiUrl, cdnUrl } = await sandbox.listen();
  const env = { DISCORD_API_URL: apiUrl, DISCORD_CDN_URL: cdnUrl };
  return { sandbox, env, [Symbol.asyncDispose]: sandbox.close };
};

/** All that a server's process is started with: a folder, such a platform, and a port for the operator. */
export const prepareSite = async () => {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(temporaryFolder());
  const platform = parts.use(await startPlatform());
  const adminPort = String(await freePort());
  const all = parts.move();
  return {
    sandbox: platform.sandbox,
    folder: folder.path,
    env: {
      ...platform.env,
      DATA_DIR: join(folder.path, 'data'),
      ADMIN_PORT: adminPort,
      POW_MAX_NUMBER: '1000',
    },
    readAdmin: (path: string) => readAdminAt(adminPort, path),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
};

/** On a busy machine a server may shed load: visitors come again until it takes them. */
export const askUntilTaken = async (visitors: Visitors, path: string, body: object): Promise<Answer> => {
  for (;;) {
    const answer = await visitors.next().ask(path, body);
    if (answer.code !== 'overloaded') return answer;
  }
};
