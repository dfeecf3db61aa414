import type { Language } from '#shared/languages.ts';
import type { Section, Texts } from './translation.ts';

export type CarriedTexts = {
  readonly language: Language;
  readonly sections: Partial<Texts>;
  readonly restUrl: string;
  /** On the English lookup page: where to get its offer to switch, in every other language. */
  readonly offersUrl?: string;
};

export type TextStore = Pick<CarriedTexts, 'language' | 'offersUrl'> & {
  readonly section: <Name extends Section>(name: Name) => Texts[Name];
  readonly loadRest: () => Promise<void>;
};

type TextStoreDeps = { readonly fetch: typeof globalThis.fetch };

export const createTextStore = (carried: CarriedTexts, { fetch }: TextStoreDeps): TextStore => {
  let sections = carried.sections;
  let loading: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    const response = await fetch(carried.restUrl);
    if (!response.ok) throw new Error(`The texts were answered with ${response.status}.`);
    sections = { ...sections, ...((await response.json()) as Partial<Texts>) };
  };

  return {
    ...carried,
    section: (name) => {
      const section = sections[name];
      if (section === undefined) throw new Error(`The texts of ${name} have not been loaded.`);
      return section;
    },
    loadRest: () =>
      (loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      })),
  };
};
