import { databaseKinds } from './databases.ts';
import type { Kind } from './kind.ts';
import { linkKinds } from './links.ts';
import { networkKinds } from './networks.ts';
import { processKinds } from './processes.ts';

/** All ways in which a world breaks, by the name that a schedule has them under. */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries({ ...processKinds, ...linkKinds, ...databaseKinds, ...networkKinds }),
);
