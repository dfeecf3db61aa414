import type { Clock } from '#server/system.ts';
import type { StoreAddress } from './store-address.ts';

export type Reply = string | number | null | readonly Reply[];

/** One socket, never a second one: what it loses is lost, and nothing is sent again. */
export type RedisConnection = {
  readonly send: (words: readonly string[]) => Promise<Reply>;
  readonly destroy: () => void;
};

const CONNECT_MS = 2_000;

/** `onClosed` is called at most once, and never if connecting failed. */
export const connectRedis = async (
  clock: Clock,
  address: StoreAddress,
  onClosed: () => void,
): Promise<RedisConnection> => {
  // Loaded here, so that sites without a shared store do not load it.
  const { createClient } = await import('@redis/client');
  const { host, port, tls, username, password, database } = address;
  const client = createClient({
    socket: { host, port, connectTimeout: CONNECT_MS, reconnectStrategy: false, ...(tls && { tls }) },
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    database,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Our own is in `session.ts`: the client's no longer applies once a command has been written.
    commandOptions: { timeout: 0 },
  });
  let isOpen = false;
  const close = (): void => {
    if (isOpen) onClosed();
    isOpen = false;
  };
  client.on('error', close).on('terminated', close).on('end', close);
  // The kernel accepts connections even for a process that is stopped.
  const forgetDeadline = clock.after(CONNECT_MS, () => client.destroy());
  try {
    await client.connect();
    isOpen = true;
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    forgetDeadline();
  }
  return {
    send: (words) => client.sendCommand<Reply>(words),
    destroy: () => client.destroy(),
  };
};
