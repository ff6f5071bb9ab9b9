import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { factoryAddress, ownerWord } from '../../src/rails/evm/addresses/forwarders.ts';
import type { TestChain } from './chain.ts';

// Drives a local chain block by block over plain JSON-RPC, faster than a wallet would: nothing is mined unless
// it is asked for, and whatever was mined may be replaced.

/** One transaction; `payer` is one of the chain's rich accounts. */
export type ChainTransaction =
  | { do: 'transfer'; payer: number; token: Hex; to: Hex; units: bigint }
  | { do: 'many'; payer: number; token: Hex; payments: { to: Hex; units: bigint }[] }
  | { do: 'mint'; payer: number; token: Hex; to: Hex; units: bigint }
  | { do: 'sweep'; payer: number; token: Hex; treasury: Hex; paymentIds: string[] }
  /** Any call by one of the chain's own accounts; `isFirst`: before all others that wait. */
  | { do: 'call'; from: Hex; to: Hex; data: Hex; isFirst?: boolean };

/** What happens to a transaction whose block is replaced. */
export type Fate = 'kept' | 'moved' | 'dropped';

/** A transfer of a token, as a node tells it. */
export type ChainLog = {
  token: Hex;
  from: Hex;
  to: Hex;
  units: bigint;
  blockNumber: number;
  blockHash: Hex;
  /** Seconds: when the chain took it. */
  blockTime: number;
  logIndex: number;
};

/** The chain as it stands at one moment: the block at `base` is the first of `hashes`; `headTime` is in seconds. */
export type ChainView = { base: number; head: number; headTime: number; hashes: readonly Hex[] };

export type ChainDriver = Awaited<ReturnType<typeof openDriver>>;

const abi = parseAbi([
  'function transfer(address to, uint256 value)',
  'function transferToMany(address[] to, uint256[] values)',
  'function mint(address to, uint256 value)',
  'function sweep(address token, address destination, bytes32[] payments)',
  'function balanceOf(address owner) view returns (uint256)',
]);
const transferTopic: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const payers = 4;

type BlockAnswer = {
  hash: Hex;
  parentHash: Hex;
  timestamp: Hex;
  baseFeePerGas: Hex;
  transactions: { hash: Hex; from: Hex; to: Hex; input: Hex; gas: Hex }[];
};
/** A block that was taken away, with what it takes to make the very same one again. */
type Removed = { block: BlockAnswer; signed: Hex[] };
type LogAnswer = { address: Hex; topics: Hex[]; data: Hex; blockNumber: Hex; blockHash: Hex; logIndex: Hex };

const hex = (value: number): Hex => `0x${value.toString(16)}`;
const number = (value: Hex): number => Number.parseInt(value, 16);
const addressIn = (topic: Hex): Hex => `0x${topic.slice(-40)}`;

