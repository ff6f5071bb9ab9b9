import { Type } from 'typebox';
import type { Console } from '../../../identity/console/console.ts';
import type { Database } from '../../../kit/db/db.ts';
import { queryReader } from '../../../kit/http/fields.ts';
import { pageById, pageFields } from '../../../kit/http/page-query.ts';
import { decimalOf } from '../../../money/money.ts';
import { checksummed } from '../addresses/forwarders.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { coins } from '../send/coins.ts';
import { nativeCoin } from '../send/words.ts';
import { Sweeps } from './console-answers.ts';
import {
  type LeftBehind,
  leftBehind,
  recentSweeps,
  type SenderReport,
  type SentSweep,
  senderReports,
} from './overview.ts';

export type SweepConsoleDeps = { db: Database; chains: readonly ChainConfig[] };

const readPage = queryReader(Type.Object(pageFields));
const shownLeftBehind = 20;

/** What was swept to the treasury, by which transactions, and what could not be. */
export function sweepConsoleRoutes(dashboard: Console, { db, chains }: SweepConsoleDeps): void {
  const byId = new Map(chains.map((chain) => [chain.id, chain]));
  const chainOf = (id: number) => byId.get(id);

  dashboard.get('operator', '/sweeps', { answer: Sweeps }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => recentSweeps(db, rows));
    const senders = await senderReports(db);
    const left = await leftBehind(db, shownLeftBehind);
    return {
      message: 'Sweeps',
      data: {
        items: page.items.map((sweep) => sweepView(sweep, chainOf(sweep.chain_id))),
        next_cursor: page.next_cursor,
        senders: senders.map((sender) => senderView(sender, chainOf(sender.chain_id))),
        left_behind: left.map((each) => leftView(each, chainOf(each.chain_id))),
      },
    };
  });
}

/** A chain that is no longer configured has its number for a name. */
const nameOf = (id: number, chain: ChainConfig | undefined): string => chain?.name ?? `Chain ${id}`;

function tokenOf(token: Hex, chain: ChainConfig | undefined) {
  return chain?.tokens.find(({ address }) => address === token);
}

function sweepView(sweep: SentSweep, chain: ChainConfig | undefined) {
  const { chain_id, token, treasury, units, hash, gas_paid, created_at, ...rest } = sweep;
  const listed = tokenOf(token, chain);
  return {
    ...rest,
    chain: nameOf(chain_id, chain),
    // A token that is not listed has units only: its decimals are not known.
    asset: listed?.asset ?? null,
    amount: listed ? decimalOf(units, listed.scale) : token === nativeCoin ? coins(units) : `${units}`,
    unit: listed ? null : token === nativeCoin ? (chain?.nativeSymbol ?? 'coins') : checksummed(token),
    treasury: checksummed(treasury),
    transaction: hash,
    transaction_url: chain?.explorer ? `${chain.explorer}/tx/${hash}` : null,
    gas_paid: gas_paid === null ? null : `${coins(gas_paid)} ${chain?.nativeSymbol ?? ''}`.trim(),
    created_at: created_at.toISOString(),
  };
}

function senderView(
  { chain_id, gas_key, gas_balance, faults, planned_at }: SenderReport,
  chain?: ChainConfig,
) {
  return {
    chain: nameOf(chain_id, chain),
    gas_key: gas_key && checksummed(gas_key),
    gas_balance: gas_balance === null ? null : `${coins(gas_balance)} ${chain?.nativeSymbol ?? ''}`.trim(),
    faults,
    planned_at: planned_at?.toISOString() ?? null,
  };
}

function leftView({ chain_id, token, address, retry_at, ...rest }: LeftBehind, chain?: ChainConfig) {
  return {
    ...rest,
    chain: nameOf(chain_id, chain),
    asset: tokenOf(token, chain)?.asset ?? checksummed(token),
    address: checksummed(address),
    retry_at: retry_at.toISOString(),
  };
}
