import type { Site } from '#shared/site.ts';

// The first paint says all of this, so single constants: the build puts each where it is said.
export const heading = ({ platformName }: Site): string => `Look up a ${platformName} profile`;
export const HEADING_NOTE =
  'Paste a user ID to see the public profile behind it and the day the account was created.';

export const fieldLabel = ({ platformName }: Site): string => `${platformName} ID`;
export const FIELD_HINT = 'Paste a user ID, a mention or a profile link.';
export const SUBMIT = 'Lookup';
export const BUSY = 'Looking up…';
export const NO_SCRIPT =
  'Lookups need JavaScript: your browser solves a small puzzle that keeps bots out. Without it you can still read every page of this site.';

export const INVITATION = 'Press Lookup to see who this is.';
export const CANCELLED = 'Lookup cancelled.';

export const LOOKUP_FAILED = 'Unable to complete lookup.';
export const DONATION_FAILED = 'Unable to open the donation form.';
export const PART_MISSING = 'Part of this page didn’t load. Reload the page and try again.';
export const LOOKUP_OFFLINE = 'You seem to be offline. Reconnect, then press Lookup again.';
export const DONATION_OFFLINE = 'You seem to be offline. Reconnect, then try again.';
export const TRY_AGAIN = 'Try again';

// What stands between pairs of asterisks is bold.
export const FIND_ID = 'Where do I find an ID?';
export const FIND_ID_FIRST =
  'Turn on **Developer Mode** in the app, under **User Settings → Advanced**. Then:';
export const FIND_ID_COMPUTER = '**On a computer,** right-click the person and choose **Copy User ID**.';
export const FIND_ID_PHONE =
  '**On a phone,** open the person’s profile, tap **⋯** and choose **Copy User ID**.';
export const FIND_ID_WHY = 'A username won’t work: usernames can change, IDs never do.';

export const SAMPLES = 'Sample profiles';
export const MORE_SAMPLES = 'More samples to try';

export const DONATE_TOKEN = 'Donate a bot token';
export const HOW_DONATIONS_WORK = 'How token donations work';

export const SUPPORT = 'Support';
export const runsOnDonations = ({ brandName }: Site): string => `${brandName} runs on donations.`;
export const MONEY_AND_TOKENS = 'Money pays for the server; donated bot tokens keep lookups working.';
export const MONEY_ONLY = 'Money pays for the server that answers your lookups.';
