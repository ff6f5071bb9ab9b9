import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { createHttpSender } from '../kit/net/safe-fetch.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { createPayoutSender } from '../rails/evm/payouts/sender.ts';
import { readVaultKey } from '../rails/evm/payouts/signer.ts';
import type { Endpoints } from '../rails/evm/rpc/endpoints.ts';
import type { TakeReports } from '../rails/report.ts';
import type { Sends } from './take-reports.ts';

export type EvmSendingDeps = {
  db: Database;
  chain: ChainConfig;
  endpoints: Endpoints;
  take: TakeReports;
  sends: Sends;
  now: Clock;
  log: Logger;
};

/** Paying out of the vault of a chain, as the rest of the gateway knows it. */
export type EvmSending = {
  loop: { name: string; everyMs: number; work: () => Promise<void> };
  /** Ends what is under way. */
  disconnect(): Promise<void>;
};

/** How often it is looked for what is to be sent, and what became of what was. */
const lookMs = 2_000;
/** A program that signs may ask somebody else. */
const signMs = 15_000;

/**
 * Pays out what was ordered, or waits for the vault's admin to do so where it has no signer; null where the configuration
 * names no vault.
 */
export function openEvmSending({ sends, ...deps }: EvmSendingDeps): EvmSending | null {
  const { chain } = deps;
  const { vault } = chain;
  if (!vault) return null;
  const { signer } = vault;
  const http = createHttpSender({ timeoutMs: signMs });
  const sender = createPayoutSender({
    ...deps,
    vault,
    readKey: signer && (() => readVaultKey(signer, chain, http)),
    isStopped: sends.isStopped,
  });
  return {
    loop: { name: `payouts ${chain.id}`, everyMs: lookMs, work: sender.tick },
    disconnect: () => http.close(),
  };
}
