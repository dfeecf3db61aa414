import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { vi } from 'vitest';
import { libraryPath } from '#test/support/debian-program.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startProgram } from '#test/support/program-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

export type ProxyPorts = { readonly http: number; readonly https: number; readonly upstream: number };

export type Changes = Readonly<Record<string, string>>;

export type Proxy = {
  readonly name: string;
  readonly installed: boolean;
  /** How long it keeps an idle connection to the server, as its shipped configuration says. */
  readonly upstreamIdleMs: () => number;
  /** What makes it wait for a second, where the shipped configuration waits longer, for somebody to read. */
  readonly impatience: Changes;
  readonly start: (ports: ProxyPorts, changes?: Changes) => Promise<RunningProxy>;
};

export type RunningProxy = AsyncDisposable & {
  /** The certificate that its own is signed with. */
  readonly ca: string;
  readonly log: () => string;
};

export const shippedFile = (name: string): string => join(import.meta.dirname, '../../../ops', name);

/** Runs a proxy in a folder of its own until it has a certificate and accepts connections. */
export const startProxyProcess = async (
  { https }: Pick<ProxyPorts, 'https'>,
  prepare: (folder: string) => { program: string; args: string[]; env?: Readonly<Record<string, string>> },
): Promise<AsyncDisposable & { readonly folder: string; readonly log: () => string }> => {
  const folder = temporaryFolder();
  const { program, args, env } = prepare(folder.path);
  const running = await startProgram({
    program,
    args: () => args,
    env: { PATH: '/usr/sbin:/usr/bin', LD_LIBRARY_PATH: libraryPath(), ...env },
    folder: folder.path,
  });
  const accepts = async (): Promise<void> => {
    const socket = connect({ port: https, servername: 'localhost', rejectUnauthorized: false });
    await once(socket, 'secureConnect').catch((error: Error) => {
      throw new Error(`${error.message}: ${running.output()}`);
    });
    socket.destroy();
  };
  await vi.waitFor(accepts, EVENTUALLY);
  return {
    folder: folder.path,
    log: running.output,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};

/** Replaces each text, which must be there, so that a test cannot go past what is shipped. */
export const substitute = (text: string, changes: Changes): string =>
  Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`"${from}" is not in the shipped configuration.`);
    return changed.replaceAll(from, to);
  }, text);
