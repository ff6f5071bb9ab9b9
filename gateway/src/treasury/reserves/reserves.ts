import type { Logger } from 'pino';
import type { Mode } from '../../identity/integration.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, liftTimeLimits, type Reader, transaction } from '../../kit/db/db.ts';
import { type AssetTotals, installationTotals, outsideTotals } from '../../ledger/totals.ts';
import type { Assets } from '../../money/assets.ts';
import { type AssetCode, decimalOf } from '../../money/money.ts';
import { smallNumber } from '../../money/small-number.ts';
import { type AssetHeld, readHeld } from '../../rails/evm/reserves/held.ts';
import { type ChainSnapshot, snapshotChain } from '../../rails/evm/reserves/snapshot.ts';
import { RpcFault } from '../../rails/evm/rpc/rpc-fault.ts';
import { createAgreement } from '../../rails/evm/scan/blocks/agreement.ts';
import type { ChainWithEndpoints } from '../../rails/evm/scan/look-up.ts';
import { isPiCode, type PiConfig, type PiNetworks, piCodeOf, pisOf } from '../../rails/pi/horizon/network.ts';
import { type PiSnapshot, snapshotPi } from '../../rails/pi/reserves.ts';

/** Money of one asset in its mode: what is owed, what is held, and why they differ. Amounts are decimals. */
export type Reserve = {
  asset: AssetCode;
  /** The final block, or ledger of Pi, at which it was held. */
  block: number;
  owed: { business: string; wallets: string; customers: string; fees: string; suspense: string };
  held: { addresses: string; treasury: string; vault: string };
  /** Why more is held than is owed, or less where the amount is negative. */
  explained: { why: string; amount: string }[];
  /** What is held less what is owed and explained: `0` in sound books, negative where money is missing. */
  difference: string;
};

/** An asset whose network could not be asked, or has not been read. */
type MissingReserve = { asset: AssetCode; why: string };

export type ReserveReport = { items: Reserve[]; missing: MissingReserve[] };

export type ReserveDeps = PiNetworks & {
  db: Database;
  assets: Assets;
  chains: readonly ChainWithEndpoints[];
  now: Clock;
  log: Logger;
};

/** What the ledger says of the money of a mode at one moment. */
type Books = { totals: AssetTotals[]; outside: { owner: string; asset: AssetCode; units: bigint }[] };

type Snapshot = {
  books: Books;
  chains: (ChainSnapshot | null)[];
  pis: (PiSnapshot | null)[];
};

/** What a network holds of an asset, and what explains the difference from what is owed. */
type Holding = { block: bigint; held: Record<keyof Reserve['held'], bigint>; explained: Explained[] };
type Explained = { why: string; units: bigint };

/**
 * Compares what is owed in a mode with what each of its networks shows is held, at a final block. It does not wait until all
 * is booked: money that the ledger has not booked yet is one of the explanations. Simulated money is on no network, and not
 * compared.
 */
export async function readReserves(deps: ReserveDeps, mode: Mode = 'live'): Promise<ReserveReport> {
  const { assets } = deps;
  const isOf = ({ isTest = false }: { isTest?: boolean }) => isTest === (mode === 'test');
  const chains = deps.chains.filter(({ chain }) => isOf(chain));
  const pis = pisOf(deps).filter(isOf);
  const { books, ...snapshot } = await takeSnapshot(deps.db, mode, { chains, pis });
  const missing: MissingReserve[] = [];
  const holdings = new Map<AssetCode, Holding>();
  for (const [at, asked] of chains.entries()) {
    const found = await holdingsOf(deps, asked, snapshot.chains[at] ?? null);
    missing.push(...found.missing);
    for (const [asset, holding] of found.holdings) holdings.set(asset, holding);
  }
  for (const [at, pi] of pis.entries()) {
    const found = snapshot.pis[at];
    if (found) holdings.set(piCodeOf(pi), holdingOfPi(found));
    else missing.push({ asset: piCodeOf(pi), why: 'the account has not been read yet' });
  }
  const items = [...holdings]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([asset, holding]) => reserveOf(asset, holding, books, assets.get(asset).scale));
  return { items, missing };
}

/** Reads ledger and rails in one snapshot of the database, so that they fit together. */
async function takeSnapshot(
  db: Database,
  mode: Mode,
  { chains, pis }: { chains: readonly ChainWithEndpoints[]; pis: readonly PiConfig[] },
): Promise<Snapshot> {
  return await transaction(db, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await liftTimeLimits(tx);
    const found: (ChainSnapshot | null)[] = [];
    for (const { chain } of chains) found.push(await snapshotChain(tx, chain));
    const accounts: (PiSnapshot | null)[] = [];
    for (const pi of pis) accounts.push(await snapshotPi(tx, pi));
    return { books: await readBooks(tx, mode), chains: found, pis: accounts };
  });
}

