/** A visitor gets an answer within this time, whatever the platform does. */
export const ANSWER_MS = 10_000;

/** A lookup gives up before that, so that its answer can still be written. */
export const LOOKUP_MS = ANSWER_MS - 500;

/** Waiting for a token may take half of it: there must be time for the call. */
export const QUEUE_MS = ANSWER_MS / 2;

/** One call to the platform: a lookup that waited for neither must be able to make a second one. */
export const CALL_MS = 6_000;
export const HEADERS_MS = 4_000;

/** With less time than this left a call would only be cut off, and held against the platform. */
export const SHORTEST_CALL_MS = 1_000;

/** How long a request that is not a lookup waits for its turn: the pace lets one pass at a time. */
export const TURN_MS = 2_000;

/** Between "not ready" and the end of new connections: a load balancer must notice. One server alone has none, but a proxy that keeps connections. */
export const stopDelayMs = ({ databaseUrl }: { readonly databaseUrl: unknown }): number =>
  databaseUrl === null ? 1_000 : 5_000;

/** A stop that takes longer hangs, and is cut off. The delay before it is added. */
export const STOP_MS = ANSWER_MS + 2_000;

export const STATEMENT_MS = 1_000;

/** The longest wait that the platform was seen to ask for. Longer ones are a mistake: we try again after this time. */
export const MAX_WAIT_MS = 86_400_000;

/** How often to ask PostgreSQL again where only another server's answer can help. */
export const POLL_MS = 50;

/** What was granted is not used later: what was known then may no longer hold. No statement takes effect later, either. */
export const PERMIT_MS = 2_000;

/** Until then what was granted leaves, or not at all: a token that is withdrawn is used by nobody after this time. */
export const LEAVE_MS = 500;

/** After this time a request whose answer was never recorded, because its server died, no longer counts as in flight. */
export const FLIGHT_MS = PERMIT_MS + CALL_MS + 3 * STATEMENT_MS;
