import { AppError } from '#server/app-error.ts';
import { ANSWER_MS } from '#server/deadlines.ts';
import { createOptOutStore } from '#server/lookup/opt-outs.ts';
import type { Vault } from '#server/vault/vault.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import type { Ledger } from './ledger.ts';
import type { SimulatedPlatform } from './platform.ts';
import type { Postgres } from './postgres.ts';
import { createHost, type Nature } from './schedule.ts';
import type { Server } from './server.ts';

type PeopleDeps = Nature & {
  readonly servers: () => readonly Server[];
  readonly ledger: Ledger;
  readonly platform: SimulatedPlatform;
  readonly postgres: Postgres;
  readonly vault: Vault;
};

/** `lost`: the server has died or stood still, and nobody knows what became of it. */
type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'lost' };

const POPULAR = distinctIds(4);
const [SOMEBODY = ''] = POPULAR;
const FIRST_LENT = 100;
const THINKING_MS = 2_000;
const LENT_MS = 5_000;
const AGAIN_MS = 400;
const TRIES = 12;
/** Until every server that can read its records knows of an opt-out; and for so long it may rest before. */
const KNOWN_MS = 2_000;

export const createPeople = (deps: PeopleDeps) => {
  const { schedule, dice, tell, servers, ledger, platform, postgres, vault } = deps;
  let [asked, lent, names] = [POPULAR.length, FIRST_LENT, 0];

  const newcomer = () => {
    names += 1;
    return {
      name: `person ${names}`,
      address: `10.${dice.below(200)}.${dice.below(250)}.${dice.below(250)}`,
    };
  };
  type Person = ReturnType<typeof newcomer>;

  const request = <T>(who: Person, server: Server, what: string, work: () => Promise<T> | T) =>
    new Promise<Outcome<T>>((resolve) => {
      const sentMs = schedule.nowMs();
      const end = (outcome: Outcome<T>, said: string): void => {
        tell(who.name, `${what} at ${server.host.name}: ${said}`);
        resolve(outcome);
      };
      const refuse = (error: unknown): void => {
        if (!(error instanceof AppError)) return ledger.breaks(`a person was told ${String(error)}`);
        const wasStopped = server.host.wasStoppedSince(sentMs);
        return end(wasStopped ? { kind: 'lost' } : { kind: 'refused', code: error.code }, error.code);
      };
      server.host.onDeath(() => end({ kind: 'lost' }, 'cut off'));
      const begin = async (): Promise<T> => work();
      server.host.run(0, () => void begin().then((value) => end({ kind: 'done', value }, 'done'), refuse));
    });
  /** The proof to a challenge of one server is taken to another. */
  const prove = async (who: Person): Promise<readonly [Server, string] | string> => {
    if (servers().length === 0) return 'lost';
    const issuer = dice.pick(servers());
    const outcome = await request(who, issuer, 'a challenge', () => issuer.issueChallenge(who.address));
    await schedule.pause(dice.below(THINKING_MS));
    if (outcome.kind !== 'done') return outcome.kind === 'lost' ? 'lost' : outcome.code;
    return servers().length === 0
      ? 'lost'
      : [dice.pick(servers()), encodeProof(solveChallenge(outcome.value))];
  };

  const lookUp = async (who: Person, server: Server, id: string, proof: string): Promise<string> => {
    const sentMs = schedule.nowMs();
    const cancel = schedule.in(ANSWER_MS, () => {
      if (!server.host.wasStoppedSince(sentMs)) ledger.breaks(`${who.name} has no answer after ten seconds`);
    });
    const outcome = await request(who, server, `a lookup of ${id}`, () =>
      server.lookUp(id, proof, who.address),
    );
    cancel();
    const outMs = ledger.optedOutAt(id);
    const isShown = outcome.kind === 'done' && outcome.value.kind === 'found';
    if (isShown && schedule.nowMs() > outMs + KNOWN_MS && !server.host.wasHarmedSince(outMs - KNOWN_MS))
      ledger.breaks('somebody who had opted out was shown');
    return outcome.kind === 'refused' ? outcome.code : outcome.kind;
  };

  const withdraw = async (who: Person, token: string, receipt: string): Promise<void> => {
    ledger.askedBack(token);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { address } = newcomer();
      const given = await prove({ ...who, address });
      if (typeof given !== 'string') {
        const [server, proof] = given;
        const text = dice.pick([token, receipt]);
        const work = () => server.withdraw(text, proof, address);
        const { kind } = await request(who, server, `a withdrawal of ${lent}`, work);
        if (kind === 'done') return ledger.withdrawn(token);
      }
      await schedule.pause(AGAIN_MS);
    }
  };

  return {
    /** What the visitor was told; of several requests with one proof the first. */
    visit: async (): Promise<string> => {
      const who = newcomer();
      const given = await prove(who);
      if (typeof given === 'string') return given;
      const [server, proof] = given;
      asked += 1;
      const id = dice.chance(0.4) ? dice.pick(POPULAR) : (distinctIds(1, asked)[0] ?? '');
      const others = dice.chance(0.2) ? servers() : [];
      const lookups = [server, ...others].map(async (one, n) => {
        await schedule.pause(n * dice.below(AGAIN_MS));
        return lookUp(who, one, id, proof);
      });
      return (await Promise.all(lookups))[0] ?? '';
    },
    /** Of a token that two servers are given at once, one is refused. */
    donate: async (): Promise<void> => {
      const who = newcomer();
      lent += 1;
      const token = platform.mint(lent);
      const give = async (): Promise<Outcome<string>> => {
        const given = await prove(who);
        if (typeof given === 'string') return { kind: 'lost' };
        const [server, proof] = given;
        const work = () => server.donate(token, proof, who.address);
        const outcome = await request(who, server, `a donation of ${lent}`, work);
        // Nobody is left to undo it.
        server.host.onDeath(() => ledger.donationForgotten(token));
        return outcome;
      };
      const outcomes = await Promise.all(dice.chance(0.2) ? [give(), give()] : [give()]);
      const kept = outcomes.find(({ kind }) => kind === 'done');
      if (outcomes.every(({ kind }) => kind === 'refused')) ledger.donationRefused(token);
      if (kept?.kind !== 'done') return;
      ledger.donated(kept.value, token);
      await schedule.pause(dice.below(LENT_MS));
      if (dice.chance(0.7)) await withdraw(who, token, kept.value);
    },
    /** The operator's command is a process of its own. */
    optOut: async (): Promise<void> => {
      const store = createOptOutStore(postgres.recordsFor(createHost(deps, 'ops')));
      const id = dice.pick(POPULAR);
      const isAdded = await store.add(vault.optOutDigest(id), '2026-11-20').catch(() => false);
      tell('ops', `${id} ${isAdded ? 'has opted out' : 'has not'}`);
      if (isAdded) ledger.optedOut(id);
    },
    replay: async (proof: string): Promise<void> => {
      if (servers().length > 0) await lookUp(newcomer(), dice.pick(servers()), SOMEBODY, proof);
    },
  };
};
