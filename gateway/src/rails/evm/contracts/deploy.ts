import { setTimeout as sleep } from 'node:timers/promises';
import { smallNumber } from '../../../money/small-number.ts';
import {
  checksummed,
  deployer,
  factoryAddress,
  factoryBytecode,
  factoryCodeHash,
  keccakOf,
} from '../addresses/forwarders.ts';
import {
  splitterFactoryAddress,
  splitterFactoryBytecode,
  splitterFactoryCodeHash,
} from '../addresses/splitters.ts';
import { vaultAddress, vaultCode, vaultCodeHash } from '../addresses/vault.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { hexNumber, numberOf } from '../rpc/block.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import type { RpcCall } from '../rpc/rpc.ts';
import { broadcast } from '../send/broadcast.ts';
import { type Fees, feesAt, gweiText, readGasPrice, weiOfGwei } from '../send/fees.ts';
import type { GasKey } from '../send/key.ts';

/** Why a factory could not be deployed, in words that say what to do. */
export class DeployFault extends Error {}

export type DeployDeps = {
  chain: ChainConfig;
  endpoints: Pick<Endpoints, 'use'>;
  key: GasKey;
  /** The pause between two looks for a receipt, and the longest wait, in milliseconds. */
  pollMs?: number;
  patienceMs?: number;
};

/** The hash of the last transaction, and what all of them cost the key, in wei. */
export type Deployed = { hash: Hex; cost: bigint };

/** The signer of the transaction that deploys the keyless deployer. No one has its key (Nick's method). */
const deployerSigner: Hex = '0x3fab184622dc19b6109349b94811493bf2a45362';
/** That transaction. It names no chain, so it is valid on every one; its gas is 100,000 at 100 gwei. */
const deployerTransaction: Hex =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222';
const deployerCost = 100_000n * 100_000_000_000n;

const otherwise = 'Otherwise take an xpub in the place of the treasury on this chain.';

/** A contract whose address follows from its code, so that it has one on every chain. */
export type Contract = { name: string; address: Hex; code: Hex; codeHash: Hex };

export const factoryContract: Contract = {
  name: 'factory',
  address: factoryAddress,
  code: factoryBytecode,
  codeHash: factoryCodeHash,
};

/** What direct settlement needs beside the factory. */
export const splittersContract: Contract = {
  name: 'factory of splitters',
  address: splitterFactoryAddress,
  code: splitterFactoryBytecode,
  codeHash: splitterFactoryCodeHash,
};

/** The vault of an admin. */
export function vaultContract(admin: Hex): Contract {
  return { name: 'vault', address: vaultAddress(admin), code: vaultCode(admin), codeHash: vaultCodeHash };
}

/**
 * Deploys a contract on a chain, at the address that it has on all of them; the key pays. Returns null where it is
 * there already. Throws DeployFault, or RpcFault when no endpoint answers.
 */
export async function deployContract(deps: DeployDeps, contract: Contract): Promise<Deployed | null> {
  if (await isThere(deps, contract)) return null;
  // Read once: on a chain with few transactions the price of the keyless one would appear as the usual price.
  const fees = await readFees(deps);
  const before = (await codeAt(deps, deployer)) ? 0n : await putDeployer(deps, fees);
  // The deployer's input is a salt and the code.
  const data: Hex = `0x${'0'.repeat(64)}${contract.code.slice(2)}`;
  const { hash, cost } = await pay(deps, fees, { to: deployer, data, value: 0n });
  const look = async () => (await isThere(deps, contract)) || null;
  await until(deps, look, `The transaction ${hash} was mined, and put no ${contract.name} there.`);
  return { hash, cost: before + cost };
}

async function readFees({ chain, endpoints }: DeployDeps): Promise<Fees> {
  const { value: gasPrice } = await endpoints.use(readGasPrice);
  const most = chain.sweep.maxGasPriceGwei;
  const fees = feesAt(gasPrice, weiOfGwei(most));
  if (fees !== null) return fees;
  const now = gweiText(gasPrice.price);
  throw new DeployFault(`Gas costs ${now}, more than the ${most} gwei of sweep.max_gas_price_gwei.`);
}

async function isThere(deps: DeployDeps, { name, address, codeHash }: Contract): Promise<boolean> {
  const code = await codeAt(deps, address);
  if (code && keccakOf(code) !== codeHash) {
    throw new DeployFault(`The contract at ${checksummed(address)} is not the ${name}.`);
  }
  return code !== null;
}

/**
 * Deploys the keyless deployer at the address that it has on nearly every chain, by its one transaction. Returns what
 * the key paid for it, in wei.
 */
