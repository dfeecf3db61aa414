import type { Site } from '#shared/site.ts';

// On every page, so single constants: the build puts each where it is said.
export const SKIP = 'Skip to content';
export const SUBTITLE = 'Unofficial Lookup';
export const NAVIGATION = 'Main';
export const MENU = 'Menu';
export const DARK_THEME = 'Dark theme';

export const LOOKUP = 'Lookup';
export const TOKEN_DONATION = 'Token Donation';
export const SUPPORT_US = 'Support us';
export const CONTACT_US = 'Contact us';
export const PRIVACY = 'Privacy';
export const HELP = 'Help';
export const STATUS = 'Status';

export const demoMode = ({ platformName }: Site): string =>
  `Demo mode: every profile here is made up. Nothing is sent to ${platformName}.`;

export const unofficial = ({ brandName, platformName }: Site): string =>
  `${brandName} is an unofficial tool. It is not affiliated with, endorsed by or sponsored by ${platformName}.`;

export const UNEXPECTED_ERROR = 'Unexpected Application Error!';
export const UNEXPECTED_ERROR_LEAD = 'Something went wrong on this page. Reloading it may help.';
export const RELOAD = 'Reload';

export const stepTitle = (number: number): string => `Step ${number}`;
