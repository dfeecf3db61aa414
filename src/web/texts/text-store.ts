import type { Language } from '#shared/languages.ts';
import type { Section, Texts } from './translation.ts';

export type CarriedTexts = { readonly language: Language; readonly sections: Partial<Texts> };

export type TextStore = {
  readonly language: Language;
  readonly section: <Name extends Section>(name: Name) => Texts[Name];
};

/** Of the sections that `page-sections.ts` lists for the page. */
export const createTextStore = ({ language, sections }: CarriedTexts): TextStore => ({
  language,
  section: (name) => (sections as Texts)[name],
});
