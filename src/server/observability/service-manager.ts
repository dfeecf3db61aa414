import { spawn } from 'node:child_process';
import type { Environment } from '#server/setting-reader.ts';

/** By systemd's own program, because Node has no Unix datagram sockets. Never rejects. */
export const notifyServiceManager = (env: Environment, state: 'READY=1' | 'STOPPING=1'): Promise<boolean> => {
  const { NOTIFY_SOCKET, PATH } = env;
  if (NOTIFY_SOCKET === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    spawn('systemd-notify', [state], { env: { NOTIFY_SOCKET, PATH }, stdio: 'ignore' })
      .once('error', () => resolve(false))
      .once('exit', (exitCode) => resolve(exitCode === 0));
  });
};
