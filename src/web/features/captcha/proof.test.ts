import { expect, it } from 'vitest';
import { createProofs } from './proof.ts';

const SIGNED = {
  algorithm: 'SHA-256',
  challenge: 'c'.repeat(40),
  salt: 'salt?expires=1763170000&',
  signature: 's',
};
const EXPIRES_MS = 1_763_170_000_000;
const TASK = 50_000;

type Task = readonly [start: number, end: number];

const json = (changes: object = {}, config?: unknown): Response =>
  Response.json(
    { ...SIGNED, maxnumber: 5, ...changes },
    config === undefined ? {} : { headers: { 'x-altcha-config': JSON.stringify(config) } },
  );

/** Workers that do nothing until they are told what they found. */
const setUp = (answer: () => Response = json, cores = 3) => {
  const team: { tasks: Task[]; ended: boolean; answer: (data: unknown) => void; fail: () => void }[] = [];
  const time = { nowMs: 0, clockMs: 0 };
  let asked = 0;
  const proofs = createProofs({
    fetch: async () => {
      asked += 1;
      return answer();
    },
    startWorker: () => {
      const events = new EventTarget();
      const member = {
        tasks: [] as Task[],
        ended: false,
        answer: (data: unknown) => void events.dispatchEvent(new MessageEvent('message', { data })),
        fail: () => void events.dispatchEvent(new Event('error')),
      };
      team.push(member);
      return {
        addEventListener: (type, listener) => events.addEventListener(type, listener as EventListener),
        postMessage: (message) => {
          const { start, end } = message as { start: number; end: number };
          member.tasks.push([start, end]);
        },
        terminate: () => void (member.ended = true),
      };
    },
    cores: () => cores,
    nowMs: () => time.nowMs,
    clockMs: () => time.clockMs,
  });
  const take = async () => {
    const attempt = proofs.take();
    await attempt.response.catch(() => undefined);
    return attempt;
  };
  return { proofs, team, time, take, asked: () => asked };
};

it('§125 a proof is made of what the workers find, as the widget makes it', async () => {
  const { take, team, time } = setUp();
  const attempt = await take();
  expect(team.map(({ tasks }) => tasks)).toEqual([[[0, 6]]]);
  time.nowMs = 12.4;
  team[0]?.answer({ number: 3 });
  expect(JSON.parse(atob((await attempt.proof) ?? ''))).toEqual({ ...SIGNED, number: 3, took: 12 });
  expect(team.every(({ ended }) => ended)).toBe(true);
});

it.each(['SHA-256', 'sha-384', 'SHA-512'])(
  '§169–171, 175, 177, 190 a challenge of %s is searched, and left for the widget to read',
  async (algorithm) => {
    const shortest = { algorithm, salt: '0'.repeat(10), challenge: 'c'.repeat(40) };
    const { take, team } = setUp(() => json(shortest));
    const attempt = await take();
    expect(team).toHaveLength(1);
    expect(await (await attempt.response).json()).toMatchObject(shortest);
  },
);

it.each([
  ['is no JSON', () => new Response('{')],
  ['has an unknown algorithm', () => json({ algorithm: 'SHA-1' })],
  ['has a short salt', () => json({ salt: '0'.repeat(9) })],
  ['has a short challenge', () => json({ challenge: 'c'.repeat(39) })],
  ['has no signature', () => json({ signature: undefined })],
  ['has an empty signature', () => json({ signature: '' })],
  ['asks for a code', () => json({ codeChallenge: { image: '/code.png' } })],
])('§172–174, 176, 228–230 an answer is no challenge if it %s', async (_, answer) => {
  const { take, team } = setUp(answer);
  const attempt = await take();
  expect([(await attempt.response).status, await attempt.proof, team]).toEqual([422, undefined, []]);
});

it('§187 an answer with another status than 200 is no challenge, and keeps its status', async () => {
  const { take, team } = setUp(() => Response.json(SIGNED, { status: 203 }));
  expect([(await (await take()).response).status, team]).toEqual([203, []]);
});

