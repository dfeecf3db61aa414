import { spawn } from 'node:child_process';
import type { Environment } from '#server/setting-reader.ts';

/** The notifications that systemd understands. */
export type ServiceState = 'READY=1' | 'STOPPING=1';

/**
 * Tells systemd how far we are, if it started us and asks for it. Through a program of systemd's, because Node has no
 * sockets of this kind; which gets nothing of our environment that it does not need. Resolves with false if that
 * could not be done, and never rejects.
 */
export const tellServiceManager = (env: Environment, state: ServiceState): Promise<boolean> => {
  const { NOTIFY_SOCKET, PATH } = env;
  if (NOTIFY_SOCKET === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    spawn('systemd-notify', [state], { env: { NOTIFY_SOCKET, PATH }, stdio: 'ignore' })
      .once('error', () => resolve(false))
      .once('exit', (exitCode) => resolve(exitCode === 0));
  });
};
