/** What a deployment chooses and the pages show. Rendered into the HTML, so nothing here may be secret. */
export type Site = {
  readonly brandName: string;
  readonly platformName: string;
  readonly publicUrl: string;
  /** True while the sandbox stands in for the platform: pages say so and offer sample ids. */
  readonly sandbox: boolean;
  readonly sampleIds: readonly { readonly id: string; readonly label: string }[];
};

/** The id field of a lookup request is named after the platform: `discord_id`. */
export const idFieldName = (platformName: string): string =>
  `${platformName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}_id`;