it.each([
  [{}, undefined, 1_000_001],
  [{}, { maxnumber: 9 }, 10],
  [{}, { maxnumber: 'x' }, 1_000_001],
  [{ maxnumber: 7 }, { maxnumber: 9 }, 8],
])('§124, 222 of %j, configured with %j, the numbers before %i are searched', async (named, config, end) => {
  const { take, team } = setUp(() => json({ maxnumber: undefined, ...named }, config));
  await take();
  for (let task = 0; task < end / TASK; task += 1) for (const worker of team) worker.answer(null);
  expect(Math.max(...team.flatMap(({ tasks }) => tasks.map(([, last]) => last)))).toBe(end);
});

it.each([
  [3, undefined, 2, 3],
  [32, undefined, 8, 16],
  [0, undefined, 4, 8],
  [3, 1, 1, 1],
  [3, 64, 8, 16],
])(
  '§170, 224–227 with %i cores and %s workers configured, %i begin ahead, and %i once somebody waits',
  async (cores, workers, half, all) => {
    const { proofs, take, team } = setUp(() => json({ maxnumber: 1e9 }, workers && { workers }), cores);
    proofs.begin();
    await expect.poll(() => team.length).toBe(half);
    await take();
    expect(team).toHaveLength(all);
  },
);

it('who configures the widget gets its proof from the widget', async () => {
  const { take, team } = setUp(() => json({}, {}));
  const attempt = await take();
  team[0]?.answer({ number: 3 });
  expect(await attempt.found).toMatchObject({ number: 3 });
  expect(await attempt.proof).toBeUndefined();
});

it('a search goes through the whole range, each number once, and ends without a proof', async () => {
  const { proofs, take, team } = setUp(() => json({ maxnumber: 2 * TASK }, { workers: 1 }));
  const attempt = await take();
  expect(proofs.share()).toBe(0);
  for (let task = 0; task < 3; task += 1) team[0]?.answer(null);
  expect(team[0]?.tasks).toEqual([
    [0, TASK],
    [TASK, 2 * TASK],
    [2 * TASK, 2 * TASK + 1],
  ]);
  expect(proofs.share()).toBe(1);
  expect(await attempt.found).toBeNull();
});

it('a worker that dies leaves its part to the others, and the last one the search without a proof', async () => {
  const { take, team } = setUp(() => json({ maxnumber: 6 * TASK - 1 }));
  const attempt = await take();
  team[0]?.fail();
  for (let task = 0; task < 6; task += 1) for (const worker of team.slice(1)) worker.answer(null);
  const starts = team.slice(1).flatMap(({ tasks }) => tasks.map(([start]) => start));
  expect(starts.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5].map((task) => task * TASK));
  expect(await attempt.found).toBeNull();
  const alone = setUp();
  const lost = await alone.take();
  alone.team[0]?.fail();
  expect(await lost.found).toBeNull();
});

it('what was begun is handed over once, unless it failed or is about to expire', async () => {
  const { proofs, time, asked, team } = setUp();
  proofs.begin();
  proofs.begin();
  await expect.poll(() => team.length).toBe(1);
  proofs.take();
  expect(asked()).toBe(1);
  proofs.take();
  expect(asked()).toBe(2);
  proofs.begin();
  await expect.poll(() => team.length).toBe(3);
  team[2]?.fail();
  await expect.poll(() => (proofs.begin(), asked())).toBe(4);
  await expect.poll(() => team.length).toBe(4);
  time.clockMs = EXPIRES_MS - 9_000;
  proofs.take();
  expect(asked()).toBe(5);
  expect(team[3]?.ended).toBe(true);
});

it('an attempt that is ended gives nothing, and nobody hears of it', async () => {
  const { proofs, team } = setUp();
  const early = proofs.take();
  early.end();
  expect([await early.found, await early.proof, team]).toEqual([null, undefined, []]);
});
