import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { forgetful } from '#test/support/fake-platform.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createEgressFile } from '../egress-file.ts';
import type { Settlement } from '../egress-rules.ts';
import { createMemoryPermitStore } from './memory-permit-store.ts';
import { createStanding, type StandingDeps } from './standing.ts';

const INVALID: Settlement = { isInvalid: true, banMs: null, isAnswered: true };
const BANNED: Settlement = { ...INVALID, banMs: 3_600_000 };

const create = (deps: Partial<StandingDeps> & Pick<StandingDeps, 'clock'>) =>
  createStanding({ onJournalFailed: () => {}, journal: forgetful, ...deps });

describe('the count of invalid answers', () => {
  it('stops at the limit, counting what is in flight as if it were invalid', () => {
    const { clock } = createFakeSystem();
    const standing = create({ clock, limit: 10 });
    for (let n = 0; n < 6; n += 1) standing.settled('getUser', INVALID);
    expect(standing.freeAtMs(0, 3)).toBe(-Infinity);
    expect(standing.freeAtMs(0, 4)).toBeGreaterThan(0);
  });

  it('opens again when ten minutes have passed, not sooner', async () => {
    const { clock, advance } = createFakeSystem();
    const standing = create({ clock, limit: 2 });
    standing.settled('getUser', INVALID);
    await advance(9_000);
    standing.settled('getUser', INVALID);
    await advance(599_000);
    expect(standing.freeAtMs(clock.monotonicMs(), 0)).toBeGreaterThan(clock.monotonicMs());
    await advance(2_001);
    expect([standing.freeAtMs(clock.monotonicMs(), 0), standing.count()]).toEqual([-Infinity, 0]);
  });

  it('goes on when the file cannot be written, and says so', () => {
    const { clock } = createFakeSystem();
    let failures = 0;
    const write = () => {
      throw Object.assign(new Error('The disk is full.'), { syscall: 'write' });
    };
    const onJournalFailed = () => (failures += 1);
    const standing = create({ clock, journal: { ...forgetful, write }, onJournalFailed });
    standing.settled('getUser', INVALID);
    standing.settled('getUser', INVALID);
    expect([standing.count(), failures]).toEqual([2, 2]);
  });
});

/** Processes that share a folder, at the same time or one after the other. */
const onOneMachine = () => {
  const folder = temporaryFolder();
  onTestFinished(folder[Symbol.dispose]);
  const path = join(folder.path, 'egress.jsonl');
  let seed = 0;
  const start = (isServer: boolean, wallMs = 1_000_000) => {
    seed += 1;
    const system = createFakeSystem({ wallMs, seed });
    const { clock, advance } = system;
    const journal = createEgressFile({ path, system, isServer });
    const standing = create({ clock, journal, isCommand: !isServer });
    const store = createMemoryPermitStore({ clock, standing, perSecond: 10 });
    const mayAsk = async () => (await store.take('getOwnUser')) !== null;
    return { clock, advance, standing, store, mayAsk };
  };
  return {
    path,
    server: (wallMs?: number) => start(true, wallMs),
    command: (wallMs?: number) => start(false, wallMs),
  };
};

describe('processes of one machine', () => {
  it('know each other’s invalid answers, in any order, and those from before a restart', async () => {
    const { server, command } = onOneMachine();
    const [first, checking] = [server(), command()];
    for (let n = 0; n < 5; n += 1) checking.standing.settled('getOwnUser', INVALID);
    for (let n = 0; n < 3; n += 1) first.standing.settled('getUser', INVALID);
    for (const { store, standing } of [first, checking]) {
      for (let reads = 0; reads < 2; reads += 1) store.pause(0);
      expect(standing.count()).toBe(8);
    }
    const restarted = server(1_300_000);
    expect(restarted.standing.count()).toBe(8);
    await restarted.advance(311_000);
    expect(restarted.standing.count()).toBe(0);
  });

  it('know the bans of one another, and of those before a restart, for as long as they last', async () => {
    const { server, command } = onOneMachine();
    const [first, second] = [server(), command()];
    expect(await second.mayAsk()).toBe(true);
    first.standing.settled('getUser', BANNED);
    expect(await second.mayAsk()).toBe(false);
    for (const later of [server(1_900_000), command(1_900_000)]) {
      expect(await later.mayAsk()).toBe(false);
      const pause = { cause: 'banned', untilMs: 2_700_000 };
      expect(later.store.pause(0, 'getOwnUser')).toEqual(pause);
      await later.advance(2_700_001);
      expect(await later.mayAsk()).toBe(true);
    }
    expect(server(4_700_000).store.pause(0)).toBeNull();
  });

  it('leave a turn for every request of a command', async () => {
    const { server, command } = onOneMachine();
    const [serving, checking] = [server(), command()];
    expect(await checking.mayAsk()).toBe(true);
    expect(await serving.mayAsk()).toBe(false);
    await serving.advance(103);
    expect(await serving.mayAsk()).toBe(true);
  });

  it('believe a wrong clock for no longer than the rules allow', async () => {
    const { path, server } = onOneMachine();
    const ahead = { at: 86_400_000_000, until: 86_400_000_000 };
    const notes = [{ kind: 'invalid' }, { kind: 'banned', question: 'getUser' }];
    for (const note of notes) appendFileSync(path, `\n${JSON.stringify({ ...ahead, ...note })}\n`);
    const { standing, store, advance } = server();
    expect([standing.count(), store.pause(0)?.cause]).toEqual([1, 'banned']);
    await advance(611_000);
    expect(standing.count()).toBe(0);
    expect(store.pause(0)?.untilMs).toBeLessThan(2 * 86_400_000);
  });

  it('keep the file short, and what still counts in it', async () => {
    const { path, server, command } = onOneMachine();
    const serving = server();
    serving.standing.settled('getUser', BANNED);
    for (let round = 0; round < 4; round += 1) {
      for (let n = 0; n < 300; n += 1) serving.standing.settled('getUser', INVALID);
      await serving.advance(300_000);
    }
    expect(statSync(path).size).toBeLessThan(100_000);
    const other = command(2_200_000);
    expect(other.standing.count()).toBe(serving.standing.count());
    expect(other.store.pause(0)?.cause).toBe('banned');
    expect(serving.standing.catchUp()).toEqual({ bans: new Map(), sent: 0 });
  });

  it('read what a crash has left of a note as nothing', () => {
    const { path, server, command } = onOneMachine();
    for (const torn of ['{"at":1000000,"kind":"inv', 'null\n[]\n{}\n7\n', 'null']) {
      appendFileSync(path, torn);
      server().standing.settled('getUser', INVALID);
    }
    expect(command().standing.count()).toBe(3);
    expect(readFileSync(path, 'utf8')).not.toContain('getUser');
  });
});
