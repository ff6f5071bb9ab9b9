import type { Reader } from '../../kit/db/db.ts';
import { installationTotals } from '../../ledger/totals.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import type { DrillReport } from '../../operations/backup-records/records.ts';
import { readHead } from '../../operations/stamps/stamper.ts';
import type { KnownHead } from '../../operations/stamps/verify.ts';
import { newestReport } from '../../treasury/reserves/reports.ts';

/** What the database has at the moment of a backup, to compare the restored one with. */
export type Live = { sums: Sum[]; head: KnownHead | null; held: DrillReport['held'] };

/** The money of one kind of account in one mode and asset, in units of its smallest part. */
export type Sum = { mode: string; asset: string; kind: string; units: bigint };

export async function readLive(reader: Reader): Promise<Live> {
  const head = await readHead(reader);
  return {
    sums: await readSums(reader),
    head: head && { number: head.number, hash: head.hash },
    held: await readReserves(reader),
  };
}

export async function readSums(reader: Reader): Promise<Sum[]> {
  const totals = await installationTotals(reader);
  return totals.flatMap(({ mode, asset, units }) =>
    Object.entries(units).map(([kind, sum]) => ({ mode, asset, kind, units: sum })),
  );
}

/** What networks showed is held of live money, beside what was owed then. */
async function readReserves(reader: Reader): Promise<DrillReport['held']> {
  const report = await newestReport(reader);
  return (report?.items ?? []).map(({ asset, owed, held, difference }) => ({
    asset,
    owed: sumOf(Object.values(owed)),
    held: sumOf(Object.values(held)),
    difference,
  }));
}

function sumOf(decimals: readonly string[]): string {
  const scale = Math.max(0, ...decimals.map((each) => each.split('.')[1]?.length ?? 0));
  const units = decimals.map((each) => unitsOfSigned(each, scale));
  return decimalOf(
    units.reduce((sum, each) => sum + each, 0n),
    scale,
  );
}

function unitsOfSigned(decimal: string, scale: number): bigint {
  const units = unitsOfDecimal(decimal.replace('-', ''), scale) ?? 0n;
  return decimal.startsWith('-') ? -units : units;
}
