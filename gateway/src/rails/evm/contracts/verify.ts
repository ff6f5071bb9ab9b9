import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Logger } from 'pino';
import { after, type Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { AssetCode } from '../../../money/money.ts';
import type { RailFault } from '../../health.ts';
import { checksummed, factoryAddress, factoryCodeHash } from '../addresses/forwarders.ts';
import { splitterFactoryAddress, splitterFactoryCodeHash } from '../addresses/splitters.ts';
import { vaultCodeHash } from '../addresses/vault.ts';
import type { ChainConfig, ChainToken, Hex } from '../config/chains.ts';
import type { Endpoint, Endpoints } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';

/**
 * What was found on the chain. Addresses are given out for `assets` while the factory is the right one, whatever is
 * wrong with the vault.
 */
export type Verification = { isFactoryGood: boolean; assets: AssetCode[]; faults: RailFault[] };

/**
 * Checks the contracts of a chain: whether the addresses of factory and vault have their code, and whether each token has the
 * configured decimals. Throws RpcFault when the endpoint gives no answer.
 */
export async function verifyContracts(endpoint: Endpoint, chain: ChainConfig): Promise<Verification> {
  const needsFactory = chain.receiving.kind === 'forwarder';
  const factoryFault = needsFactory ? await findFactoryFault(endpoint) : null;
  const vaultFault = chain.vault ? await findVaultFault(endpoint, chain.vault.address) : null;
  const assets: AssetCode[] = [];
  const faults = [factoryFault, vaultFault].filter((fault) => fault !== null);
  for (const token of chain.tokens) {
    const message = await findTokenFault(endpoint, token);
    if (message === null) assets.push(token.asset);
    else faults.push({ code: 'wrong_token', message: `${token.asset}: ${message}` });
  }
  return { isFactoryGood: factoryFault === null, assets, faults };
}

async function findFactoryFault(endpoint: Endpoint): Promise<RailFault | null> {
  const at = checksummed(factoryAddress);
  const hash = await codeHashAt(endpoint, factoryAddress);
  if (hash === null) return { code: 'no_factory', message: `There is no factory at ${at}.` };
  if (hash === factoryCodeHash) return null;
  return { code: 'wrong_factory', message: `The contract at ${at} is not the factory.` };
}

async function findVaultFault(endpoint: Endpoint, vault: Hex): Promise<RailFault | null> {
  const at = checksummed(vault);
  const hash = await codeHashAt(endpoint, vault);
  if (hash === null) return { code: 'no_vault', message: `There is no vault at ${at}.` };
  if (hash === vaultCodeHash) return null;
  return { code: 'wrong_vault', message: `The contract at ${at} is not the vault.` };
}

/** Why nobody can release splitters on this chain; null: their factory is there. Only direct settlement needs it. */
export async function findSplittersFault(endpoint: Endpoint): Promise<RailFault | null> {
  const at = checksummed(splitterFactoryAddress);
  const hash = await codeHashAt(endpoint, splitterFactoryAddress);
  if (hash === null) return { code: 'no_factory', message: `There is no factory of splitters at ${at}.` };
  if (hash === splitterFactoryCodeHash) return null;
  return { code: 'wrong_factory', message: `The contract at ${at} is not the factory of splitters.` };
}

/** Keccak-256 of the code at an address; null: there is none. */
async function codeHashAt(endpoint: Endpoint, address: Hex): Promise<Hex | null> {
  const [code] = await endpoint.batch([{ method: 'eth_getCode', params: [address, 'latest'] }]);
  const bytes = bytesOf(code);
  return bytes.length === 0 ? null : `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`;
}

async function findTokenFault(endpoint: Endpoint, token: ChainToken): Promise<string | null> {
  const at = checksummed(token.address);
  const decimals = await read(endpoint, token.address, selectors.decimals);
  if (decimals === null || decimals.length !== 32) return `there is no token at ${at}.`;
  const scale = BigInt(`0x${decimals.toString('hex')}`);
  if (scale !== BigInt(token.scale)) {
    return `the token at ${at} has ${scale} decimals, and ${token.scale} are configured.`;
  }
  if (token.symbol === null) return null;
  const symbol = textOf(await read(endpoint, token.address, selectors.symbol));
  if (symbol === token.symbol) return null;
  return `the token at ${at} has the symbol ${JSON.stringify(symbol)}, and "${token.symbol}" is configured.`;
}

const selectors = { decimals: '0x313ce567', symbol: '0x95d89b41' } as const;

/** What a contract returns; null where it refuses. */
async function read(endpoint: Endpoint, to: Hex, data: Hex): Promise<Buffer | null> {
  try {
    const [answer] = await endpoint.batch([{ method: 'eth_call', params: [{ to, data }, 'latest'] }]);
    return bytesOf(answer);
  } catch (error) {
    if (error instanceof RpcFault && error.kind === 'refused') return null;
    throw error;
  }
}

function bytesOf(answer: unknown): Buffer {
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(answer)) {
    throw new RpcFault('nonsense', 'answered with malformed bytes');
  }
  return Buffer.from(answer.slice(2), 'hex');
}

