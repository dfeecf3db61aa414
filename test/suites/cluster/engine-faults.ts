import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { distinctIds } from '#test/support/many-lookups.ts';
import { startOps } from '#test/support/ops-process.ts';
import type { Answer } from '../load/visitors.ts';
import { MAX_CONNECTIONS, type Engine } from './engine.ts';
import { replay } from './replay.ts';
import type { Scene, Seen, Step } from './step.ts';

/** For so long servers may need after PostgreSQL is back, and after another has taken its place. */
const BACK_MS = 2_000;
const BACK_AFTER_FAILOVER_MS = 5_000;
const AFTERWARDS_MS = 3_000;
const NEVER_MS = 60_000;
const DOWN_MS = 8_000;
const WATCHED_MS = 1_000;
const FROZEN_MS = 30_000;
const LAG_MS = 1_000;
const IN_FLIGHT_MS = 100;
const HELD_PROOFS = 40;
const [SOMEBODY = ''] = distinctIds(1);
const DAY = 86_400;

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** After the fault, how long until lookups are answered again: from a cache, and from the platform. */
const andBack = async (scene: Scene, withinMs: number, notes: readonly string[]): Promise<Seen> => {
  const [popular, fresh] = await Promise.all([
    scene.books.nextAnswer('popular', NEVER_MS),
    scene.books.nextAnswer('new', NEVER_MS),
  ]);
  await delay(AFTERWARDS_MS);
  if (popular === null || fresh === null) return { note: 'NOT BACK', broken: 1 };
  const isLate = Math.max(popular, fresh) > withinMs;
  const back = `first answer after ${inSeconds(popular)} s, from the platform ${inSeconds(fresh)} s`;
  return { note: [...notes, isLate ? `TOO LATE: ${back}` : back].join('; '), broken: Number(isLate) };
};

/** What everybody and the operator are told while lookups are refused; each lie is a note. */
const tellsTruth = async (
  { cluster, books }: Scene,
  database: 'unreachable' | 'reachable' = 'unreachable',
): Promise<string[]> => {
  const { answered } = books.total;
  await delay(WATCHED_MS);
  if (books.total.answered > answered) return ['LOOKUPS WENT ON'];
  const status = await cluster.nodes[0]?.status();
  const areReady = await Promise.all(cluster.nodes.map((node) => node.isReady()));
  const env = { ...cluster.env, ADMIN_PORT: `${cluster.nodes[0]?.adminPort}` };
  const { stdout } = await startOps(['doctor'], { env }).ended;
  return [
    ...(status?.paused?.cause === 'store-unavailable' ? [] : ['THE STATUS HIDES IT']),
    ...(areReady.includes(true) ? ['A SERVER SAYS THAT IT IS READY'] : []),
    ...(/^failed +server/m.test(stdout) ? [] : ['THE DOCTOR HIDES IT']),
    ...(database === 'reachable' || /^failed +database/m.test(stdout) ? [] : ['THE DOCTOR BLAMES OTHERS']),
  ];
};

/** Proofs at hand when PostgreSQL stops, and what they are sent with while it is silent. */
const holdProofs = async ({ visitors }: Scene) => {
  const solved = await Promise.all(Array.from({ length: HELD_PROOFS }, () => visitors.next().solve()));
  const proofs = solved.filter((proof) => typeof proof === 'string');
  const sendAll = async (): Promise<string[]> => {
    const answers = await Promise.allSettled(
      proofs.map((proof) => visitors.next().send('/lookup', { discord_id: SOMEBODY, proof })),
    );
    const isRefused = (answer: PromiseSettledResult<Answer> | undefined): boolean =>
      answer?.status === 'fulfilled' && answer.value.code === 'store-unavailable';
    return proofs.filter((_, n) => isRefused(answers[n]));
  };
  return sendAll;
};

/** What was refused because nothing answered must not be done later: its proofs are still good. */
const lateEffects = async ({ visitors }: Scene, proofs: readonly string[]): Promise<string[]> => {
  const { accepted, refused } = await replay(visitors, proofs);
  return [
    `${accepted} refused proofs were good later`,
    ...(accepted === 0 ? ['NONE WAS GOOD'] : []),
    ...(refused > 0 ? [`${refused} WERE SPENT LATER`] : []),
  ];
};

const step = (
  name: string,
  fault: (engine: Engine, scene: Scene) => Promise<readonly string[] | void>,
  withinMs = BACK_MS,
): Step => ({
  name,
  run: async (scene) => {
    const notes = (await fault(scene.cluster.engine, scene)) ?? [];
    const lies = notes.filter((note) => note === note.toUpperCase() && /[A-Z]/.test(note));
    const seen = await andBack(scene, withinMs, notes);
    return { ...seen, broken: (seen.broken ?? 0) + lies.length };
  },
});

