import type { DemoNetworks } from '../../demo/networks.ts';

/** What a gateway does: everything, or only one of its two halves. */
export type Role = 'all' | 'api' | 'worker';

/** How a gateway is started. */
export type ServeOptions = {
  networks: DemoNetworks;
  role: Role;
  /** How many worker processes run under one supervisor; null: everything in one process. */
  workers: number | null;
};

const mostWorkers = 64;

export const workersFault = `--workers must be a number from 1 to ${mostWorkers}.`;
const roleFault = '--role must be api or worker.';

/** Reads `--workers`; null when it is no number from 1 to 64. */
export function readWorkers(text: string): number | null {
  const count = /^\d{1,3}$/.test(text) ? Number.parseInt(text, 10) : 0;
  return count >= 1 && count <= mostWorkers ? count : null;
}

/** Reads `--role`; null when there is no such role. */
function readRole(text: string): Role | null {
  return text === 'api' || text === 'worker' ? text : null;
}

/** Reads the words after `npm start --`. Returns a text when one is wrong. */
export function readServeOptions(words: readonly string[]): ServeOptions | string {
  const options: ServeOptions = { networks: { chain: false, pi: false }, role: 'all', workers: null };
  const rest = words.flatMap((word) => (/^--\w+=/.test(word) ? word.split(/=(.*)/s).slice(0, 2) : [word]));
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--chain') options.networks.chain = true;
    else if (word === '--pi') options.networks.pi = true;
    else if (word === '--workers') {
      options.workers = readWorkers(rest.shift() ?? '');
      if (options.workers === null) return workersFault;
    } else if (word === '--role') {
      const role = readRole(rest.shift() ?? '');
      if (role === null) return roleFault;
      options.role = role;
    } else return `Florin does not know the option ${word}.`;
  }
  return options;
}
