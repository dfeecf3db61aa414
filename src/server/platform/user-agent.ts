import manifest from '#package.json' with { type: 'json' };

/** The platform turns away requests that do not name themselves like this. */
export const userAgent = (publicUrl: string): string =>
  `DiscordBot (${publicUrl}, ${manifest.version}) Whoflake`;
