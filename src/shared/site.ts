import type { Status } from './contract/status.ts';

export const DEFAULT_BRAND = 'Whoflake';

/** Rendered into the HTML, so nothing here may be secret. */
export type Site = {
  readonly brandName: string;
  readonly platformName: string;
  readonly publicUrl: string;
  /** The contact address in pieces, mixed with decoys, so that it stands nowhere in plain text. */
  readonly contact: readonly ContactPiece[];
  readonly developerPortalUrl: string;
  readonly paymentUrl: string | null;
  readonly vanityMinEur: number;
  /** False if the operator takes no tokens: nothing on the pages may ask for one. */
  readonly tokenDonations: boolean;
  readonly sandbox: boolean;
  readonly sampleIds: readonly SampleId[];
  /** Set on `/status`: the figures when the page was sent. */
  readonly status?: Status;
  readonly version: string;
  /** For each visitor. */
  readonly limits: Readonly<Record<'challengesPerMinute' | 'lookupsPerMinute' | 'lookupsPerDay', number>>;
  /** On the page of all links to profiles, whose ID is in the address. */
  readonly linked?: true;
  /** True if all pictures come from our own address, so that the platform sees no visitor's. */
  readonly relayPictures: boolean;
  /** `always` paints the captcha for every proof, also for one that is found at once. */
  readonly captchaDialog: 'auto' | 'always';
  readonly pausedLink?: PausedLink;
};

/** Those with a name and a picture come first. */
export type SampleId = {
  readonly id: string;
  readonly label: string;
  readonly name?: string;
  readonly avatarUrl?: string;
};

export type PausedLink = {
  readonly name: string;
  readonly because: 'operator' | 'invite-changed' | 'invite-gone';
};

export type ContactPiece = { readonly text: string; readonly decoy: boolean };
