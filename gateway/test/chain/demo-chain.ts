import { join } from 'node:path';
import { createPublicClient, createWalletClient, erc20Abi, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { StateJson } from '../../src/checkout/state-json.ts';
import { recompute } from '../../src/commands/audit.ts';
import { compareReserves } from '../../src/commands/treasury/reserves.ts';
import { addressOf, readRecord } from '../../src/demo/chain/record.ts';
import type { DemoFile } from '../../src/demo/seed.ts';
import { openDatabase } from '../../src/kit/db/db.ts';
import { unitsOfDecimal } from '../../src/money/money.ts';
import { type Hex, railOf } from '../../src/rails/evm/config/chains.ts';
import type { Reserve } from '../../src/treasury/reserves/reserves.ts';
import type { CreatedPayment } from '../support/api.ts';
import type { RunningGateway } from '../support/running.ts';

export type DemoChainFile = NonNullable<DemoFile['chain']>;

/** The demo chain as whoever holds its payer sees it. */
export function demoChain(file: DemoChainFile) {
  const account = privateKeyToAccount(file.payer_private_key as Hex);
  const chain = {
    id: file.chain_id,
    name: 'Florin demo chain',
    nativeCurrency: { name: 'Demo', symbol: 'DEMO', decimals: 18 },
    rpcUrls: { default: { http: [file.rpc_url] } },
  };
  const transport = http(file.rpc_url);
  const client = createPublicClient({ chain, transport, pollingInterval: 100 });
  const wallet = createWalletClient({ account, chain, transport });
  const tokenOf = (asset: string) => ({ address: file.tokens[asset] as Hex, abi: erc20Abi });
  return {
    client,
    payer: account.address,
    /** A plain transfer, as from any wallet or exchange. */
    send: (asset: string, to: string, amount: string): Promise<Hex> =>
      wallet.writeContract({
        ...tokenOf(asset),
        functionName: 'transfer',
        args: [to as Hex, unitsOfDecimal(amount, 18)!],
      }),
    balanceOf: (asset: string, owner: string): Promise<bigint> =>
      client.readContract({ ...tokenOf(asset), functionName: 'balanceOf', args: [owner as Hex] }),
  };
}

/** Makes a live payment, and resolves with its page's address once the chain's contracts were looked at. */
export async function createLive(
  { liveApi }: RunningGateway,
  fields: Record<string, unknown> = {},
): Promise<{ reference: string; url: string }> {
  const body = { amount: 25.5, currency: 'USDC', payment_type: 'deposit', ...fields };
  const { status, text, body: answer } = await liveApi<CreatedPayment>('PUT', '/payment/create', { body });
  if (status !== 200) throw new Error(text);
  return { reference: answer.data.PaymentData.payment_reference, url: answer.data.PaymentURL };
}

/** What the page of a payment is told. */
export async function stateOf(paymentUrl: string): Promise<StateJson> {
  const url = new URL(paymentUrl);
  url.pathname += '/state';
  return (await (await fetch(url)).json()) as StateJson;
}

/** Where the page of a payment says that money goes, once it does. */
export async function destinationOf(paymentUrl: string) {
  await expect.poll(async () => (await stateOf(paymentUrl)).destinations.length).toBe(1);
  return (await stateOf(paymentUrl)).destinations[0]!;
}

/** What the chain's addresses and its treasury hold, as the ledger has it; in units of the asset. */
export async function bookedOnChain({ connection, demo }: RunningGateway, asset: string) {
  const db = openDatabase(await connection());
  try {
    const { rows } = await db.query<{ owner: string; units: bigint }>(
      `SELECT a.owner, -sum(e.units) AS units FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
       WHERE a.kind = 'external' AND a.mode = 'live' AND a.asset = $1 GROUP BY a.owner`,
      [asset],
    );
    const held = new Map(rows.map(({ owner, units }) => [owner, units]));
    const rail = railOf(demo.chain!.chain_id);
    return { addresses: held.get(rail) ?? 0n, treasury: held.get(`${rail}:treasury`) ?? 0n };
  } finally {
    await db.end();
  }
}

/** Where sweeps of the demo chain go. */
export async function treasuryOfDemo({ dataDir }: RunningGateway): Promise<Hex> {
  const record = await readRecord(join(dataDir, 'chain/chain.json'));
  return addressOf(record!.keys.treasury);
}

/**
 * Recomputes the ledger of a running gateway as its operator does; what was found wrong. By the code of `florin audit`,
 * without a process for each look, which takes half a second of CPU.
 */
export async function auditFindingsOf({ settings }: RunningGateway): Promise<unknown[]> {
  const { report, chain } = await recompute(settings);
  if (chain.fault) throw new Error(`The hash chain is not whole: ${chain.fault.found}`);
  return report.findings;
}

/**
 * What a running gateway owes beside what its chain shows is held. Rejects where something differs or is not known. By the
 * code of `florin reserves`.
 */
export async function reservesOf({ settings }: RunningGateway): Promise<Reserve[]> {
  const report = await compareReserves(settings);
  const differing = report.items.filter(({ difference }) => difference !== '0');
  if (differing.length + report.missing.length > 0) throw new Error(JSON.stringify(report));
  return report.items;
}
