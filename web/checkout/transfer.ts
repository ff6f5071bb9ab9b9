import type { Order, Word } from './order.ts';
import { codeOf, isRefused, problem } from './problem.ts';
import type { Provider } from './providers.ts';

/** Selectors of ERC-20: `transfer(address,uint256)` and `balanceOf(address)`. */
const TRANSFER = '0xa9059cbb';
const BALANCE_OF = '0x70a08231';

/** Shows what the page waits for. */
type ShowWaiting = (word: Word) => void;

/** Connects the wallet, switches it to the order's network, and checks its balances; resolves with its account. */
export async function prepare(
  provider: Provider,
  order: Order,
  showWaiting: ShowWaiting,
  onAccount: (account: string) => void,
): Promise<string> {
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (!account) throw problem(order.words.declined);
  onAccount(account);
  await useChain(provider, order, showWaiting);
  showWaiting('checking');
  await checkBalances(provider, order, account);
  return account;
}

/** Requests a transfer of the exact units of the token; resolves with the hash of its transaction. */
export async function send(provider: Provider, order: Order, from: string): Promise<string> {
  // With the chain named here, a wallet that was switched to another chain meanwhile refuses.
  const transaction = { ...transferOf(order, from), chainId: hex(order.chainId) };
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] });
  return String(hash);
}

/** Whether the transaction was mined and reverted, so that nothing was paid. */
export async function isReverted(provider: Provider, hash: string): Promise<boolean> {
  const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  return (receipt as { status?: string } | null)?.status === '0x0';
}

async function useChain(provider: Provider, order: Order, showWaiting: ShowWaiting): Promise<void> {
  if (await isOnChain(provider, order)) return;
  showWaiting('switching');
  const params = [{ chainId: hex(order.chainId) }];
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params });
  } catch (thrown) {
    throwRefusal(thrown, order);
    // EIP-3326 has a code for a chain that the wallet does not know, and wallets say it in many other ways. The wallet
    // asks its owner before it adds one.
    if (order.publicRpcUrl !== null) await addChain(provider, order);
  }
  // Some wallets are still on another chain after they have added or switched without an error.
  if (!(await isOnChain(provider, order))) throw problem(order.words.wrongNetwork);
}

async function addChain(provider: Provider, order: Order): Promise<void> {
  try {
    await provider.request({ method: 'wallet_addEthereumChain', params: [chainOf(order)] });
    // A wallet may only add it, or ask later.
    if (!(await isOnChain(provider, order))) {
      const params = [{ chainId: hex(order.chainId) }];
      await provider.request({ method: 'wallet_switchEthereumChain', params });
    }
  } catch (thrown) {
    throwRefusal(thrown, order);
  }
}

/** Whether a wallet says that it does not know a chain, whatever code it gives: some say that they reject it. */
function isOfUnknownChain(text: string): boolean {
  const unknown =
    /\bun(?:known|recogni[sz]ed|supported|configured)|(?:not|n.t)\s(?:added|configured|enabled|exist|found|supported)/i;
  return /chain|network/i.test(text) && unknown.test(text);
}

/** Ends here where the owner refused, also in words alone, or has not answered an earlier question. */
function throwRefusal(thrown: unknown, { words }: Order): void {
  if (isRefused(thrown)) throw thrown;
  const text = String((thrown as { message?: unknown } | null)?.message ?? thrown);
  if (isOfUnknownChain(text)) return;
  if (codeOf(thrown) === -32002) throw thrown;
  if (/\b(rejected|denied|declined|cancell?ed)\b/i.test(text)) throw problem(words.declined);
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

/** An estimate of the network fee; 0 when there is none, because the wallet checks the fee too. */
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

/** One argument of a call, as 32 bytes in hexadecimal. */
function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** A number from a node. An empty answer, such as from an address without a contract, is 0. */
function quantity(answer: unknown): bigint {
  return typeof answer === 'string' && /^0x[\da-f]+$/i.test(answer) ? BigInt(answer) : 0n;
}

/** `units` as an exact decimal string without trailing zeros. */
function decimalOf(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return fraction ? `${whole}.${fraction}` : whole;
}
