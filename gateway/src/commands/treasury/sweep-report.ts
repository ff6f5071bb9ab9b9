import { decimalOf } from '../../money/money.ts';
import type { ChainConfig } from '../../rails/evm/config/chains.ts';
import { coins } from '../../rails/evm/send/coins.ts';
import { gweiText } from '../../rails/evm/send/fees.ts';
import { nativeCoin } from '../../rails/evm/send/words.ts';
import type { Deposit } from '../../rails/evm/sweep/due.ts';
import type { SentSweep } from '../../rails/evm/sweep/overview.ts';
import type { Plan } from '../../rails/evm/sweep/plan.ts';
import { gasOfDeposit, usdOfUnits, usdOfWei, usdText } from '../../rails/evm/sweep/worth.ts';

export type ReportDeps = { chain: ChainConfig; usdOf(asset: string): string | null };

type Held = Pick<Deposit, 'token' | 'asset' | 'units'>;

/** What a plan sends, what waits and what is left out, one line each. */
export function describePlan(
  { gasPrice, batches, waiting, leftOut, more }: Plan,
  deps: ReportDeps,
): string[] {
  const { chain } = deps;
  const lines = [`${chain.name} (${chain.id}): gas costs ${gweiText(gasPrice.price)}`];
  if (batches.length + waiting.length + leftOut.length === 0) lines.push('  there is nothing to sweep');
  for (const { deposits, ...batch } of batches) {
    const gas = gasOfDeposit * BigInt(deposits.length) * gasPrice.price;
    const cost = usdOfWei(gas, chain.nativeUsd);
    const dollars = cost === null ? '' : ` (${usdText(cost)} USD)`;
    const what = `${countOf(deposits.length)}, ${amountText(batch, deps)}`;
    lines.push(`  sweep ${what}, for about ${coins(gas)} ${chain.nativeSymbol}${dollars}`);
  }
  if (more) lines.push('  more follows in the next round');
  for (const [token, group] of Map.groupBy(waiting, ({ token }) => token)) {
    const units = group.reduce((sum, each) => sum + each.units, 0n);
    const amount = amountText({ token, asset: group[0]?.asset ?? null, units }, deps);
    lines.push(`  wait  ${countOf(group.length)}, ${amount}: not worth the gas yet; --all sweeps them too`);
  }
  for (const { deposit, reason } of leftOut) {
    lines.push(`  leave ${deposit.address}, ${amountText(deposit, deps)}: ${reason}`);
  }
  return lines;
}

/** The state of a transaction, in a line. */
export function describeSent(
  { nonce, hash, state, succeeded, gas_paid, fault }: SentSweep,
  chain: ChainConfig,
): string {
  const paid = gas_paid === null ? '' : `, for ${coins(gas_paid)} ${chain.nativeSymbol}`;
  const words = {
    prepared: 'waits to be sent',
    sent: 'was sent: this command or the gateway waits for it',
    mined: succeeded === false ? 'was reverted' : 'is mined',
    final: 'is final',
    failed: 'was reverted',
    replaced: 'was replaced by a transaction of another program with the same key',
  };
  return `nonce ${nonce} ${words[state]}${paid}: ${hash}${fault === null ? '' : ` (${fault})`}`;
}

function countOf(deposits: number): string {
  return deposits === 1 ? '1 deposit' : `${deposits} deposits`;
}

function amountText({ token, asset, units }: Held, { chain, usdOf }: ReportDeps): string {
  if (token === nativeCoin) return `${coins(units)} ${chain.nativeSymbol}`;
  const scale = chain.tokens.find((each) => each.asset === asset)?.scale;
  if (asset === null || scale === undefined) return `${units} units of ${token}`;
  const worth = usdOfUnits(units, scale, usdOf(asset));
  return `${decimalOf(units, scale)} ${asset}${worth === null ? '' : ` (${usdText(worth)} USD)`}`;
}
