import { createElement, Fragment, type ReactNode } from 'react';
import type { Values } from '#shared/fill.ts';

export const fillElements = <Text extends string>(
  text: Text,
  values: Readonly<Record<keyof Values<Text>, ReactNode>>,
): ReactNode => {
  const parts = text.split(/\{(\w+)\}/);
  const filled = parts.map((part, place) => (place % 2 ? values[part as keyof Values<Text>] : part));
  return createElement(Fragment, null, ...filled);
};
