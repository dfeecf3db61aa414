import type english from '#texts/en.json';

type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

export type QuotedWord =
  | keyof typeof english.discord
  | 'lookupButton'
  | 'addAppButton'
  | 'refreshButton'
  | 'tokenDonationPage'
  | 'puzzleTitle'
  | 'exampleName';

/** Filled in before a text leaves the server. */
export type SiteValue =
  | 'brandName'
  | 'platformName'
  | 'publicUrl'
  | 'host'
  | 'vanityMinEur'
  | 'developerPortalUrl'
  | 'risksUrl'
  | 'withdrawalUrl'
  | 'fewestDigits'
  | 'mostDigits';

export type Values<Text extends string> = Readonly<
  Record<Exclude<Placeholder<Text>, SiteValue | QuotedWord>, string | number>
>;

export const fill = <Text extends string>(text: Text, values: Values<Text>): string =>
  text.replaceAll(/\{(\w+)\}/g, (mark, name: string) =>
    Object.hasOwn(values, name) ? String(values[name as keyof Values<Text>]) : mark,
  );

/** For what may be written in the other direction than the text around it, such as a name. */
export const isolate = (text: string): string => `\u2068${text}\u2069`;
