import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import type { App } from '#server/app.ts';

export type AdminAnswer = { readonly status: number; readonly text: string };

/** Asks the admin listener at a port of this machine. */
export const readAdminAt = async (port: number | string, path: string): Promise<AdminAnswer> => {
  // A connection each, so that none is used while the other end is about to close it.
  const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, { reset: true });
  return { status: statusCode, text: await body.text() };
};

/** Asks the admin listener, which is opened on a free port if it is not open yet. */
export const readAdmin = async ({ admin }: App, path: string): Promise<AdminAnswer> => {
  if (!admin.listening) await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve));
  return readAdminAt((admin.address() as AddressInfo).port, path);
};

/** Whether the app says that it is ready, and all that it says with it. */
export const readReadiness = async (app: App) => {
  const { status, text } = await readAdmin(app, '/readyz');
  return { status, body: JSON.parse(text) as Readonly<Record<string, unknown>> };
};

/** Every series of `/metrics` as it is written there, such as `whoflake_proofs_total{outcome="used"}`. */
export const readMetrics = async (app: App): Promise<ReadonlyMap<string, number>> => {
  const { text } = await readAdmin(app, '/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
};
