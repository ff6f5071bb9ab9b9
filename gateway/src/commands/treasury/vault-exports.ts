import { writeFile } from 'node:fs/promises';
import { withKeptDemoChain } from '../../demo/chain/demo-config.ts';
import { commandActor, recordChange } from '../../identity/audit/audit-log.ts';
import { systemClock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { openAssets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { createSendings } from '../../networks/sendings.ts';
import { exportedChange, takenBackChange } from '../../payouts/api/console-hand-routes.ts';
import { exportFile, exportPayouts, handNetworks, takeBackExport } from '../../payouts/lifecycle/by-hand.ts';
import type { HandExport, HandFileKind } from '../../rails/by-hand.ts';
import type { Sending } from '../../rails/rail.ts';
import { withDatabase } from '../with-database.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

type Tools = { db: Database; sendings: Sending[]; scaleOf: (asset: string) => number };

async function withSendings<T>(env: NodeJS.ProcessEnv, work: (tools: Tools) => Promise<T>): Promise<T> {
  return await withDatabase(env, async (db, settings) => {
    const { assets: known, chains, pi, testPi } = await withKeptDemoChain(settings);
    const assets = openAssets(known);
    const sendings = createSendings({ chains, pi, testPi, assets, now: systemClock });
    return await work({ db, sendings, scaleOf: (asset) => assets.find(asset)?.scale ?? 0 });
  });
}

/** Which files of an export are written, by their paths. */
export type ExportFiles = {
  safe?: string | undefined;
  list?: string | undefined;
  useUp?: string | undefined;
};

/**
 * Exports the queued payouts of a chain, or takes an earlier export (`again`), and writes its files. The export is recorded
 * before a file is written: if that fails, `again` writes it. Returns the exit code.
 */
export async function exportOfVault(
  env: NodeJS.ProcessEnv,
  { chainId, again, files }: { chainId?: string | undefined; again?: string | undefined; files: ExportFiles },
): Promise<number> {
  const wanted: [HandFileKind, string | undefined][] = [
    ['safe', files.safe],
    ['list', files.list],
    ['use-up', files.useUp],
  ];
  if (wanted.every(([, path]) => path === undefined)) {
    throw new Error('--safe, --list or --use-up names the file to write');
  }
  if (files.useUp !== undefined && again === undefined) {
    throw new Error('--use-up goes with --again: it is about payouts that are exported already');
  }
  return await withSendings(env, async (tools) => {
    const id = again ?? (await exportNow(tools, chainId));
    for (const [kind, path] of wanted) {
      if (path === undefined) continue;
      await writeFile(path, (await exportFile(tools.db, tools, id, kind)).text);
      print(`Written to ${path}: ${whatItIs[kind]}`);
    }
    return 0;
  });
}

const whatItIs: Record<HandFileKind, string> = {
  safe: 'open it in the Transaction Builder of the Safe that is the admin of the vault, or the treasury.',
  list: 'the payouts, for whoever pays in another way.',
  'use-up': 'once it is executed and final, the vault never pays these payouts, and they can be cancelled.',
};

async function exportNow({ db, sendings }: Tools, chainId: string | undefined): Promise<string> {
  const networks = await handNetworks(db, { sendings });
  const chosen = chainId === undefined ? networks : networks.filter(({ rail }) => rail === `evm:${chainId}`);
  const [network] = chosen;
  if (!network) throw new Error('no such chain of the configuration has a vault, or payouts "by hand"');
  if (chosen.length > 1) throw new Error('--chain says which, because there are several');
  const { rail } = network;
  const isPlain = network.from === 'treasury';
  const made = await transaction(db, async (tx) => {
    const found = await exportPayouts(tx, { sendings }, rail, commandActor.name);
    await recordChange(tx, commandActor, exportedChange(rail, found), systemClock());
    return found;
  });
  const next = isPlain ? 'Pay each of them once.' : 'The signer does not pay them from now on.';
  print(`Export ${made.id}: ${made.orders} of ${network.network}. ${next}`);
  return made.id;
}

/** Shows what can be exported, and the newest exports. Returns the exit code. */
export async function showExports(env: NodeJS.ProcessEnv, { json }: { json: boolean }): Promise<number> {
  return await withSendings(env, async ({ db, sendings, scaleOf }) => {
    const networks = (await handNetworks(db, { sendings })).map(({ exportable, exports, ...network }) => ({
      ...network,
      exportable: exportable.map(({ asset, count, units }) => ({
        ...{ asset, count, amount: decimalOf(units, scaleOf(asset)) },
      })),
      exports,
    }));
    if (json) {
      print(JSON.stringify({ items: networks }));
      return 0;
    }
    if (networks.length === 0) print('No chain has a vault, or payouts by hand.');
    for (const { network, exportable, exports } of networks) {
      const waiting = exportable.map(({ asset, count, amount }) => `${count} of ${asset} (${amount})`);
      print(`${network}: ${waiting.length === 0 ? 'nothing' : waiting.join(', ')} can be exported`);
      for (const each of exports) print(`  ${lineOf(each)}`);
    }
    return 0;
  });
}

const lineOf = ({ id, by, at, orders, paid, waiting }: HandExport): string =>
  `${id}  ${at.toISOString()} by ${by}: ${orders} exported, ${paid} paid, ${waiting} wait`;

/** Takes an export back: the signer pays the payouts of it that still wait. Returns the exit code. */
export async function takeExportBack(env: NodeJS.ProcessEnv, id: string): Promise<number> {
  return await withSendings(env, async ({ db, sendings }) => {
    const taken = await transaction(db, async (tx) => {
      const found = await takeBackExport(tx, { sendings }, id);
      await recordChange(tx, commandActor, takenBackChange(found.rail, id, found.count), systemClock());
      return found.count;
    });
    print(
      `Taken back: ${taken}. The signer pays them now; the file can still be executed, and pays none of them twice.`,
    );
    return 0;
  });
}
