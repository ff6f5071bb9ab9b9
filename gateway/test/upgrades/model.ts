import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../../src/commands/upgrade/machine.ts';
import type { UpgradeOrder } from '../../src/commands/upgrade/upgrade.ts';
import { readUpgrade, startDuring } from '../../src/operations/upgrading/state.ts';

type Version = 'old' | 'new';
type Database = { schema: Version; paid: number[] };

/** What goes wrong in the new version. */
export type Fault = 'check' | 'backup' | 'migrate' | 'audit' | 'trial' | 'serving';

/** Where the process of the upgrade is killed: at its n-th call to the machine. */
export type Kill = { call: number; when: 'before' | 'inTheMiddle' | 'after' };

/**
 * A machine whose parts are kept in memory: a program, a database, and a gateway that takes payments while it serves. The state of
 * the upgrade is in real files.
 */
export async function openModel(folder: string, faults: readonly Fault[] = []) {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { recursive: true });
  let installed: Version | 'half' = 'old';
  let database: Database = { schema: 'old', paid: [] };
  let backup: Database | null = null;
  let running: 'serving' | 'tried' | null = 'serving';
  let kept = false;
  let calls = 0;
  let kill: Kill | null = null;
  let killed = Promise.withResolvers<'killed'>();
  const everPaid: number[] = [];
  const said: string[] = [];
  const has = (fault: Fault) => faults.includes(fault);
  const changed = () => ({ code: 0, output: '', errors: '' });
  const failed = (code: number, errors: string) => ({ code, output: '', errors });

  function pay(): void {
    if (running !== 'serving') return;
    everPaid.push(everPaid.length);
    database.paid.push(everPaid.length - 1);
  }

  async function call<T>(effect: () => T | Promise<T>, half: () => void = () => {}): Promise<T> {
    pay();
    calls++;
    if (calls === kill?.call) {
      if (kill.when === 'inTheMiddle') half();
      if (kill.when === 'after') await effect();
      killed.resolve('killed');
      return await new Promise<T>(() => {});
    }
    return await effect();
  }

  /** As the unit starts the installed program. */
  async function startGateway(): Promise<void> {
    const how = startDuring(await readUpgrade(dataDir));
    if (running || installed === 'half' || how === 'wait') return;
    if (installed === 'old' && database.schema === 'new') return;
    if (installed === 'new') database.schema = 'new';
    running = how === 'try' ? 'tried' : 'serving';
    pay();
  }

  function runInstalled(words: readonly string[]) {
    const [first, option, file] = words;
    if (installed === 'half') return failed(1, 'the program does not start');
    if (first === 'backup') {
      if (has('backup')) return failed(1, 'the disk is full');
      if (option !== undefined) backup = structuredClone(database);
      return changed();
    }
    if (first === 'migrate') {
      if (has('migrate')) return failed(1, 'a column is missing');
      database.schema = installed;
      return changed();
    }
    if (first === 'audit') return has('audit') ? failed(2, 'a balance is wrong') : changed();
    if (first === 'health') {
      const isIll = running === 'tried' ? has('trial') : installed === 'new' && has('serving');
      return running === null || isIll ? failed(1, '') : changed();
    }
    if (first !== 'upgrade' || !backup || file === undefined)
      throw new Error(`Not a command: ${words.join(' ')}`);
    if (running === 'serving') return failed(1, 'others are connected');
    if (backup.schema === database.schema) return changed();
    if (option === '--compare') return failed(2, '');
    if (installed !== 'old') throw new Error('The version before alone knows how its database was');
    database = structuredClone(backup);
    return changed();
  }

  const machine: Machine = {
    program: 'installed',
    take: () => call(() => ({ from: 'old', to: 'new' })),
    unpack: () => call(() => 'unpacked'),
    keep: () =>
      call(() => {
        if (installed !== 'old') throw new Error('The old package is gone');
        kept = true;
      }),
    forgetBackup: () =>
      call(() => {
        backup = null;
      }),
    install: (which) =>
      call(
        () => {
          if (which === 'before' && !kept) throw new Error('No package was kept');
          installed = which === 'next' ? 'new' : 'old';
        },
        () => {
          installed = 'half';
        },
      ),
    start: () => call(startGateway),
    stop: () =>
      call(() => {
        running = null;
      }),
    isRunning: () => call(() => running !== null),
    run: (program, words) =>
      call(() => {
        if (program === 'unpacked') return has('check') ? failed(2, 'NOT to be installed') : changed();
        return runInstalled(words);
      }),
  };
  const order: UpgradeOrder = {
    ...{ dataDir, machine, skipCheck: false, hasPlace: true, signal: new AbortController().signal },
    ...{ say: (line) => void said.push(line), readyMs: 0, pollMs: 1 },
  };
  return {
    order,
    said,
    /** Runs `work` until it ends or is killed. */
    async until(work: Promise<number>, where: Kill | null = null): Promise<number | 'killed'> {
      [calls, kill, killed] = [0, where, Promise.withResolvers()];
      return await Promise.race([work, killed.promise]);
    },
    calls: () => calls,
    /** The machine loses its power and starts again. */
    async reboot(): Promise<void> {
      running = null;
      await startGateway();
    },
    async state() {
      pay();
      const lost = everPaid.filter((each) => !database.paid.includes(each));
      return { installed, schema: database.schema, running, lost, left: await readUpgrade(dataDir) };
    },
  };
}
