import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../src/rails/evm/config/chains.ts';

/** The questions that the wallet asks its owner before it acts. */
export type Question = 'connect' | 'switch' | 'add' | 'send' | 'sign';

/** A wallet extension of a browser, and its owner. */
export type BrowserWallet = {
  /** The chain that it is on. */
  chainId: number;
  /** The chains that it knows, each with its RPC endpoint. The page may request to add one. */
  chains: Map<number, string>;
  /** The methods that the page called, in order. */
  asked: string[];
  /** Those that were answered, by a result or an error. */
  answered: string[];
  /** The hashes of the transactions that it sent. */
  sent: Hex[];
  /** What it throws where it is to switch to a chain that it does not know. */
  unknownChain: unknown;
  /** What it throws where its owner declines. */
  declined: unknown;
  /** The owner's answers. Approves everything unless a test replaces it. */
  decide: (question: Question) => Promise<'approve' | 'decline'>;
};

export type WalletOptions = {
  privateKey: Hex;
  rpcUrl: string;
  /** The chain of that endpoint. */
  chainId: number;
  name?: string;
  /** Announced unchanged, so that a test may use any address. */
  icon?: string;
};

type Request = { method: string; params?: unknown[] };
type Answer = { result: unknown } | { error: unknown };
type Transaction = { from: Hex; to: Hex; data: Hex; value?: Hex; chainId?: Hex };

/** One of the provider's errors (EIP-1193, EIP-3326). */
function fault(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** An error that the page gets just as it is. */
class Said extends Error {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    super();
    this.thrown = thrown;
  }
}

const coin =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%23e2761b'/%3E%3C/svg%3E";

/**
 * Adds a wallet to a page before the page is loaded. It announces itself by EIP-6963 and takes calls by EIP-1193. It
 * signs with the given key and sends to a real chain, from outside of the page, as an extension does.
 */
export async function injectWallet(page: Page, options: WalletOptions): Promise<BrowserWallet> {
  const { privateKey, rpcUrl, chainId, name = 'Test Wallet', icon = coin } = options;
  const account = privateKeyToAccount(privateKey);
  const wallet: BrowserWallet = {
    chainId,
    chains: new Map([[chainId, rpcUrl]]),
    asked: [],
    answered: [],
    sent: [],
    unknownChain: { code: 4902, message: 'Unrecognized chain.' },
    declined: { code: 4001, message: 'User rejected the request.' },
    decide: async () => 'approve',
  };
  const binding = `wallet_${randomUUID().replaceAll('-', '')}`;
  let connected = false;

  async function ask(question: Question): Promise<void> {
    if ((await wallet.decide(question)) === 'decline') throw new Said(wallet.declined);
  }

  async function send(transaction: Transaction): Promise<Hex> {
    if (!connected) throw fault(4100, 'Not connected.');
    await ask('send');
    const endpoint = endpointOf(wallet);
    const chain = await rpc<Hex>(endpoint, 'eth_chainId', []);
    if (transaction.chainId && BigInt(transaction.chainId) !== BigInt(chain)) {
      throw fault(-32602, 'Invalid chainId.');
    }
    const client = createWalletClient({ account, transport: http(endpoint) });
    const { to, data, value = '0x0' } = transaction;
    const hash = await client.sendTransaction({ to, data, value: BigInt(value), chain: null });
    wallet.sent.push(hash);
    return hash;
  }

  async function answer({ method, params = [] }: Request): Promise<unknown> {
    wallet.asked.push(method);
    switch (method) {
      case 'eth_requestAccounts':
        if (!connected) await ask('connect');
        connected = true;
        return [account.address.toLowerCase()];
      case 'eth_accounts':
        return connected ? [account.address.toLowerCase()] : [];
      case 'eth_chainId':
        return `0x${wallet.chainId.toString(16)}`;
      case 'wallet_switchEthereumChain': {
        const wanted = chainIdOf(params[0]);
        if (!wallet.chains.has(wanted)) throw new Said(wallet.unknownChain);
        await ask('switch');
        wallet.chainId = wanted;
        return null;
      }
      case 'wallet_addEthereumChain': {
        const [endpoint] = (params[0] as { rpcUrls: string[] }).rpcUrls;
        await ask('add');
        wallet.chains.set(chainIdOf(params[0]), endpoint!);
        wallet.chainId = chainIdOf(params[0]);
        return null;
      }
      case 'personal_sign': {
        const [raw, signer] = params as [Hex, Hex];
        if (signer.toLowerCase() !== account.address.toLowerCase()) throw fault(4100, 'Not this account.');
        await ask('sign');
        return await account.signMessage({ message: { raw } });
      }
      case 'eth_sendTransaction':
        return await send(params[0] as Transaction);
      default:
        return await rpc(endpointOf(wallet), method, params);
    }
  }

  await page.exposeBinding(binding, async (_source, request: Request): Promise<Answer> => {
    try {
      return { result: await answer(request) };
    } catch (error) {
      if (error instanceof Said) return { error: error.thrown };
      const { code = -32603, message } = error as { code?: number; message: string };
      return { error: { code: typeof code === 'number' ? code : -32603, message } };
    } finally {
      wallet.answered.push(request.method);
    }
  });
  await page.addInitScript({ content: announcement(binding, name, icon) });
  return wallet;
}

/** The script that runs inside the page. It is text, because the gateway's types have no `window`. */
function announcement(binding: string, name: string, icon: string): string {
  const info = { uuid: randomUUID(), name, icon, rdns: `example.${binding}` };
  return `(() => {
    const provider = {
      async request(call) {
        const answer = await window[${JSON.stringify(binding)}](call);
        if ('result' in answer) return answer.result;
        const { error } = answer;
        throw typeof error === 'object' ? Object.assign(new Error(error.message), error) : error;
      },
      on() {},
      removeListener() {},
    };
    const detail = Object.freeze({ info: ${JSON.stringify(info)}, provider });
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  })();`;
}

function endpointOf({ chains, chainId }: BrowserWallet): string {
  const endpoint = chains.get(chainId);
  if (!endpoint) throw fault(4901, 'Not connected to the chain.');
  return endpoint;
}

function chainIdOf(parameter: unknown): number {
  return Number.parseInt((parameter as { chainId: Hex }).chainId, 16);
}

async function rpc<T>(endpoint: string, method: string, params: unknown[]): Promise<T> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as {
    result: T;
    error?: { code: number; message: string };
  };
  if (error) throw fault(error.code, error.message);
  return result;
}
