import { ID_DIGITS } from '#shared/snowflake.ts';

const DIGITS = `${ID_DIGITS.fewest} to ${ID_DIGITS.most} digits`;

/** Notes on an ID that need no request to the server. */
export const idNotes = {
  tooShort: `An ID has ${DIGITS}.`,
  role: 'That’s a role mention, and roles don’t have profiles. Paste a user’s ID instead.',
  channel: 'That’s a channel mention, and channels don’t have profiles. Paste a user’s ID instead.',
  emoji: 'That’s an emoji, and emojis don’t have profiles. Paste a user’s ID instead.',
  link: 'That link goes to a server, a channel or a message. Paste a user’s ID instead.',
  several: 'There’s more than one ID in this text. Paste one at a time.',
  leadingZero: 'An ID doesn’t start with a zero. Copy it again.',
  changed: 'This number was changed on its way, perhaps by a spreadsheet. Copy the ID from the original.',
  perhapsRounded: 'This ID ends in zeros. If it comes from a spreadsheet, it was rounded: copy it again.',
  name: `That looks like a name. You can only look people up by ID, a number of ${DIGITS}.`,
};

export const decodedId = {
  accountCreated: (day: string) => `Account created ${day}`,
  ago: (age: string) => `${age} ago`,
  more: 'Details',
  created: 'Created',
  worker: 'Worker',
  process: 'Process',
  increment: 'Increment',
};