async function readBooks(reader: Reader, mode: Mode): Promise<Books> {
  const totals = (await installationTotals(reader)).filter((each) => each.mode === mode);
  return { totals, outside: await outsideTotals(reader, mode) };
}

async function holdingsOf(
  { db, now, log }: ReserveDeps,
  { chain, endpoints }: ChainWithEndpoints,
  snapshot: ChainSnapshot | null,
): Promise<{ holdings: Map<AssetCode, Holding>; missing: MissingReserve[] }> {
  const holdings = new Map<AssetCode, Holding>();
  const none = (why: string) => ({
    holdings,
    missing: chain.tokens.map(({ asset }) => ({ asset, why })),
  });
  if (!snapshot) return none(`${chain.name} has not been read yet`);
  const missing: MissingReserve[] = [];
  try {
    const agreement = createAgreement(endpoints, now, log);
    for (const [asset, held] of await readHeld({ db, agreement, now: now() }, snapshot)) {
      if (snapshot.unread.has(asset)) missing.push({ asset, why: `${chain.name} has not been read yet` });
      else if (held.isUnclear)
        missing.push({ asset, why: `endpoints of ${chain.name} disagree about balances` });
      else holdings.set(asset, holdingOfChain(asset, held, snapshot));
    }
    return { holdings, missing };
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return none(error.message);
  }
}

function holdingOfChain(asset: AssetCode, held: AssetHeld, { block, unbooked }: ChainSnapshot): Holding {
  const { addresses, treasury, vault, opening, moved } = held;
  return {
    block: block.number,
    held: { addresses, treasury, vault },
    explained: [
      { why: 'was in the treasury or vault before its transfers were read', units: opening },
      { why: 'moved by the owner of the extended key', units: moved },
      { why: 'is on the chain and not booked yet', units: unbooked.get(asset) ?? 0n },
    ],
  };
}

function holdingOfPi({ ledger, held, opening, unbooked }: PiSnapshot): Holding {
  return {
    block: ledger,
    held: { addresses: held, treasury: 0n, vault: 0n },
    explained: [
      { why: 'was in the account before its movements were read', units: opening },
      { why: 'is in the account and not booked yet', units: unbooked },
    ],
  };
}

/**
 * Whether an external account is a place that is compared, or one of direct settlement, which is nobody's here; every other
 * one explains a part of the difference.
 */
function isPlace(owner: string): boolean {
  return isPiCode(owner) || /^evm:\d+(:treasury|:vault|:direct)?$/.test(owner);
}

function wordsOf(owner: string, units: bigint): string {
  if (owner.endsWith(':operator'))
    return units > 0n ? 'put in by the operator' : 'taken out by the operator, or sent without an order';
  if (owner === 'wallets') return `is owed ${units > 0n ? 'to' : 'by'} the wallet backend`;
  return `is with ${owner}`;
}

function reserveOf(asset: AssetCode, holding: Holding, books: Books, scale: number): Reserve {
  const units = books.totals.find((each) => each.asset === asset)?.units ?? {};
  const owed = {
    business: units.business ?? 0n,
    wallets: units.user ?? 0n,
    customers: units.payable ?? 0n,
    fees: (units.fees ?? 0n) + (units.fees_out ?? 0n),
    suspense: units.suspense ?? 0n,
  };
  const explained: Explained[] = [
    { why: 'is owed by businesses and users', units: units.receivable ?? 0n },
    ...books.outside
      .filter((each) => each.asset === asset && !isPlace(each.owner))
      .map(({ owner, units: outside }) => ({ why: wordsOf(owner, outside), units: outside })),
    ...holding.explained,
  ].filter((each) => each.units !== 0n);
  const decimal = (amount: bigint): string => decimalOf(amount, scale);
  const difference =
    sum(Object.values(holding.held)) - sum(Object.values(owed)) - sum(explained.map((each) => each.units));
  return {
    asset,
    block: smallNumber(holding.block),
    owed: {
      business: decimal(owed.business),
      wallets: decimal(owed.wallets),
      customers: decimal(owed.customers),
      fees: decimal(owed.fees),
      suspense: decimal(owed.suspense),
    },
    held: {
      addresses: decimal(holding.held.addresses),
      treasury: decimal(holding.held.treasury),
      vault: decimal(holding.held.vault),
    },
    explained: explained.map((each) => ({ why: each.why, amount: decimal(each.units) })),
    difference: decimal(difference),
  };
}

const sum = (units: readonly bigint[]): bigint => units.reduce((total, each) => total + each, 0n);
