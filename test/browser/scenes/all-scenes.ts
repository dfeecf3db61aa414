import { forms } from './forms.ts';
import { lookups } from './lookups.ts';
import { pages } from './pages.ts';
import type { Scene } from './scene.ts';

export const allScenes: readonly Scene[] = [...pages, ...lookups, ...forms];
