import { killDuringMigration } from '#test/fuzz/migration-kills.ts';
import type { Suite } from '../suite.ts';

export const migrationKills: Suite = {
  name: 'kills while the database is made and migrated',
  run: (seed) => killDuringMigration(seed, 100),
};
