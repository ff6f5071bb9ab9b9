import type { Asset } from '../../money/assets.ts';
import { deployer, factoryAddress, factoryBytecode } from '../../rails/evm/addresses/forwarders.ts';
import { splitterFactoryAddress, splitterFactoryBytecode } from '../../rails/evm/addresses/splitters.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';
import type { LocalRpc } from './rpc.ts';
import testToken from './test-token.json' with { type: 'json' };

/** The account that makes every coin of the chain. It has no key: the local chain lets it send without a signature. */
const mint: Hex = '0x000000000000000000000000000000000f10214e';
const mintBalance = 10n ** 30n;
const coin = 10n ** 18n;

const hex = (value: bigint): Hex => `0x${value.toString(16)}`;
const word = (value: bigint): string => value.toString(16).padStart(64, '0');
/** A text of at most 32 bytes as the ABI encodes it: its length, then its bytes. */
const textWords = (text: string): string =>
  word(BigInt(text.length)) + Buffer.from(text).toString('hex').padEnd(64, '0');

/** Lets the mint send without a signature; that is needed after each start of the chain. */
export async function openMint(rpc: LocalRpc): Promise<void> {
  await rpc('anvil_impersonateAccount', [mint]);
}

/** Deploys the factory and a token for each asset, in one block; the tokens' addresses by asset. */
export async function deployContracts(rpc: LocalRpc, assets: readonly Asset[]): Promise<Record<string, Hex>> {
  await rpc('anvil_setBalance', [mint, hex(mintBalance)]);
  await send(rpc, { to: deployer, data: `0x${'0'.repeat(64)}${factoryBytecode.slice(2)}` });
  const hashes: Hex[] = [];
  for (const asset of assets) hashes.push(await send(rpc, { data: tokenCode(asset) }));
  await rpc('evm_mine');
  const tokens: Record<string, Hex> = {};
  for (const [at, { code }] of assets.entries()) {
    const receipt = await rpc<{ status: Hex; contractAddress: Hex }>('eth_getTransactionReceipt', [
      hashes[at],
    ]);
    if (receipt.status !== '0x1')
      throw new Error(`the token ${code} could not be deployed on the local chain`);
    tokens[code] = receipt.contractAddress.toLowerCase() as Hex;
  }
  if ((await rpc<Hex>('eth_getCode', [factoryAddress, 'latest'])) === '0x') {
    throw new Error('the factory could not be deployed on the local chain');
  }
  return tokens;
}

/** Deploys the factory of splitters where it is missing, with the next block. */
export async function deploySplitters(rpc: LocalRpc): Promise<void> {
  if ((await rpc<Hex>('eth_getCode', [splitterFactoryAddress, 'latest'])) !== '0x') return;
  await send(rpc, { to: deployer, data: `0x${'0'.repeat(64)}${splitterFactoryBytecode.slice(2)}` });
}

/** Creation code with the constructor's arguments: name, symbol, decimals. */
function tokenCode({ currency, scale }: Asset): Hex {
  const offsets = [0x60n, 0xa0n].map(word).join('');
  const texts = textWords(`Demo ${currency}`) + textWords(currency);
  return `0x${testToken.bytecode.slice(2)}${offsets}${word(BigInt(scale))}${texts}`;
}

export type Purse = { native: bigint; tokens: { address: Hex; scale: number; amount: bigint }[] };

/** Creates whole coins at an address; it has them with the next block. */
export async function fill(rpc: LocalRpc, to: Hex, { native, tokens }: Purse): Promise<void> {
  await send(rpc, { to, value: hex(native * coin) });
  for (const { address, scale, amount } of tokens) {
    // mint(address,uint256)
    const data: Hex = `0x40c10f19${word(BigInt(to))}${word(amount * 10n ** BigInt(scale))}`;
    await send(rpc, { to: address, data });
  }
}

/** Sends from the mint, or from another account; it is mined with the next block. */
export async function send(
  rpc: LocalRpc,
  transaction: { from?: Hex; to?: Hex; data?: Hex; value?: Hex },
): Promise<Hex> {
  return await rpc('eth_sendTransaction', [{ from: mint, ...transaction }]);
}
