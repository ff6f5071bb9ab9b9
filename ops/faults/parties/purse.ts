import { encodeFunctionData, erc20Abi, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { openRpc, type Rpc } from '../rpc.ts';
import type { Chain, Hex } from '../world/world.ts';

/** The wallets of customers on the chain, and of merchants by their keys. What a reorg takes is sent again as it was, as wallets do. */
export type Purses = {
  /** A plain transfer of a token by the customer with this number. Resolves when it was sent. */
  send(customer: number, transfer: { token: Hex; to: Hex; units: bigint }): Promise<void>;
  /** The same with any call of a contract, by a customer or by the account of a key; `value`: coins that go with it. */
  call(from: number | Hex, call: { to: Hex; data: Hex; gas: bigint; value?: bigint }): Promise<void>;
  /** Sends again what is in no block. Resolves with how many transfers are not final yet. */
  tend(): Promise<number>;
};

type Call = Parameters<Purses['call']>[1];
type Sent = { raw: Hex; hash: Hex };
type Purse = { key: Hex; address: Hex; nonce: number | null; queue: Promise<unknown> };

const gas = 200_000n;

export function openPurses(chain: Chain): Purses {
  const rpc = openRpc(chain.rpcUrl);
  const purseOf = (key: Hex, address: Hex): Purse => ({
    key,
    address,
    nonce: null,
    queue: Promise.resolve(),
  });
  const purses = chain.customers.map(({ key, address }) => purseOf(key, address));
  const others = new Map<Hex, Purse>();
  let open: Sent[] = [];

  async function sign(purse: Purse, call: Call): Promise<Hex> {
    purse.nonce ??= Number(await rpc<Hex>('eth_getTransactionCount', purse.address, 'pending'));
    const gasPrice = 2n * BigInt(await rpc<Hex>('eth_gasPrice'));
    return await privateKeyToAccount(purse.key).signTransaction({
      ...{ ...call, chainId: chain.chainId, nonce: purse.nonce++ },
      // A base fee that rises until it is sent again changes nothing.
      gasPrice: gasPrice > 10_000_000_000n ? gasPrice : 10_000_000_000n,
    });
  }

  function ofKey(key: Hex): Purse {
    const purse = others.get(key) ?? purseOf(key, privateKeyToAccount(key).address);
    others.set(key, purse);
    return purse;
  }

  async function call(from: number | Hex, given: Call): Promise<void> {
    const purse = typeof from === 'number' ? purses[from % purses.length] : ofKey(from);
    if (!purse) throw new Error('The chain has no customers');
    // One after the other, because of their nonces.
    const sent = purse.queue.then(async () => {
      const raw = await sign(purse, given);
      open.push({ raw, hash: keccak256(raw) });
      // Where it was refused, it is sent again by `tend`.
      await rpc('eth_sendRawTransaction', raw).catch(() => {});
    });
    purse.queue = sent.catch(() => {});
    await sent;
  }

  return {
    call,
    async send(customer, { token, to, units }) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] });
      await call(customer, { to: token, data, gas });
    },
    async tend() {
      const head = Number(await rpc<Hex>('eth_blockNumber'));
      const left: Sent[] = [];
      for (const each of open) if (!(await isFinal(rpc, each, head - chain.finalDepth))) left.push(each);
      open = left;
      return left.length;
    },
  };
}

/** Whether a transfer is in a block up to this number; one that is in none is sent again. */
async function isFinal(rpc: Rpc, { raw, hash }: Sent, last: number): Promise<boolean> {
  const receipt = await rpc<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', hash);
  if (receipt) return Number(receipt.blockNumber) <= last;
  // It may be known, and wait for its block.
  await rpc('eth_sendRawTransaction', raw).catch(() => {});
  return false;
}
