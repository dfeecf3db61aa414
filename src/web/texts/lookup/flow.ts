import type { ErrorCode, Reaction } from '#shared/contract/errors.ts';
import type { Site } from '#shared/site.ts';

export const CAPTCHA_TITLE = 'Captcha';

export const profileShown = (name: string): string => `Showing the profile of ${name}.`;

export const notFoundNotice = {
  title: 'Nobody has this ID',
  notFound: (id: string, { platformName }: Site) =>
    `No profile was found for ${id}. ${platformName} reports that the snowflake was created at:`,
  causesTitle: 'It’s usually one of these:',
  causes: [
    'The ID belongs to a server, a channel, a role or a message, not to a user.',
    'The account was deleted long ago.',
    'A digit is wrong or missing. Check it against the original.',
  ],
  help: 'What else can an ID belong to?',
};

export const TOKEN_SEEN =
  'That was a bot token, not an ID. We removed it from the field and didn’t send it anywhere. Anyone who has it controls the bot, so don’t paste it anywhere else.';

export const failureNotice = { tryAgain: 'Try again', status: 'View status' };

const STILL_THERE = 'Your ID is still in the field.';
const NOT_THE_ID = 'Your ID is fine, and it’s still in the field.';
const SOON_OVER = `${NOT_THE_ID} This usually clears up within a few minutes.`;

/** What the visitor can do, after the sentence that says what happened. */
export const advice: Readonly<Record<Reaction, string | undefined>> = {
  'solve-again': 'Two captchas in a row were refused. Try again, or reload the page first.',
  // The field is marked and has the focus.
  'fix-input': undefined,
  'try-later': NOT_THE_ID,
  explain: 'This page may be out of date. Reload it and try again.',
};

type Cause = ErrorCode | 'unknown' | 'unreachable' | 'offline';

/** Where there is more to say than the reaction tells. */
export const adviceByCause: Readonly<Partial<Record<Cause, string>>> = {
  'platform-failed': SOON_OVER,
  'platform-paused': `Lookups will resume automatically. ${STILL_THERE}`,
  'platform-timeout': SOON_OVER,
  'pool-busy': `A slot will open up shortly. ${NOT_THE_ID}`,
  'pool-empty': 'The creation date above still works: it comes from the ID itself.',
  'visitor-limit': `We limit lookups so that there are enough for everyone. ${STILL_THERE}`,
  unknown: 'Try again. If it keeps happening, reload the page.',
  unreachable: `Check your connection and try again. ${STILL_THERE}`,
  offline: `Try again once you’re back online. ${STILL_THERE}`,
};

/** Where what the browser said is no sentence for people. It is quoted all the same. */
export const plainWords: Readonly<Partial<Record<Cause, string>>> = {
  unreachable: 'We couldn’t reach the server.',
  offline: 'You seem to be offline.',
};
