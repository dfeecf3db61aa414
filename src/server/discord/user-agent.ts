/** The platform turns away requests that do not name themselves like this. */
export const userAgent = (publicUrl: string): string => `DiscordBot (${publicUrl}, 0.1.0) Whoflake`;
