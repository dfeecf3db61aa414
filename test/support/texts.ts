import { createElement, type ReactNode } from 'react';
import type { Language } from '#shared/languages.ts';
import { windowBrowser } from '#web/browser.ts';
import { EnvironmentContext } from '#web/environment.ts';
import { formatsOf } from '#web/texts/formats.ts';
import { localize, translationOf } from '#web/texts/localize.ts';
import { createTextStore, type TextStore } from '#web/texts/text-store.ts';
import type { Section, Texts } from '#web/texts/translation.ts';
import { SITE } from './site.ts';

const textsIn = (language: Language): Texts =>
  localize(Object.keys(translationOf(language)) as Section[], language, SITE);

export const ENGLISH = textsIn('en');

export const FORMATS = formatsOf('en');

export const fullTextStore = (language: Language): TextStore =>
  createTextStore({ language, sections: textsIn(language) });

export const inPage = (part: ReactNode, language: Language = 'en'): ReactNode => {
  const environment = { site: SITE, browser: windowBrowser, texts: fullTextStore(language) };
  return createElement(EnvironmentContext, { value: environment }, part);
};