/** A text as contracts return it; the oldest contracts return 32 bytes. */
function textOf(answer: Buffer | null): string {
  if (answer?.length === 32) return answer.toString('utf8').replace(/\0+$/, '');
  if (!answer || answer.length < 64) return '';
  const length = answer.readUInt32BE(60);
  return answer.subarray(64, 64 + Math.min(length, 100)).toString('utf8');
}

export type VerifierDeps = {
  db: Database;
  chain: ChainConfig;
  endpoints: Endpoints;
  now: Clock;
  log: Logger;
};

const retrySeconds = 10;
/** The code behind a proxy contract can change. */
const repeatSeconds = 3600;

/**
 * Returns the function that checks a chain's contracts, to be called again and again: it asks the chain every few
 * seconds until all is as configured, and every hour from then on. The first call deletes a result that was found under
 * another configuration. While the chain cannot be asked, the last result stays.
 */
export function createVerifier({ db, chain, endpoints, now, log }: VerifierDeps): () => Promise<void> {
  const digest = digestOf(chain);
  let dueAt: Date | null = null;
  let lastFaults = '';

  async function forgetOthers(): Promise<void> {
    await db.query(
      `UPDATE evm_chains SET verified_at = NULL, verified_assets = '{}', faults = '[]'
       WHERE chain_id = $1 AND verified_for <> $2`,
      [chain.id, digest],
    );
  }

  async function write({ isFactoryGood, assets, faults }: Verification): Promise<void> {
    await db.query(
      `INSERT INTO evm_chains (chain_id, verified_at, verified_assets, verified_for, faults)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (chain_id) DO UPDATE SET verified_at = excluded.verified_at,
         verified_assets = excluded.verified_assets, verified_for = excluded.verified_for,
         faults = excluded.faults`,
      [chain.id, isFactoryGood ? now() : null, assets, digest, JSON.stringify(faults)],
    );
  }

  function logChange({ assets, faults }: Verification): void {
    const shown = JSON.stringify(faults);
    if (faults.length === 0) {
      if (dueAt === null || lastFaults !== '') {
        log.info({ chain: chain.id, assets }, 'the contracts of the chain are as configured');
      }
      lastFaults = '';
    } else if (shown !== lastFaults) {
      // Logged once, and not every few seconds until it is corrected.
      log.error({ chain: chain.id, faults }, 'contracts are not as configured: their assets are not offered');
      lastFaults = shown;
    }
  }

  return async () => {
    if (dueAt === null) await forgetOthers();
    else if (now() < dueAt) return;
    try {
      const { value } = await endpoints.use((endpoint) => verifyContracts(endpoint, chain));
      await write(value);
      logChange(value);
      dueAt = after(now(), value.faults.length === 0 ? repeatSeconds : retrySeconds);
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      dueAt = after(now(), retrySeconds);
    }
  };
}

/** Two configurations with one digest need the same contracts. */
function digestOf({ receiving, tokens, vault }: ChainConfig): string {
  const factory = receiving.kind === 'forwarder' ? factoryCodeHash : null;
  const needed = vault ? [factory, tokens, vault.address, vaultCodeHash] : [factory, tokens];
  return createHash('sha256').update(JSON.stringify(needed)).digest('hex');
}
