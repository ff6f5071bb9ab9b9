import { writeFile } from 'node:fs/promises';
import { systemClock } from '../../kit/clock.ts';
import { createHttpSender } from '../../kit/net/safe-fetch.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { checksummed, readAddress } from '../../rails/evm/addresses/forwarders.ts';
import type { ChainConfig, Hex, VaultConfig } from '../../rails/evm/config/chains.ts';
import { readVaultKey } from '../../rails/evm/payouts/signer.ts';
import { createEndpoints } from '../../rails/evm/rpc/endpoints.ts';
import { RpcFault } from '../../rails/evm/rpc/rpc-fault.ts';
import { coins } from '../../rails/evm/send/coins.ts';
import { limitOrder, pauseOrder, signerOrder, withdrawOrder } from '../../rails/evm/vault/orders.ts';
import { readVaultState, type VaultState } from '../../rails/evm/vault/reads.ts';
import { safeFile } from '../../rails/evm/vault/safe-file.ts';
import { chainsOf } from './contracts.ts';

type VaultChain = ChainConfig & { vault: VaultConfig };

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** The chains of the configuration that have a vault; throws when there is none. */
async function vaultChains(env: NodeJS.ProcessEnv, chainId: string | undefined): Promise<VaultChain[]> {
  const found = (await chainsOf(env, chainId)).filter((chain): chain is VaultChain => chain.vault !== null);
  if (found.length === 0) throw new Error('no chain of the configuration has a vault: vault.admin names one');
  return found;
}

/** Shows the vaults as they are on their chains, and what is still to be done. Returns the exit code: 0 ready, else 1. */
export async function showVaults(
  env: NodeJS.ProcessEnv,
  { chainId, json }: { chainId?: string | undefined; json: boolean },
): Promise<number> {
  const shown = [];
  for (const chain of await vaultChains(env, chainId)) shown.push(await lookAtVault(chain));
  if (json) print(JSON.stringify(shown.map(asJson)));
  else for (const each of shown) print(textOf(each));
  return shown.every(({ todo }) => todo.length === 0) ? 0 : 1;
}

type Shown = { chain: VaultChain; state: VaultState | null; todo: string[] };

async function lookAtVault(chain: VaultChain): Promise<Shown> {
  const endpoints = createEndpoints({ chain });
  const tokens = chain.tokens.map(({ address }) => address);
  try {
    const { value: state } = await endpoints.use((each) => readVaultState(each, chain.vault.address, tokens));
    return { chain, state, todo: state ? await todoOf(chain, state) : ['florin contracts deploy'] };
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return { chain, state: null, todo: [error.message] };
  } finally {
    await endpoints.close();
  }
}

async function todoOf(chain: VaultChain, state: VaultState): Promise<string[]> {
  const todo: string[] = [];
  const key = await addressOfSigner(chain).catch((error: Error) => {
    todo.push(error.message);
    return null;
  });
  if (key !== null && key !== state.signer) todo.push('the admin names the signer: florin vault signer');
  if (state.isPaused) todo.push('the admin ends the pause: florin vault resume');
  if (state.signer !== null && state.gas === 0n)
    todo.push(`send ${chain.nativeSymbol} for gas to the signer`);
  // From a vault without a signer only the admin pays, without limits.
  const limited = chain.vault.signer ? state.tokens : [];
  const without = limited.filter(({ limit }) => limit === 0n).map(({ token }) => assetOf(chain, token));
  if (without.length > 0)
    todo.push(
      `the admin sets limits: florin vault limits ${without.map((each) => `${each}=<amount>`).join(' ')}`,
    );
  const empty = state.tokens.filter(({ held }) => held === 0n).map(({ token }) => assetOf(chain, token));
  if (empty.length > 0) todo.push(`fund it: send ${empty.join(', ')} to ${checksummed(chain.vault.address)}`);
  const above = state.tokens.flatMap(({ token, held }) => {
    const keep = chain.vault.keep.get(assetOf(chain, token));
    if (keep === undefined || held <= keep) return [];
    return `${assetOf(chain, token)}=${decimalOf(held - keep, scaleOf(chain, token))}`;
  });
  if (above.length > 0)
    todo.push(
      `the admin takes out what is above vault.keep: florin vault take ${above.join(' ')} --to <cold wallet>`,
    );
  return todo;
}

/** The address of the key that the configuration names; null: it names none. */
async function addressOfSigner(chain: VaultChain): Promise<Hex | null> {
  if (!chain.vault.signer) return null;
  const sender = createHttpSender();
  try {
    return (await readVaultKey(chain.vault.signer, chain, sender)).address;
  } finally {
    await sender.close();
  }
}

const assetOf = (chain: ChainConfig, token: Hex): string =>
  chain.tokens.find(({ address }) => address === token)?.asset ?? token;
const scaleOf = (chain: ChainConfig, token: Hex): number =>
  chain.tokens.find(({ address }) => address === token)?.scale ?? 0;
const shownAddress = (address: Hex | null): string | null => (address === null ? null : checksummed(address));

