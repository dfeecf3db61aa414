import type { Status } from './contract/status.ts';

/** The name of a site that has none of its own. */
export const DEFAULT_BRAND = 'Whoflake';

/** What a deployment chooses and the pages show. Rendered into the HTML, so nothing here may be secret. */
export type Site = {
  readonly brandName: string;
  readonly platformName: string;
  readonly publicUrl: string;
  /** The contact address in pieces, mixed with decoys, so that it stands nowhere in plain text. */
  readonly contact: readonly ContactPiece[];
  /** Where people make bots. */
  readonly developerPortalUrl: string;
  /** Where money donations are made; null if there is no such page. */
  readonly paymentUrl: string | null;
  /** The smallest donation that entitles to a vanity link. */
  readonly vanityMinEur: number;
  /** False if the operator takes no tokens: nothing on the pages may ask for one. */
  readonly tokenDonations: boolean;
  /** True while the sandbox stands in for the platform: pages say so and offer sample ids. */
  readonly sandbox: boolean;
  readonly sampleIds: readonly SampleId[];
  /** Set on `/status`: the figures when the page was sent. */
  readonly status?: Status;
  /** Set on `/api`. */
  readonly api?: ApiDescription;
  /** Of the program. */
  readonly version: string;
  /** Set on the page of a link to a profile, which is looked up without a press. */
  readonly linked?: Linked;
  /** True if all pictures come from our own address, so that the platform sees no visitor's. */
  readonly relayPictures: boolean;
  /** `always` paints the captcha for every proof, also for one that is found at once. */
  readonly captchaDialog: 'auto' | 'always';
  /** Set on the page for when there is no network. */
  readonly offline?: true;
  /** Set on the page that is shown for a paused vanity link. */
  readonly pausedLink?: PausedLink;
};

/** What the page for programmers is made of. */
export type ApiDescription = {
  readonly document: OpenApiDocument;
  /** How often one visitor may ask. */
  readonly limits: Readonly<Record<'challengesPerMinute' | 'lookupsPerMinute' | 'lookupsPerDay', number>>;
};

/** The parts of an OpenAPI document that the page shows. */
export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
};

export type OpenApiOperation = {
  readonly summary: string;
  readonly description?: string | undefined;
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly properties: Readonly<Record<string, { readonly description?: string }>> };
      };
    };
  };
  readonly responses: Readonly<Record<string, { readonly description?: string | undefined }>>;
};

/** What the id of a link tells by itself: the page shows it at once. */
export type Linked = {
  readonly id: string;
  readonly createdIso: string;
  /** In words: when, how long ago, and both for a preview of the link. */
  readonly created: string;
  readonly age: string;
  /** Where it lies on the line from the first ids to today, as a percentage. */
  readonly place: string;
  /** The word at the end of that line. */
  readonly today: string;
  readonly title: string;
  readonly description: string;
};

/** A made-up profile to try. Those with a name and a picture come first. */
export type SampleId = {
  readonly id: string;
  readonly label: string;
  readonly name?: string;
  readonly avatarUrl?: string;
};

/** A vanity link that leads nowhere for now, and why. */
export type PausedLink = {
  readonly name: string;
  readonly because: 'operator' | 'invite-changed' | 'invite-gone';
};

export type ContactPiece = { readonly text: string; readonly decoy: boolean };

/** The id field of a lookup request is named after the platform: `discord_id`. */
export const idFieldName = (platformName: string): string =>
  `${platformName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}_id`;
