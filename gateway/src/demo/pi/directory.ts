import { join } from 'node:path';

/** Where the demo Pi network of an installation is kept. */
export function demoPiDirectory(dataDir: string): string {
  return join(dataDir, 'pi');
}
