import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  endUpgrade,
  readUpgrade,
  type Step,
  steps,
  type UpgradeState,
  upgradePlaces,
  writeUpgrade,
} from '../../operations/upgrading/state.ts';
import type { Machine } from './machine.ts';

export type UpgradeOrder = {
  dataDir: string;
  machine: Machine;
  /** The migrations are not tried on a copy first. */
  skipCheck: boolean;
  /** A backup goes to BACKUP_TO too, while the gateway serves. */
  hasPlace: boolean;
  say: (line: string) => void;
  /** Aborted: it goes back before the next step. */
  signal: AbortSignal;
  /** How long a gateway may take until it is ready, and how often it is asked. */
  readyMs: number;
  pollMs: number;
};

/** Upgrades to the package in a file. Returns the exit code: 0 the new version serves, 1 the one before does, or it says why none. */
export async function beginUpgrade(order: UpgradeOrder, file: string): Promise<number> {
  const left = await readUpgrade(order.dataDir);
  if (left) throw new Error(`${nameOf(left)} is not done: florin upgrade --resume goes on, --back goes back`);
  const versions = await order.machine.take(file);
  return await goOn(order, { step: 'checking', backBecause: null, ...versions, pid: process.pid });
}

/** Goes on with an upgrade, or with going back, where a kill has left it. Returns the exit code. */
export async function resumeUpgrade(order: UpgradeOrder): Promise<number> {
  const left = await stateLeft(order.dataDir);
  if (left.backBecause !== null) return await goBack(order, left, left.backBecause);
  // The gateway may have been started again since, and the backup would lack what it did.
  return await goOn(order, left.step === 'backing-up' ? { ...left, step: 'stopping' } : left);
}

/** Goes back from where an upgrade was left. Returns the exit code: 0 the version before serves. */
export async function backOutOfUpgrade(order: UpgradeOrder): Promise<number> {
  const left = await stateLeft(order.dataDir);
  const code = await goBack(order, left, left.backBecause ?? 'Going back was asked for.');
  return (await readUpgrade(order.dataDir)) === null ? 0 : code;
}

async function stateLeft(dataDir: string): Promise<UpgradeState> {
  const left = await readUpgrade(dataDir);
  if (!left) throw new Error('No upgrade is under way');
  if (left.pid !== process.pid && isUpgrading(left.pid))
    throw new Error(`${nameOf(left)} is under way in process ${left.pid}`);
  return left;
}

/** Whether that process is an upgrade: after a reboot another may have its number. */
function isUpgrading(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('upgrade');
  } catch {
    return false;
  }
}

const nameOf = ({ from, to }: UpgradeState): string => `The upgrade from ${from} to ${to}`;
const placeOf = (step: Step): number => steps.indexOf(step);

async function goOn(order: UpgradeOrder, begun: UpgradeState): Promise<number> {
  const { dataDir, say, signal } = order;
  let state = { ...begun, pid: process.pid };
  try {
    for (const step of steps.slice(placeOf(begun.step))) {
      if (signal.aborted) throw new Error('It was interrupted.');
      state = { ...state, step };
      await writeUpgrade(dataDir, state);
      await work[step](order, state);
    }
  } catch (error) {
    return await goBack(order, state, (error as Error).message);
  }
  await endUpgrade(dataDir);
  const { backup, log } = upgradePlaces(dataDir);
  say(`Florin ${state.to} serves. The backup made before is ${backup}, the log ${log}.`);
  return 0;
}

