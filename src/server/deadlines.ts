/** Times that depend on one another, in milliseconds. Each is derived from the promise that it has to keep. */

/** A visitor gets an answer within this time, whatever the platform does. */
export const ANSWER_MS = 10_000;

/** A lookup gives up before that, so that its answer can still be written. */
export const LOOKUP_MS = ANSWER_MS - 500;

/** Waiting for a token may take half of it: there must be time for the call. */
export const QUEUE_MS = ANSWER_MS / 2;

/** One call to the platform: a lookup that waited for neither must be able to make a second one. */
export const CALL_MS = 6_000;
export const HEADERS_MS = 4_000;
export const CONNECT_MS = 2_000;

/** With less time than this left a call would only be cut off, and held against the platform. */
export const SHORTEST_CALL_MS = 1_000;

/** A question beside the lookups waits this long for its turn: the pace lets one pass at a time. */
export const TURN_MS = 2_000;

/** After the listener is closed: what a client has sent by then is here by then. */
export const IN_TRANSIT_MS = 500;

/**
 * Every answer that is under way when the server stops is still given; a stop that takes longer hangs, and is cut off.
 * The delay before it (`STOP_DELAY_SECONDS`) comes on top.
 */
export const STOP_MS = ANSWER_MS + IN_TRANSIT_MS + 1_500;

/** A shared store that has not answered a question for this long is taken to be gone, however busy we were. */
export const STORE_SILENCE_MS = 3_000;

/** How often to ask a shared store again where only another node's answer can help. */
export const STORE_POLL_MS = 50;

/** A permit, or a token that was taken, is not used later: what the store knew may no longer hold. */
export const PERMIT_MS = 2_000;

/** A request whose answer was never reported, because its node died, is in flight for no longer. */
export const FLIGHT_MS = PERMIT_MS + CALL_MS + STORE_SILENCE_MS;