/** Stops the chain's own mining, gives every payer plenty of every token, and begins. */
export async function openDriver(chain: TestChain) {
  async function rpc<T>(method: string, params: unknown[] = []): Promise<T> {
    const [result] = await rpcAll<T>([[method, params]]);
    return result!;
  }

  /** The answers to some calls, in their order. */
  async function rpcAll<T>(calls: [method: string, params: unknown[]][]): Promise<T[]> {
    if (calls.length === 0) return [];
    const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answers = (await response.json()) as { result: T; error?: { message: string } }[];
    return answers.map(({ result, error }, at) => {
      if (error) throw new Error(`${calls[at]![0]}: ${error.message}`);
      return result;
    });
  }

  const accounts = await rpc<Hex[]>('eth_accounts');
  const senders = accounts.slice(1, 1 + payers);
  for (const token of Object.values(chain.tokens)) {
    for (const sender of senders) await token.mint(sender, 10n ** 27n);
  }
  await rpc('evm_setAutomine', [false]);
  let base = 0;
  let hashes: Hex[] = [];
  let times: number[] = [];
  let removed: Removed[] = [];
  let now = () => new Date();
  // The blocks of a reorg, whose times cannot be set one by one, are a second apart as well.
  await rpc('anvil_setBlockTimestampInterval', [1]);
  await begin();

  /** What is there by now stays as it is: the node forgets how its chain stood long ago. */
  async function begin(): Promise<void> {
    await rpc('anvil_mine', ['0x1']);
    base = number(await rpc<Hex>('eth_blockNumber'));
    [hashes, times, removed] = [[], [], []];
    await readFrom(base);
  }

  const head = (): number => base + hashes.length - 1;
  const headTime = (): number => times.at(-1)!;

  /** Mines blocks a second apart, the last one now, or as soon after the block before as can be. */
  async function mine(blocks: number): Promise<void> {
    const next = head() + 1;
    const first = Math.floor(now().getTime() / 1000) - blocks + 1;
    await rpcAll([
      ['evm_setNextBlockTimestamp', [Math.max(headTime() + 1, first)]],
      ['anvil_mine', [hex(blocks)]],
    ]);
    await readFrom(next);
  }

  /** Learns the blocks from `first` on anew. */
  async function readFrom(first: number): Promise<void> {
    const last = number(await rpc<Hex>('eth_blockNumber'));
    const kept = first - base;
    const numbers = Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
    const fresh = await rpcAll<BlockAnswer>(numbers.map((at) => ['eth_getBlockByNumber', [hex(at), false]]));
    hashes = [...hashes.slice(0, kept), ...fresh.map(({ hash }) => hash)];
    times = [...times.slice(0, kept), ...fresh.map(({ timestamp }) => number(timestamp))];
  }

  /** Reads the last blocks before they are taken away. */
  async function remove(blocks: number): Promise<void> {
    removed = [];
    for (let at = head() - blocks + 1; at <= head(); at++) {
      const block = await blockAt(at);
      const signed: Hex[] = [];
      for (const { hash } of block.transactions)
        signed.push(await rpc('eth_getRawTransactionByHash', [hash]));
      removed.push({ block, signed });
    }
  }

  async function blockAt(at: number): Promise<BlockAnswer> {
    return await rpc<BlockAnswer>('eth_getBlockByNumber', [hex(at), true]);
  }

  function requestOf(transaction: ChainTransaction) {
    if (transaction.do === 'call') {
      const { from, to, data, isFirst = false } = transaction;
      const price = isFirst ? { maxFeePerGas: hex(900e9), maxPriorityFeePerGas: hex(500e9) } : {};
      return { from, to, gas: hex(isFirst ? 500_000 : 5_000_000), data, ...price };
    }
    const from = senders[transaction.payer % senders.length]!;
    const gas = hex(5_000_000);
    if (transaction.do === 'sweep') {
      const { token, treasury, paymentIds } = transaction;
      const args = [token, treasury, paymentIds.map((id) => ownerWord(id))] as const;
      return {
        from,
        to: factoryAddress,
        gas,
        data: encodeFunctionData({ abi, functionName: 'sweep', args }),
      };
    }
    const { token: to } = transaction;
    return { from, to, gas, data: callOf(transaction) };
  }

  return {
    begin,
    /** Blocks have the time of this clock from now on. */
    follow(clock: () => Date): void {
      now = clock;
    },
    view: (): ChainView => ({ base, head: head(), headTime: headTime(), hashes }),
    /** Mines these transactions into one block. */
    async block(transactions: readonly ChainTransaction[]): Promise<void> {
      for (const transaction of transactions) await rpc('eth_sendTransaction', [requestOf(transaction)]);
      await mine(1);
    },
    mine,
    /**
     * Replaces the last blocks by as many others. What was in them comes again in the same place, in a later
     * block, or never, as `fates` say by turns.
     */
    async reorg(depth: number, fates: readonly Fate[]): Promise<void> {
      const blocks = Math.min(depth, head() - base);
      if (blocks === 0) return;
      await remove(blocks);
      const first = head() - blocks + 1;
      const again: [unknown, number][] = [];
      let turn = 0;
      for (const [at, { block, signed }] of removed.entries()) {
        for (const [place, { from, to, input, gas }] of block.transactions.entries()) {
          const fate = fates[turn++ % fates.length]!;
          if (fate === 'dropped') continue;
          // Whose key the node has not got comes again as it was signed, or not at all.
          const same = accounts.includes(from) ? { from, to, data: input, gas } : signed[place];
          again.push([same, fate === 'moved' ? Math.min(at + 1, blocks - 1) : at]);
        }
      }
      await rpc('anvil_reorg', [blocks, again]);
      await readFrom(first);
    },
    /** Takes the last blocks away: for a while the chain is shorter than it was. */
    async rollback(depth: number): Promise<void> {
      const blocks = Math.min(depth, head() - base);
      if (blocks === 0) return;
      await remove(blocks);
      await rpc('anvil_rollback', [blocks]);
      await readFrom(head() - blocks + 1);
    },
    /** The blocks that were taken away last are the chain again, with the same hashes. */
    async comeBack(): Promise<void> {
      const first = hashes.indexOf(removed[0]?.block.parentHash ?? '0x') + 1;
      if (first === 0) return;
      const branch = removed;
      const others = hashes.length - first;
      if (others > 0) await remove(others);
      if (others > 0) await rpc('anvil_rollback', [others]);
      for (const { block, signed } of branch) {
        // A sweeper may have sent another transaction in its place.
        for (const each of signed) await rpc('eth_sendRawTransaction', [each]).catch(() => {});
        await rpc('evm_setNextBlockTimestamp', [block.timestamp]);
        await rpc('anvil_setNextBlockBaseFeePerGas', [block.baseFeePerGas]);
        await rpc('anvil_mine', ['0x1']);
      }
      await readFrom(base + first);
    },
    /** Every transfer of every token that is on the chain now, from the beginning on. */
    async transfers(): Promise<ChainLog[]> {
      const logs = await rpc<LogAnswer[]>('eth_getLogs', [{ fromBlock: hex(base), topics: [transferTopic] }]);
      const timeOf = new Map(hashes.map((hash, at) => [hash, times[at]!]));
      return logs.map(({ address, topics, data, blockNumber, blockHash, logIndex }) => ({
        blockTime: timeOf.get(blockHash)!,
        token: address.toLowerCase() as Hex,
        from: addressIn(topics[1]!),
        to: addressIn(topics[2]!),
        units: BigInt(data),
        blockNumber: number(blockNumber),
        blockHash,
        logIndex: number(logIndex),
      }));
    },
    async balanceOf(token: Hex, owner: Hex, block: number | null = null): Promise<bigint> {
      const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] });
      return BigInt(
        await rpc<Hex>('eth_call', [{ to: token, data }, block === null ? 'latest' : hex(block)]),
      );
    },
    /** Any other call of the node, such as those that change its chain by hand. */
    rpc,
  };
}

function callOf(transaction: Exclude<ChainTransaction, { do: 'sweep' | 'call' }>): Hex {
  switch (transaction.do) {
    case 'transfer':
    case 'mint':
      return encodeFunctionData({
        abi,
        functionName: transaction.do,
        args: [transaction.to, transaction.units],
      });
    case 'many': {
      const { payments } = transaction;
      const args = [payments.map(({ to }) => to), payments.map(({ units }) => units)] as const;
      return encodeFunctionData({ abi, functionName: 'transferToMany', args });
    }
  }
}
