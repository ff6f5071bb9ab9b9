import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { finalNumber } from '../chain/game.ts';
import type { EvmGame } from './evm.ts';
import { receiverKey } from './stage.ts';

// What the chain itself says of a schedule, and how far the gateway has read it.

/** What is still to be read, to become final, to be reported, or to be read again. */
export async function evmLeft({ world, setting }: EvmGame): Promise<string | null> {
  const view = world.driver.view();
  const { rows } = await world.db.query<{ left: string | null }>(
    `SELECT CASE
       WHEN seen_number IS DISTINCT FROM $1 THEN format('to see up to %s after %s', $1, seen_number)
       WHEN final_number IS DISTINCT FROM $2 THEN format('to book up to %s after %s', $2, final_number)
       WHEN EXISTS (SELECT FROM evm_transfers WHERE unreported) THEN 'to report'
       WHEN EXISTS (SELECT FROM evm_payouts WHERE unreported) THEN 'to report a payout'
       WHEN EXISTS (SELECT FROM evm_second_readings WHERE round = 1 AND number < $2) THEN 'to read a second time'
       WHEN EXISTS (SELECT FROM evm_rechecks) THEN 'to read a block again' END AS left
     FROM evm_chains`,
    [view.head, finalNumber(view, setting)],
  );
  return rows[0] ? rows[0].left : 'to begin';
}

/** Every amount that came from the vault to a destination of a payout. */
export async function evmPaidTo({ world, receivers }: EvmGame): Promise<Map<string, bigint[]>> {
  const paid = new Map<string, bigint[]>();
  for (const { from, to, units } of await world.driver.transfers()) {
    const key = receiverKey({ to, memo: null });
    if (from === world.vault && receivers.has(key)) paid.set(key, [...(paid.get(key) ?? []), units]);
  }
  return paid;
}

/** What the operator put into vault and treasury, or took out of them, and what was there before. */
export async function evmExplained(game: EvmGame): Promise<Map<string, Map<string, bigint>>> {
  const { world, chain, swept, base, receivers, paid } = game;
  const { driver, vault } = world;
  const places = new Set<Hex>([vault, swept]);
  const ours = new Set<Hex>([...places, ...paid.map(({ address }) => address)]);
  const logs = await driver.transfers();
  const explained = new Map<string, Map<string, bigint>>();
  for (const { asset, address: token } of chain.tokens) {
    let put = 0n;
    for (const { from, to, units } of logs.filter((log) => log.token === token)) {
      if (places.has(to) && !ours.has(from)) put += units;
      if (places.has(from) && !ours.has(to) && !receivers.has(receiverKey({ to, memo: null }))) put -= units;
    }
    let before = 0n;
    for (const place of places) before += await driver.balanceOf(token, place, base);
    const lines = new Map<string, bigint>();
    if (put > 0n) lines.set('put in by the operator', put);
    if (put < 0n) lines.set('taken out by the operator, or sent without an order', put);
    if (before !== 0n) lines.set('was in the treasury or vault before its transfers were read', before);
    explained.set(asset, lines);
  }
  return explained;
}

/** What vault, treasury and the addresses of payments hold together. */
export async function evmHeld({ world, chain, swept, paid }: EvmGame): Promise<Map<string, bigint>> {
  const held = new Map<string, bigint>();
  const places = new Set<Hex>([world.vault, swept, ...paid.map(({ address }) => address)]);
  for (const { asset, address: token } of chain.tokens) {
    let units = 0n;
    for (const place of places) units += await world.driver.balanceOf(token, place);
    held.set(asset, units);
  }
  return held;
}
