import { inspect } from 'node:util';
import { recompute } from '../../../gateway/src/commands/audit.ts';
import { compareReserves } from '../../../gateway/src/commands/treasury/reserves.ts';
import type { Program } from '../parties/ask.ts';
import type { Journal } from '../parties/journal.ts';
import type { Owner } from '../parties/owner.ts';
import type { Balance, WalletUser } from '../parties/wallet-user.ts';
import type { Mode, World } from '../world/world.ts';
import { type ChainReader, readPi } from './chain.ts';
import { readDirect } from './direct.ts';
import {
  type BooksRead,
  type EventRead,
  type PaymentRead,
  type PayoutRead,
  type Purse,
  type Reading,
  whoOf,
} from './reading.ts';
import { fineOf } from './units.ts';

/** What the model reads with, and from when on. */
export type ReadDeps = {
  world: World;
  journal: Journal;
  programs: readonly Program[];
  users: readonly WalletUser[];
  chain: ChainReader;
  sinceBlock: number;
  sinceMs: number;
  /** The word with which all references of this seed begin. */
  run: string;
  /** The person of the merchant who settles directly, with all addresses of its own. */
  owner: Owner;
  /** All addresses of the chain that anybody was shown in this world, and that lead to the treasury. */
  addresses: Set<string>;
};

type Page<T> = { items: T[]; next_cursor: string | null };

/** Reads all that a judgement needs, but for the books of the operator. */
export async function readWorld(deps: ReadDeps): Promise<Reading> {
  const { world, journal, chain } = deps;
  noteAddresses(deps);
  const [payments, payouts, events, balances, wallets, came, pi, held, direct] = await Promise.all([
    readPayments(deps),
    readPayouts(deps),
    readEvents(deps),
    readBalances(deps),
    readWallets(deps),
    chain.transfers(deps.sinceBlock),
    journal.orders.some(({ places }) => places.has('pi')) ? readPi(world.pi, deps.sinceMs) : [],
    readHeld(deps),
    readDirect(deps, deps.owner.addresses),
  ]);
  const nowMs = world.clock.now();
  return {
    ...{ nowMs, payments, payouts, events, balances, wallets, came: [...came, ...pi], held, direct },
    books: null,
  };
}

function noteAddresses({ journal: { orders, topUps }, addresses }: ReadDeps): void {
  for (const { places, ownAsset } of orders)
    for (const [asset, { address }] of places)
      if (address.startsWith('0x') && asset !== ownAsset) addresses.add(address);
  for (const { address } of topUps) addresses.add(address);
}

async function readPayments({ journal: { orders }, programs }: ReadDeps): Promise<Reading['payments']> {
  const found = await Promise.all(
    orders.map(async ({ reference, merchant, mode, pageUrl }) => {
      // A call that was refused left nothing, which is looked for too.
      const path = pageUrl === null ? `/payments?limit=100` : `/payments/${reference}`;
      const read = await programOf(programs, merchant, mode)?.read(path);
      const all =
        pageUrl === null ? ((read as Page<PaymentRead> | null)?.items ?? []) : [read as PaymentRead | null];
      return all.filter((each) => each?.payment_reference === reference);
    }),
  );
  return new Map(found.flat().flatMap((each) => (each ? [[each.payment_reference, each]] : [])));
}

const programOf = (programs: readonly Program[], merchant: string, mode: Mode): Program | undefined =>
  programs.find((each) => each.merchant.name === merchant && each.mode === mode);

async function readPayouts({ programs, run }: ReadDeps): Promise<Reading['payouts']> {
  const found = await Promise.all(
    programs.map((program) =>
      readList<PayoutRead>(
        program,
        '/payouts?limit=100',
        ({ payout_reference }) => payout_reference?.startsWith(run) ?? false,
      ),
    ),
  );
  return new Map(found.flat().map((each) => [each.id, each]));
}

async function readEvents({ programs, run }: ReadDeps): Promise<Reading['events']> {
  const isOwn = ({ payment_reference, payout_reference }: EventRead) =>
    payment_reference.startsWith(run) || payout_reference.startsWith(run);
  const entries = await Promise.all(
    programs.map(async (program) => {
      const events = await readList<EventRead>(program, '/events?limit=100', isOwn);
      return [whoOf(program.merchant.name, program.mode), events] as const;
    }),
  );
  return new Map(entries);
}

/** A list, newest first, as long as its pages have something of this seed. */
async function readList<T>(program: Program, path: string, isOwn: (item: T) => boolean): Promise<T[]> {
  const items: T[] = [];
  let cursor = '';
  for (;;) {
    const page = (await program.read(`${path}${cursor}`, true)) as Page<T> | null;
    const own = page?.items.filter(isOwn) ?? [];
    items.push(...own);
    if (!page?.next_cursor || own.length === 0) return items;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

async function readBalances({ programs }: ReadDeps): Promise<Reading['balances']> {
  const entries = await Promise.all(
    programs.map(async (program) => {
      const balances = (await program.read('/balances')) as { items: Balance[] } | null;
      return [whoOf(program.merchant.name, program.mode), purseOf(balances?.items ?? [])] as const;
    }),
  );
  return new Map(entries);
}

async function readWallets({ users }: ReadDeps): Promise<Reading['wallets']> {
  const entries: [string, Purse][] = [];
  for (const user of users)
    for (const mode of ['live', 'test'] as const)
      entries.push([whoOf(user.username, mode), purseOf((await user.balances(mode)) ?? [])]);
  return new Map(entries);
}

function purseOf(balances: readonly Balance[]): Purse {
  return new Map(
    balances.map(({ asset, available, held }) => [
      asset,
      { available: fineOf(available), held: fineOf(held) },
    ]),
  );
}

async function readHeld({ world, chain, addresses }: ReadDeps): Promise<Reading['held']> {
  const ours = [world.chain.treasury, world.chain.vault, ...addresses];
  const entries = await Promise.all(
    Object.keys(world.chain.tokens).map(async (asset) => [asset, await chain.held(asset, ours)] as const),
  );
  return new Map(entries);
}

/** Asks what the operator's commands `audit` and `reserves` say, beside the gateways. */
export async function readBooks({ settings, chain: { tokens } }: World): Promise<BooksRead> {
  const [audit, { items }] = await Promise.all([recompute(settings), compareReserves(settings)]);
  const { report, chain } = audit;
  return {
    findings: [...report.findings, ...chain.faults].map((each) => inspect(each)),
    reserves: items,
    missing: Object.keys(tokens).filter((code) => !items.some(({ asset }) => asset === code)),
  };
}
