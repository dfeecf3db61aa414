import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import type { App } from '#server/app.ts';

/** Asks the admin listener, which is opened on a free port if it is not open yet. */
export const readAdmin = async ({ admin }: App, path: string): Promise<{ status: number; text: string }> => {
  if (!admin.listening) await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve));
  const { port } = admin.address() as AddressInfo;
  const response = await request(`http://127.0.0.1:${port}${path}`);
  return { status: response.statusCode, text: await response.body.text() };
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