function asJson({ chain, state, todo }: Shown) {
  const address = checksummed(chain.vault.address);
  const place = { chain_id: chain.id, chain: chain.name, address, todo };
  if (!state) return { ...place, deployed: false };
  return {
    ...place,
    deployed: true,
    admin: checksummed(state.admin),
    next_admin: shownAddress(state.nextAdmin),
    signer: shownAddress(state.signer),
    gas: decimalOf(state.gas, 18),
    paused: state.isPaused,
    tokens: state.tokens.map(({ token, held, limit, left }) => {
      const amount = (units: bigint) => decimalOf(units, scaleOf(chain, token));
      return {
        asset: assetOf(chain, token),
        held: amount(held),
        daily_limit: amount(limit),
        left_today: amount(left),
      };
    }),
  };
}

function textOf(shown: Shown): string {
  const { chain, state, todo } = shown;
  const lines = [`${chain.name} (${chain.id}): the vault ${checksummed(chain.vault.address)}`];
  if (state) {
    lines.push(`  admin   ${checksummed(state.admin)}`);
    if (state.nextAdmin) lines.push(`  next    ${checksummed(state.nextAdmin)}, who has to accept`);
    const gas = `${coins(state.gas)} ${chain.nativeSymbol} for gas`;
    lines.push(`  signer  ${state.signer ? `${checksummed(state.signer)}, with ${gas}` : 'none'}`);
    if (state.isPaused) lines.push('  paused');
    for (const { token, held, limit, left } of state.tokens) {
      const amount = (units: bigint) => decimalOf(units, scaleOf(chain, token));
      lines.push(
        `  ${assetOf(chain, token)}: holds ${amount(held)}; may pay out ${amount(limit)} a day, ${amount(left)} more today`,
      );
    }
  }
  return [...lines, ...todo.map((each) => `  to do: ${each}`)].join('\n');
}

/** What the admin is asked to sign. */
export type VaultOrder =
  /** `asset=amount` for each. */
  | { kind: 'limits'; limits: readonly string[] }
  /** The same, to an address. */
  | { kind: 'take'; amounts: readonly string[]; to: string }
  /** Null: the key of the configuration. */
  | { kind: 'signer'; address: string | null }
  | { kind: 'pause' | 'resume' };

/**
 * Prints the calls by which the admin of the vault changes it, as data of transactions; `safe` names a file for Safe's
 * Transaction Builder in place of that. Nothing is sent. Returns the exit code.
 */
export async function orderOfVault(
  env: NodeJS.ProcessEnv,
  order: VaultOrder,
  { chainId, safe }: { chainId?: string | undefined; safe?: string | undefined },
): Promise<number> {
  const chains = await vaultChains(env, chainId);
  const [chain] = chains;
  if (!chain || chains.length > 1) throw new Error('--chain says which, because several chains have a vault');
  const calls = await callsOf(chain, order);
  const to = checksummed(chain.vault.address);
  if (safe === undefined) {
    print(`The admin of the vault on ${chain.name} (${chain.id}) sends:`);
    for (const { what, data } of calls) print(`${what}\n  to    ${to}\n  data  ${data}`);
    return 0;
  }
  const file = safeFile({
    chainId: chain.id,
    name: `Florin vault: ${order.kind}`,
    description: calls.map(({ what }) => what).join('; '),
    at: systemClock(),
    calls: calls.map(({ data }) => ({ to: chain.vault.address, data })),
  });
  await writeFile(safe, file);
  print(`Written to ${safe}: open it in the Transaction Builder of the Safe.`);
  return 0;
}

async function callsOf(chain: VaultChain, order: VaultOrder): Promise<{ what: string; data: Hex }[]> {
  switch (order.kind) {
    case 'pause':
      return [{ what: 'stop the signer', data: pauseOrder(true) }];
    case 'resume':
      return [{ what: 'let the signer go on', data: pauseOrder(false) }];
    case 'signer': {
      const signer = order.address === null ? await addressOfSigner(chain) : addressIn(order.address);
      if (signer === null) throw new Error('the configuration names no vault.signer');
      return [{ what: `name the signer ${checksummed(signer)}`, data: signerOrder(signer) }];
    }
    case 'limits':
      return order.limits.map((each) => {
        const { asset, amount, token, units } = amountIn(chain, each);
        return { what: `pay out ${amount} ${asset} a day`, data: limitOrder(token, units) };
      });
    case 'take': {
      const to = addressIn(order.to);
      return order.amounts.map((each) => {
        const { asset, amount, token, units } = amountIn(chain, each);
        return {
          what: `take ${amount} ${asset} out to ${checksummed(to)}`,
          data: withdrawOrder(token, to, units),
        };
      });
    }
  }
}

function addressIn(text: string): Hex {
  const address = readAddress(text);
  if (address === null) throw new Error(`${text} is no address`);
  return address;
}

/** `usdc-bep20=5000`, in the token's smallest units. */
function amountIn(chain: VaultChain, text: string) {
  const [asset = '', amount = ''] = text.split('=');
  const token = chain.tokens.find((known) => known.asset === asset);
  const units = token ? unitsOfDecimal(amount, token.scale) : null;
  if (!token || units === null)
    throw new Error(`${text} is not an asset of the chain and an amount, as usdc-bep20=5000`);
  return { asset, amount, token: token.address, units };
}
