import type { Config } from './config.ts';
import type { Events } from './observability/events.ts';
import type { Logger } from './observability/logger.ts';
import { createStateEvents } from './observability/state-events.ts';
import type { Records } from './open-records.ts';
import { connectPlatform, type Platform } from './platform/platform.ts';
import type { StartedPlatform } from './platform/start-platform.ts';
import { createOwnTokens, type OwnTokens } from './pool/own-tokens.ts';
import { createTokenPool, type TokenPool, type TokenPoolDeps } from './pool/token-pool.ts';
import type { State } from './state/state.ts';
import type { System } from './system.ts';

export type OpenPoolDeps = Pick<TokenPoolDeps, 'onSuspected' | 'onFailure'> & {
  readonly config: Config;
  readonly startedPlatform: StartedPlatform;
  readonly system: System;
  readonly records: Records;
  readonly events: Events;
  readonly logger: Logger;
  /** A server of another version has changed the tables: the process must end. */
  readonly onLayoutChanged: (() => void) | undefined;
};

export type OpenedPool = {
  readonly state: State;
  readonly platform: Platform;
  readonly pool: TokenPool;
  readonly ownTokens: OwnTokens;
};

/** What servers share, the platform, and the pool in front of it, with the operator's own tokens. */
export const openPool = (deps: OpenPoolDeps): OpenedPool => {
  const { config, startedPlatform, system, records, events, logger } = deps;
  const { onLayoutChanged, onSuspected, onFailure } = deps;
  const { clock, random } = system;
  const stateEvents = createStateEvents(logger, events.registry);
  const state = records.openState({
    system,
    perSecond: config.egressPerSecond,
    ttlMs: config.captcha.ttlSeconds * 1_000,
    events: {
      ...events,
      ...stateEvents,
      layoutChanged: () => {
        stateEvents.layoutChanged();
        onLayoutChanged?.();
      },
    },
  });
  const serve = (): void => pool.serve();
  const store = state.openTokens(serve);
  const platform = connectPlatform({
    clock,
    random,
    apiUrl: startedPlatform.urls.apiUrl,
    publicUrl: config.publicUrl,
    store,
    onAnswer: events.platformAnswered,
    onSettled: serve,
    onDefect: events.requestFailed,
  });
  const pool = createTokenPool({
    clock,
    platform,
    store,
    idOf: ({ secret }) => records.vault.poolDigest(secret.reveal()),
    onSuspected,
    onFailure,
  });
  const ownTokens = createOwnTokens(pool, startedPlatform.tokens, onFailure);
  ownTokens.replace(config.botTokens);
  return { state, platform, pool, ownTokens };
};