const work: Record<Step, (order: UpgradeOrder, state: UpgradeState) => Promise<void>> = {
  async checking({ machine, skipCheck, hasPlace, say }, { to }) {
    const program = await machine.unpack();
    if (!skipCheck) {
      say(`Trying the migrations of ${to} on a copy of the database ...`);
      say((await done(machine, program, 'upgrade', '--check')).trimEnd());
    }
    if (!hasPlace) return;
    say('Making a backup in BACKUP_TO ...');
    await done(machine, machine.program, 'backup');
  },
  async keeping({ machine, say }, { from }) {
    say(`Keeping the package of ${from} ...`);
    await machine.keep();
  },
  async stopping({ machine, say }) {
    say('Stopping the gateway ...');
    await machine.stop();
  },
  async 'backing-up'({ machine, dataDir, say }) {
    const { backup } = upgradePlaces(dataDir);
    say('Making a backup ...');
    await machine.forgetBackup();
    await done(machine, machine.program, 'backup', backup);
    await done(machine, machine.program, 'upgrade', '--compare', backup);
  },
  async installing({ machine, say }, { to }) {
    // What it did since the backup would be lost by going back.
    if (await machine.isRunning()) throw new Error('The gateway was started again by somebody.');
    say(`Installing ${to} ...`);
    await machine.install('next');
  },
  async trying(order, { to }) {
    const { machine, say } = order;
    await machine.stop();
    say('Applying the migrations ...');
    await done(machine, machine.program, 'migrate');
    say('Computing the ledger and the hash chain again ...');
    await done(machine, machine.program, 'audit');
    say(`Trying whether ${to} becomes ready, without serving ...`);
    await machine.start();
    await awaitReady(order);
  },
  async serving(order, { to }) {
    const { machine, say } = order;
    await machine.stop();
    say(`Starting ${to} ...`);
    await machine.start();
    await awaitReady(order);
  },
};

/**
 * Goes back to the version before. The database is put back where the new one has migrated it, unless it has served since: then that
 * would lose what it did, and the way is forward.
 */
async function goBack(order: UpgradeOrder, state: UpgradeState, reason: string): Promise<number> {
  const { dataDir, machine, say } = order;
  const { backup, log } = upgradePlaces(dataDir);
  const { from, to } = state;
  say(`${nameOf(state)} goes back. ${reason}`);
  let at: UpgradeState = { ...state, pid: process.pid };
  try {
    if (at.step === 'serving') {
      await machine.stop();
      const { code } = await machine.run(machine.program, ['upgrade', '--compare', backup]);
      if (code !== 0) {
        await machine.start();
        say(
          `It cannot go back: ${to} has migrated the database and has served on it, and the backup made before lacks what ` +
            `it did since. Mend what is wrong and run florin upgrade --resume. The log is ${log}.`,
        );
        return 1;
      }
    }
    if (placeOf(at.step) >= placeOf('installing')) {
      at = { ...at, step: 'trying', backBecause: reason };
      await writeUpgrade(dataDir, at);
      await machine.stop();
      say(`Installing ${from} ...`);
      await machine.install('before');
      await done(machine, machine.program, 'upgrade', '--put-back', backup);
      at = { ...at, step: 'stopping' };
      await writeUpgrade(dataDir, at);
    }
    if (placeOf(at.step) >= placeOf('stopping')) {
      await machine.start();
      await awaitReady(order);
    }
    await endUpgrade(dataDir);
  } catch (error) {
    say(
      `It could not go back: ${(error as Error).message}\nMend that and run florin upgrade --back. ` +
        `The backup made before is ${backup}, the log ${log}.`,
    );
    return 1;
  }
  say(`Florin ${from} serves as before. The log is ${log}.`);
  return 1;
}

/** Runs a command, and returns what it printed. Throws with that where it fails. */
async function done(machine: Machine, program: string, ...words: string[]): Promise<string> {
  const { code, output, errors } = await machine.run(program, words);
  if (code !== 0)
    throw new Error(`florin ${words.join(' ')} ended with ${code}: ${errors}${output}`.trimEnd());
  return output;
}

async function awaitReady({ machine, readyMs, pollMs }: UpgradeOrder): Promise<void> {
  for (const endMs = performance.now() + readyMs; ; await sleep(pollMs)) {
    const { code, output } = await machine.run(machine.program, ['health']);
    if (code === 0) return;
    if (!(await machine.isRunning())) throw new Error('The gateway ended by itself: its log says why.');
    if (performance.now() > endMs) throw new Error(`The gateway did not become ready. ${output.trim()}`);
  }
}
