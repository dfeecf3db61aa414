import type { ErrorCode, Reaction } from '#shared/contract/errors.ts';
import type { Site } from '#shared/site.ts';

export const CAPTCHA_TITLE = 'Captcha';

export const profileShown = (name: string): string => `Showing the profile of ${name}.`;

export const notFoundNotice = {
  title: 'Nobody has this ID',
  notFound: (id: string, { platformName }: Site) =>
    `No profile was found for ${id}. ${platformName} reports that the snowflake was created at:`,
  causesTitle: 'Usually because:',
  causes: [
    'The ID belongs to a server, a channel, a role or a message, not to a user.',
    'The account was deleted long ago.',
    'A digit is wrong or missing. Check it against the original.',
  ],
  help: 'What else can an ID belong to?',
};

const TOKEN_REMOVED = 'That was a bot token, not an ID. We removed it and sent it nowhere.';
export const tokenSeen = {
  donate: `${TOKEN_REMOVED} If you meant to donate it, use the form below; otherwise reset it in the developer portal.`,
  inAddress:
    'That was a bot token, not an ID. It was in the address of this page, so others may have seen it: reset it in the developer portal.',
  reset: `${TOKEN_REMOVED} To be safe, reset it in the developer portal.`,
};

export const failureNotice = {
  status: 'View status',
  technical: 'Technical details',
};

/** What the visitor can do, where the sentence that says what happened leaves that open. */
export const advice: Readonly<Record<Reaction, string | undefined>> = {
  'solve-again': 'Two captchas in a row were refused. Try again, or reload the page first.',
  // The field is marked and has the focus.
  'fix-input': undefined,
  'try-later': undefined,
  explain: 'This page may be out of date. Reload it and try again.',
};

type Cause = ErrorCode | 'unknown' | 'unreachable' | 'offline';

const SOON_OVER = 'This usually clears up within a few minutes.';
const OUR_FAULT = 'Something went wrong on our side. Try again in a moment.';

/** Where there is more to say than the reaction tells. */
export const adviceByCause: Readonly<Partial<Record<Cause, string>>> = {
  internal: OUR_FAULT,
  'platform-failed': SOON_OVER,
  'platform-timeout': SOON_OVER,
  'pool-busy': 'A slot will open up shortly.',
  'pool-empty': 'The creation date above is still right: it’s part of the ID.',
  'visitor-limit': 'We limit lookups so that there are enough for everyone.',
  unknown: OUR_FAULT,
  unreachable: 'Check your connection and try again.',
  offline: 'Try again once you’re back online.',
};

/** Where what the browser said is no sentence for people. It is among the technical details. */
export const plainWords: Readonly<Partial<Record<Cause, string>>> = {
  unreachable: 'We couldn’t reach the server.',
  offline: 'You seem to be offline.',
};
