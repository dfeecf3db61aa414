/** The names in the braces of a text. */
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** Filled in from the site's settings, before a text leaves the server. */
export type SiteValue =
  | 'brandName'
  | 'platformName'
  | 'host'
  | 'vanityMinEur'
  | 'developerPortalUrl'
  | 'risksUrl'
  | 'withdrawalUrl'
  | 'fewestDigits'
  | 'mostDigits';

type Values<Text extends string> = Readonly<Record<Exclude<Placeholder<Text>, SiteValue>, string | number>>;

/** Replaces names in braces with their values. Names without a value stay as they are. */
export const fill = <Text extends string>(text: Text, values: Values<Text>): string =>
  text.replaceAll(/\{(\w+)\}/g, (mark, name: string) =>
    Object.hasOwn(values, name) ? String(values[name as keyof Values<Text>]) : mark,
  );
