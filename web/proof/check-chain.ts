import { bytesOfHex, hexOf } from './bytes.ts';
import { signaturesOf, wrongSignature } from './check.ts';
import { fault, type ProofFault } from './fault.ts';
import { keccak256 } from './keccak.ts';
import { messageHash } from './secp256k1.ts';
import { addressText, type ProvedAddress, type ProvedChain, type SignedStatement } from './statement.ts';

// What the chains of a statement say of it, at the block that it names. Any node that keeps the states of that block is asked.

/** Asks a chain by JSON-RPC; throws an Error whose message says what the node answered. */
export type AskChain = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Keccak-256 of the code of Florin's vaults, whoever is the admin. */
export const vaultCodeHash = '0x1a5eeb369a92792f284b80442bed632c7b4cdca42a5c14bfe5c03aa11f50d1ad';

/** balanceOf(address), signer(), admin(), isValidSignature(bytes32,bytes) */
const [balanceOf, signer, admin, isValidSignature] = ['70a08231', '238ac933', 'f851a440', '1626ba7e'];
const atOnce = 16;

const word = (hex: string): string => hex.replace(/^0x/, '').padStart(64, '0');
const wordOfNumber = (number: number): string => word(number.toString(16));

/** What is wrong with a chain's part of a statement; empty: nothing. */
export async function checkChain(
  signed: SignedStatement,
  chain: ProvedChain,
  ask: AskChain,
): Promise<ProofFault[]> {
  const { name, chain_id, block, block_hash } = chain;
  const at = `0x${block.toString(16)}`;
  try {
    const shown = await ask('eth_chainId', []);
    if (shown !== `0x${chain_id.toString(16)}`)
      return [fault('network', `The address that was asked is no node of ${name} (${chain_id}).`)];
    const header = (await ask('eth_getBlockByNumber', [at, false])) as { hash?: unknown } | null;
    if (header?.hash !== block_hash)
      return [fault('block', `${name} has another block ${block} than the statement.`)];
    const read = (to: string, data: string): Promise<unknown> => ask('eth_call', [{ to, data }, at]);
    const found: ProofFault[] = [];
    const own = signed.statement.addresses.filter((each) => each.chain_id === chain_id);
    for (let from = 0; from < own.length; from += atOnce) {
      const part = own.slice(from, from + atOnce);
      const checks = part.map(async (address) => [
        ...(await compareBalances(signed, address, read)),
        ...(await checkOwner(signed, address, { read, codeOf: (of) => ask('eth_getCode', [of, at]) })),
      ]);
      found.push(...(await Promise.all(checks)).flat());
    }
    return found;
  } catch (error) {
    return [fault('network', `${name} could not be asked: ${(error as Error).message}`)];
  }
}

type Read = (to: string, data: string) => Promise<unknown>;

async function compareBalances(
  { statement }: SignedStatement,
  { address, balances }: ProvedAddress,
  read: Read,
): Promise<ProofFault[]> {
  const found: ProofFault[] = [];
  for (const { asset, units } of balances) {
    const token = statement.assets.find((each) => each.asset === asset)?.token ?? '';
    const answer = await read(token, `0x${balanceOf}${word(address)}`);
    const held = numberIn(answer);
    if (held !== BigInt(units))
      found.push(fault('balance', `${address} holds ${held ?? 'no'} units of ${asset}, and not ${units}.`));
  }
  return found;
}

const numberIn = (answer: unknown): bigint | null =>
  typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? BigInt(answer.slice(0, 66)) : null;
const addressIn = (answer: unknown): string | null =>
  typeof answer === 'string' && answer.length >= 66 ? `0x${answer.slice(26, 66).toLowerCase()}` : null;

/** Whether those who signed for a vault may pay out of it, and a contract says that a signature is its own. */
async function checkOwner(
  signed: SignedStatement,
  address: ProvedAddress,
  { read, codeOf }: { read: Read; codeOf: (address: string) => Promise<unknown> },
): Promise<ProofFault[]> {
  if (address.kind === 'forwarder') return [];
  const text = addressText(signed.statement, address.address);
  const isVault = address.kind === 'vault';
  if (isVault) {
    const code = bytesOfHex(String(await codeOf(address.address)));
    if (code === null || `0x${hexOf(keccak256(code))}` !== vaultCodeHash)
      return [fault('derivation', `${address.address} is no vault of Florin.`)];
  }
  for (const { by, signature } of signaturesOf(signed, address)) {
    const owner = isVault ? addressIn(await read(address.address, `0x${admin}`)) : address.address;
    const isKnown =
      by === null
        ? await isOwn(read, owner ?? '', text, signature)
        : !isVault || by === owner || by === addressIn(await read(address.address, `0x${signer}`));
    if (!isKnown) return [wrongSignature(address.address)];
  }
  return [];
}

/** Whether a contract takes a signature of a text as its own (EIP-1271). */
async function isOwn(read: Read, contract: string, text: string, signature: string): Promise<boolean> {
  const digits = signature.replace(/^0x/, '');
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0');
  const head = `${hexOf(messageHash(text))}${wordOfNumber(64)}${wordOfNumber(digits.length / 2)}`;
  // A contract that refuses may do so by failing.
  const answer = await read(contract, `0x${isValidSignature}${head}${padded}`).catch(() => null);
  return typeof answer === 'string' && answer.startsWith(`0x${isValidSignature}`);
}

/** Asks a node by its address; the only calls that a check makes. */
export function nodeAt(url: string): AskChain {
  return async (method, params) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message?: string } };
    if (error) throw new Error(error.message ?? 'the node refused');
    return result;
  };
}
