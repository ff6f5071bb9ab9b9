import { decimalOf, type Order, type Word } from './order.ts';
import { codeOf, problem } from './problem.ts';
import type { Provider } from './providers.ts';

/** Selectors of ERC-20: `transfer(address,uint256)` and `balanceOf(address)`. */
const TRANSFER = '0xa9059cbb';
const BALANCE_OF = '0x70a08231';
/** A wallet's answer to a chain that it does not know (EIP-3326). */
const UNKNOWN_CHAIN = 4902;

type Tell = (word: Word) => void;

/** Connects, brings the wallet to the order's network, and checks that it can pay; resolves with its account. */
export async function prepare(
  provider: Provider,
  order: Order,
  tell: Tell,
  onAccount: (account: string) => void,
): Promise<string> {
  tell('connecting');
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (!account) throw problem(order.words.declined);
  onAccount(account);
  await useChain(provider, order, tell);
  tell('checking');
  await checkBalances(provider, order, account);
  return account;
}

/** Asks the wallet for the token's own transfer of the exact units; resolves with the transaction's hash. */
export async function send(provider: Provider, order: Order, from: string): Promise<string> {
  // The chain is named once more: a wallet that was switched meanwhile must refuse.
  const transaction = { ...transferOf(order, from), chainId: hex(order.chainId) };
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] });
  return String(hash);
}

/** Whether the network took the transaction in and undid it, so that nothing was paid. */
export async function isReverted(provider: Provider, hash: string): Promise<boolean> {
  const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  return (receipt as { status?: string } | null)?.status === '0x0';
}

async function useChain(provider: Provider, order: Order, tell: Tell): Promise<void> {
  if (await isOnChain(provider, order)) return;
  tell('switching');
  const params = [{ chainId: hex(order.chainId) }];
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params });
  } catch (thrown) {
    if (isDeclined(thrown)) throw thrown;
    if (codeOf(thrown) !== UNKNOWN_CHAIN || order.publicRpcUrl === null)
      throw problem(order.words.wrongNetwork);
    await provider.request({ method: 'wallet_addEthereumChain', params: [chainOf(order)] });
  }
  // Not every wallet that adds or promises to switch is there afterwards.
  if (!(await isOnChain(provider, order))) throw problem(order.words.wrongNetwork);
}

function isDeclined(thrown: unknown): boolean {
  return codeOf(thrown) === 4001 || codeOf(thrown) === -32002;
}

async function isOnChain(provider: Provider, { chainId }: Order): Promise<boolean> {
  return quantity(await provider.request({ method: 'eth_chainId' })) === BigInt(chainId);
}

function chainOf({ chainId, chainName, nativeSymbol, publicRpcUrl, explorer }: Order) {
  return {
    chainId: hex(chainId),
    chainName,
    rpcUrls: [publicRpcUrl],
    nativeCurrency: { name: nativeSymbol, symbol: nativeSymbol, decimals: 18 },
    ...(explorer && { blockExplorerUrls: [explorer] }),
  };
}

async function checkBalances(provider: Provider, order: Order, account: string): Promise<void> {
  const { words, token, scale } = order;
  const call = { to: token, data: BALANCE_OF + word(BigInt(account)) };
  const held = quantity(await provider.request({ method: 'eth_call', params: [call, 'latest'] }));
  if (held < BigInt(order.units)) {
    throw problem(words.tooLittle.replace('{balance}', decimalOf(held, scale)));
  }
  const native = quantity(await provider.request({ method: 'eth_getBalance', params: [account, 'latest'] }));
  if (native === 0n || native < (await feeOf(provider, order, account))) throw problem(words.noGas);
}

/** About what the network will take; nothing where it cannot be told, because the wallet looks at it too. */
async function feeOf(provider: Provider, order: Order, account: string): Promise<bigint> {
  try {
    const params = [transferOf(order, account)];
    const gas = await provider.request({ method: 'eth_estimateGas', params });
    return quantity(gas) * quantity(await provider.request({ method: 'eth_gasPrice' }));
  } catch {
    return 0n;
  }
}

function transferOf({ token, to, units }: Order, from: string) {
  return { from, to: token, data: TRANSFER + word(BigInt(to)) + word(BigInt(units)), value: '0x0' };
}

/** One 32-byte argument of a call. */
function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** A number that a node answered; an empty answer, as of an address without a contract, is none. */
function quantity(answer: unknown): bigint {
  return typeof answer === 'string' && /^0x[\da-f]+$/i.test(answer) ? BigInt(answer) : 0n;
}