/** The clock of PostgreSQL leaps by so many seconds, and is set right after a while. */
const leaping = (seconds: number): Step =>
  step(`its clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'} for 5 s`, async (engine) => {
    engine.setClockAhead(seconds);
    await delay(5_000);
    engine.setClockAhead(0);
  });

const slowed = (delayMs: number): Step =>
  step(`it is ${2 * delayMs} ms away`, async ({ proxy }) => {
    await proxy.steer({ delayMs });
    await delay(5_000);
    await proxy.steer({ delayMs: 0 });
  });

/** Takes every connection that there is, and those of the servers, too: as a superuser, the reserved ones as well. */
const takeAllConnections = async (engine: Engine): Promise<() => Promise<unknown>> => {
  const clients: pg.Client[] = [];
  const { port } = engine.current();
  while (clients.length < MAX_CONNECTIONS) {
    const client = new pg.Client(`postgres://whoflake@127.0.0.1:${port}/postgres`);
    client.on('error', () => {});
    try {
      await client.connect();
      clients.push(client);
    } catch {
      await clients[0]?.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'whoflake'`,
      );
    }
  }
  return () => Promise.all(clients.map((one) => one.end()));
};

/** How often the platform has said 429 so far. */
const rateLimited = async ({ cluster }: Scene): Promise<number> =>
  (await cluster.sandbox.stats()).rateLimited;

/** A replica that lags takes over: what the lag held is forgotten, so a refusal or two may follow. */
const FAILOVER_WITH_LAG: Step = {
  name: 'an asynchronous replica that lags by a second takes over: 429s',
  run: async (scene) => {
    const before = await rateLimited(scene);
    const { engine } = scene.cluster;
    scene.pauseDonors(true);
    await delay(AFTERWARDS_MS);
    await engine.failOver(LAG_MS);
    scene.pauseDonors(false);
    const seen = await andBack(scene, BACK_AFTER_FAILOVER_MS, []);
    const refused = (await rateLimited(scene)) - before;
    scene.excuse(refused);
    return { ...seen, note: `${refused} × 429; ${seen.note}` };
  },
};

export const ENGINE_FAULTS: readonly Step[] = [
  slowed(10),
  step('it is restarted, with a clock that can be set', (engine) => engine.setClockKind('faked')),
  ...[400, -400, DAY, -DAY].map(leaping),
  step('it is restarted, with its own clock', (engine) => engine.setClockKind('own')),
  step('it is killed (-9) and starts again at once', (engine) => engine.current().restart()),
  step('it is killed (-9), and down for a while', async (engine, scene) => {
    await engine.current().stop();
    await delay(DOWN_MS / 2);
    const lies = await tellsTruth(scene);
    await delay(DOWN_MS / 2);
    await engine.current().restart();
    return lies;
  }),
  step('it is stopped (SIGSTOP) for 30 s and goes on', async (engine, scene) => {
    const sendHeld = await holdProofs(scene);
    engine.current().signal('SIGSTOP');
    await delay(IN_FLIGHT_MS);
    const refused = await sendHeld();
    await delay(FROZEN_MS / 2);
    const lies = await tellsTruth(scene);
    await delay(FROZEN_MS / 2);
    engine.current().signal('SIGCONT');
    return [...lies, ...(await lateEffects(scene, refused))];
  }),
  step('its disk is full', async (engine, scene) => {
    const makeRoom = await engine.fillDisk();
    if (makeRoom === null) return ['not tried: no disk of its own could be mounted'];
    await delay(DOWN_MS);
    const lies = await tellsTruth(scene, 'reachable');
    await makeRoom();
    // It may have given up, as it does when it cannot log.
    await engine.ask('select 1').catch(() => engine.current().restart());
    return lies;
  }),
  step('it has no connection left', async (engine, scene) => {
    const giveBack = await takeAllConnections(engine);
    await delay(DOWN_MS / 2);
    const lies = await tellsTruth(scene);
    await giveBack();
    return lies;
  }),
  step('PgBouncer comes between, in transaction mode, and goes', async (engine) => {
    await using bouncer = await engine.startBouncer();
    await engine.proxy.steer({ port: Number(new URL(bouncer.through('postgres://x/y')).port) });
    await delay(DOWN_MS);
    await engine.proxy.steer({ port: engine.current().port });
  }),
  step('connections to it are cut for 3 s', async ({ proxy }) => {
    await proxy.steer({ state: 'closed' });
    await delay(3_000);
    await proxy.steer({ state: 'open' });
  }),
  step('connections to it are a black hole for 5 s', async ({ proxy }) => {
    await proxy.steer({ state: 'silent' });
    await delay(5_000);
    await proxy.steer({ state: 'open' });
  }),
  step('a synchronous replica takes over', (engine) => engine.failOver(0), BACK_AFTER_FAILOVER_MS),
  FAILOVER_WITH_LAG,
];
