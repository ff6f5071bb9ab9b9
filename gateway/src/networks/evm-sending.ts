import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { createHttpSender } from '../kit/net/safe-fetch.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { createPayoutSender } from '../rails/evm/payouts/sender.ts';
import { readVaultKey } from '../rails/evm/payouts/signer.ts';
import type { Endpoints } from '../rails/evm/rpc/endpoints.ts';
import type { TakeReports } from '../rails/report.ts';
import { type NetworkSender, senderMs, signMs } from './network.ts';
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

/**
 * Pays out of the vault of a chain what was ordered. Without a signer it waits for the vault's admin to do so; null where
 * the configuration names no vault.
 */
export function openEvmSending({ sends, ...deps }: EvmSendingDeps): NetworkSender | null {
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
    loop: { name: `payouts ${chain.id}`, everyMs: senderMs, work: sender.tick },
    disconnect: () => http.close(),
  };
}