async function putDeployer(deps: DeployDeps, fees: Fees): Promise<bigint> {
  const used = numberOf(await ask(deps, 'eth_getTransactionCount', [deployerSigner, 'latest']));
  if (used > 0n) throw new DeployFault(failedDeployer);
  // Before anything is paid: a chain that does not take the transaction refuses it now.
  const refusal = await sendSigned(deps, deployerTransaction);
  if (refusal !== null && !/fund|balance/i.test(refusal)) throw new DeployFault(refusedDeployer(refusal));
  const cost = refusal === null ? 0n : await payDeployer(deps, fees);
  const { status } = await minedReceipt(deps, keccakOf(deployerTransaction));
  if (status !== '0x1') throw new DeployFault(failedDeployer);
  await until(deps, () => codeAt(deps, deployer), failedDeployer);
  return cost;
}

/** Sends the signer of the keyless transaction the coins that it lacks, and broadcasts the transaction again. */
async function payDeployer(deps: DeployDeps, fees: Fees): Promise<bigint> {
  const held = numberOf(await ask(deps, 'eth_getBalance', [deployerSigner, 'latest']));
  const lacking = deployerCost - held;
  const cost =
    lacking > 0n ? (await pay(deps, fees, { to: deployerSigner, data: '0x', value: lacking })).cost : 0n;
  const refusal = await sendSigned(deps, deployerTransaction);
  if (refusal !== null) throw new DeployFault(refusedDeployer(refusal));
  return cost;
}

const failedDeployer = `The one transaction that deploys ${deployer} failed on this chain, and cannot be sent again. ${otherwise}`;

function refusedDeployer(refusal: string): string {
  return (
    `The chain does not take the transaction that deploys ${deployer}: ${refusal}. It names no chain, as those ` +
    `before EIP-155 did, and many nodes refuse that: send it through one that takes it (geth with ` +
    `--rpc.allow-unprotected-txs; some explorers' "broadcast transaction"), then run this again. ${otherwise}`
  );
}

type Paid = { to: Hex; data: Hex; value: bigint };

/** Sends from the key, and waits until it is mined. */
async function pay(deps: DeployDeps, fees: Fees, { to, data, value }: Paid): Promise<Deployed> {
  const { chain, key } = deps;
  const call = { from: key.address, to, data, value: hexNumber(value) };
  const estimate = numberOf(await ask(deps, 'eth_estimateGas', [call]));
  const nonce = numberOf(await ask(deps, 'eth_getTransactionCount', [key.address, 'pending']));
  const { hash, signed } = await key.sign({
    chainId: chain.id,
    nonce: smallNumber(nonce),
    to,
    data,
    value,
    gas: (estimate * 12n) / 10n,
    fees,
  });
  const refusal = await sendSigned(deps, signed);
  if (refusal !== null) throw new DeployFault(`The chain refuses the transaction: ${refusal}.`);
  const { status, gasUsed, effectiveGasPrice } = await minedReceipt(deps, hash);
  if (status !== '0x1') throw new DeployFault(`The transaction ${hash} failed.`);
  return { hash, cost: value + numberOf(gasUsed) * numberOf(effectiveGasPrice) };
}

/** Broadcasts a signed transaction. Returns why it is refused, in the node's words, or null. */
async function sendSigned({ endpoints }: DeployDeps, signed: Hex): Promise<string | null> {
  const outcome = await broadcast(endpoints, signed);
  return typeof outcome === 'string' ? null : outcome.fault;
}

type Receipt = { status: unknown; gasUsed: unknown; effectiveGasPrice: unknown };

async function minedReceipt(deps: DeployDeps, hash: Hex): Promise<Receipt> {
  const look = async () => (await ask(deps, 'eth_getTransactionReceipt', [hash])) as Receipt | null;
  const why = `The transaction ${hash} is sent and was not mined in time: run this again later.`;
  return await until(deps, look, why);
}

/** Waits until the chain shows something that follows from a transaction; one endpoint may be behind another. */
async function until<T>(
  { pollMs = 1_000, patienceMs = 180_000 }: DeployDeps,
  look: () => Promise<T | null>,
  why: string,
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const found = await look();
    if (found !== null) return found;
    if (waitedMs >= patienceMs) throw new DeployFault(why);
    await sleep(pollMs);
  }
}

async function codeAt(deps: DeployDeps, address: Hex): Promise<Hex | null> {
  const code = (await ask(deps, 'eth_getCode', [address, 'latest'])) as Hex;
  return code === '0x' ? null : code;
}

async function ask({ endpoints }: DeployDeps, method: string, params: RpcCall['params']): Promise<unknown> {
  const { value } = await endpoints.use((endpoint) => endpoint.batch([{ method, params }]));
  return value[0];
}
