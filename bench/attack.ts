import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { percentile } from '#test/suites/load/figures.ts';
import { startFlood, type FloodName } from '#test/suites/load/flood.ts';
import { solvedProofs } from '#test/suites/load/raw-load.ts';
import { atMost, type Benchmark } from './benchmark.ts';
import { interleave } from './rounds.ts';
import { PROFILE_ID, separateCores, startProduct, type Server } from './server.ts';

const AIM_MS = 50;
const BETWEEN_MS = 10;
/** Another address than any of the attackers'. */
const VISITOR = { localAddress: '127.9.9.9' };

/** How long one visitor waits for a cached profile; for ever if it is refused. */
const lookUp = async ({ port }: Server, dispatcher: Agent, proof: string): Promise<number> => {
  const startMs = performance.now();
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/lookup`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ discord_id: PROFILE_ID, proof }),
  });
  await body.dump();
  return statusCode === 200 ? performance.now() - startMs : Infinity;
};

/** The 99th percentile of a round, in milliseconds. */
const visitDuring = async (server: Server, visits: number, flood?: FloodName): Promise<number> => {
  await using parts = new AsyncDisposableStack();
  const dispatcher = parts.adopt(new Agent(VISITOR), (agent) => agent.destroy());
  const proofs = await solvedProofs(server.port, visits);
  const attack = flood && parts.use(await startFlood(flood, server.port, 'many'));
  const waitsMs: number[] = [];
  for (const proof of proofs) {
    if (attack?.isOver() === true) break;
    waitsMs.push(await lookUp(server, dispatcher, proof));
    await delay(BETWEEN_MS);
  }
  return percentile(waitsMs, 0.99);
};

export const attackedVisitor: Benchmark = {
  name: 'attack',
  title: 'How long a good visitor waits for a cached profile while one core attacks',
  run: async ({ quick }) => {
    await using server = await startProduct();
    using cores = separateCores([server]);
    const visits = quick ? 100 : 400;
    const { nobody, proofs, junk } = await interleave(quick ? 1 : 5, {
      nobody: () => visitDuring(server, visits),
      proofs: () => visitDuring(server, visits, 'good proofs'),
      junk: () => visitDuring(server, visits, 'junk proofs'),
    });
    const unit = { unit: 'ms', digits: 1 };
    const aim = atMost(AIM_MS);
    return {
      method: [
        `99th percentile of ${visits} lookups at most, one every ${BETWEEN_MS} ms; ${cores.note}, with the attacker.`,
        'The attacker sends what a core can, over 100 connections from as many networks, each as soon as it is answered.',
        'Valid proofs: 20,000 in a round, solved before; half of the connections ask for one profile, half for new ones.',
      ],
      figures: [
        { what: 'nobody attacks', samples: nobody, ...unit },
        { what: 'valid proofs', samples: proofs, ...unit, aim },
        { what: 'junk for proofs', samples: junk, ...unit, aim },
      ],
    };
  },
};
