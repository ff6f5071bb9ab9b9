import { decimalOf } from '../../../money/money.ts';
import type { HandFile } from '../../by-hand.ts';
import { checksummed } from '../addresses/forwarders.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { transferCall } from '../send/words.ts';
import { safeFile } from '../vault/safe-file.ts';
import { payCall } from './calls.ts';
import type { ExportedOrder } from './exports.ts';
import { batchSize } from './plan.ts';

type Facts = {
  chain: Pick<ChainConfig, 'id' | 'name' | 'tokens'>;
  exportId: string;
  /** The vault that the file calls. */
  vault: Hex;
  at: Date;
  orders: readonly ExportedOrder[];
};

/** What the vault's admin signs to pay the orders: the vault pays each id once, and counts no limit of the day. */
export function payFile({ chain, exportId, vault, at, orders }: Facts): HandFile {
  const count = `${orders.length} ${orders.length === 1 ? 'payout' : 'payouts'}`;
  return safeFileOf({
    ...{ chain, exportId, vault, at, orders, suffix: '' },
    name: `Florin: ${count}`,
    description: `${totalsOf(chain, orders).join(', ')} from the vault ${checksummed(vault)} on ${chain.name}. The vault pays each of them once, however often this is executed.`,
  });
}

/** What the vault's admin signs so that the orders can never be paid: their ids are used up by paying 0 to the vault. */
export function useUpFile({ chain, exportId, vault, at, orders }: Facts): HandFile {
  const nothing = orders.map((order) => ({ ...order, receiver: vault, units: 0n }));
  return safeFileOf({
    ...{ chain, exportId, vault, at, orders: nothing, suffix: '-use-up' },
    name: `Florin: use up ${orders.length} ${orders.length === 1 ? 'id' : 'ids'}`,
    description: `Pays nothing. Afterwards the vault ${checksummed(vault)} never pays these payouts: ${totalsOf(chain, orders).join(', ')}.`,
  });
}

function safeFileOf({
  chain,
  exportId,
  vault,
  at,
  orders,
  suffix,
  name,
  description,
}: Facts & { suffix: string; name: string; description: string }): HandFile {
  const calls: { to: Hex; data: Hex }[] = [];
  for (const [token, own] of Map.groupBy(orders, (order) => order.token)) {
    for (let from = 0; from < own.length; from += batchSize) {
      calls.push({ to: vault, data: payCall(token, own.slice(from, from + batchSize)) });
    }
  }
  return {
    name: `${nameOf(chain, exportId)}${suffix}.json`,
    type: 'application/json; charset=utf-8',
    text: safeFile({ chainId: chain.id, name, description, at, calls }),
  };
}

/** The same orders as a list, for making the transaction in another way. */
export function listFile({ chain, exportId, orders }: Facts): HandFile {
  const scales = scalesOf(chain);
  const lines = orders.map(({ id, vaultId, asset, token, receiver, units, at }) => [
    ...[id, `${vaultId}`, asset, checksummed(token), checksummed(receiver)],
    ...[decimalOf(units, scales.get(token) ?? 0), `${units}`, at.toISOString()],
  ]);
  const head = ['payout_id', 'vault_id', 'asset', 'token', 'to', 'amount', 'units', 'ordered_at'];
  return csvOf(chain, exportId, head, lines);
}

type PlainFacts = Omit<Facts, 'vault'> & { treasury: Hex };

/** What a treasury that is a Safe signs to pay the orders by plain transfers. It pays them each time it is executed. */
export function transferFile({ chain, exportId, treasury, at, orders }: PlainFacts): HandFile {
  const count = `${orders.length} ${orders.length === 1 ? 'payout' : 'payouts'}`;
  const calls = orders.map(({ token, receiver, units }) => ({
    to: token,
    data: transferCall(receiver, units),
  }));
  return {
    name: `${nameOf(chain, exportId)}.json`,
    type: 'application/json; charset=utf-8',
    text: safeFile({
      ...{ chainId: chain.id, at, calls },
      name: `Florin: ${count}`,
      description: `${totalsOf(chain, orders).join(', ')} from the treasury ${checksummed(treasury)} on ${chain.name}. Execute it once: each time, it pays all of them.`,
    }),
  };
}

/** The same orders as a list, for a treasury that is a wallet. */
export function transferList({ chain, exportId, orders }: PlainFacts): HandFile {
  const scales = scalesOf(chain);
  return csvOf(
    chain,
    exportId,
    ['payout_id', 'asset', 'token', 'to', 'amount', 'units', 'ordered_at'],
    orders.map(({ id, asset, token, receiver, units, at }) => [
      ...[id, asset, checksummed(token), checksummed(receiver)],
      ...[decimalOf(units, scales.get(token) ?? 0), `${units}`, at.toISOString()],
    ]),
  );
}

function csvOf(
  chain: Facts['chain'],
  exportId: string,
  head: readonly string[],
  lines: readonly (readonly string[])[],
): HandFile {
  return {
    name: `${nameOf(chain, exportId)}.csv`,
    type: 'text/csv; charset=utf-8; header=present',
    text: [head, ...lines].map((line) => `${line.join(',')}\r\n`).join(''),
  };
}

const nameOf = ({ id }: Facts['chain'], exportId: string): string => `payouts-${id}-${exportId}`;

const scalesOf = ({ tokens }: Facts['chain']): Map<Hex, number> =>
  new Map(tokens.map(({ address, scale }) => [address, scale]));

function totalsOf(chain: Facts['chain'], orders: readonly ExportedOrder[]): string[] {
  const scales = scalesOf(chain);
  return [...Map.groupBy(orders, ({ token }) => token)].map(([token, own]) => {
    const units = own.reduce((sum, order) => sum + order.units, 0n);
    return `${decimalOf(units, scales.get(token) ?? 0)} ${own[0]?.asset ?? ''}`;
  });
}
