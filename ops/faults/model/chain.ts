import { setTimeout as sleep } from 'node:timers/promises';
import { openRpc, type Rpc } from '../rpc.ts';
import type { Chain, Hex, PiNetwork } from '../world/world.ts';
import type { Came, Moved } from './reading.ts';
import { fineOf, fineOfUnits } from './units.ts';

/** keccak256("Transfer(address,address,uint256)") */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The first four bytes of keccak256("balanceOf(address)"). */
const balanceOf = '0x70a08231';

type Log = {
  address: Hex;
  topics: [Hex, Hex, Hex];
  data: Hex;
  blockNumber: Hex;
  transactionHash: Hex;
  logIndex: Hex;
};

/** Reads a chain by its own node, without Florin. */
export type ChainReader = {
  head(): Promise<number>;
  /** All transfers of its tokens since this block, as the chain has them now. */
  transfers(since: number): Promise<Came[]>;
  /** The transfers of its listed tokens from or to these addresses since a block. */
  movesOf(since: number, places: readonly string[]): Promise<Moved[]>;
  /** What these addresses hold together of an asset, in units of 18 decimals. */
  held(asset: string, addresses: readonly string[]): Promise<bigint>;
};

export function openChainReader(chain: Chain): ChainReader {
  const rpc = openRpc(chain.rpcUrl);
  const assets = new Map(
    Object.entries(chain.tokens).map(([asset, { address, scale }]) => [
      address.toLowerCase(),
      { asset, scale },
    ]),
  );
  const head = async () => Number(await rpc<Hex>('eth_blockNumber'));
  return {
    head,
    async transfers(since) {
      const fromBlock = `0x${since.toString(16)}`;
      const address = [...assets.keys(), chain.strangeToken];
      const logs = await rpc<Log[]>('eth_getLogs', {
        fromBlock,
        toBlock: 'latest',
        address,
        topics: [transferTopic],
      });
      const times = timesOf(rpc);
      return await Promise.all(
        logs.map(async ({ address: token, topics: [, from, to], data, blockNumber }): Promise<Came> => {
          const { asset, scale } = assets.get(token.toLowerCase()) ?? { asset: 'strange', scale: 18 };
          const block = Number(blockNumber);
          return {
            ...{ asset, from: addressOf(from), to: addressOf(to), memo: null },
            fine: fineOfUnits(BigInt(data), scale),
            ...{ atMs: await times(block), block },
          };
        }),
      );
    },
    async movesOf(since, places) {
      const fromBlock = `0x${since.toString(16)}`;
      const words = places.map((each) => `0x${each.slice(2).padStart(64, '0')}`);
      const found = await Promise.all(
        [[words], [null, words]].map((sides) =>
          rpc<Log[]>('eth_getLogs', {
            ...{ fromBlock, toBlock: 'latest', address: [...assets.keys()] },
            topics: [transferTopic, ...sides],
          }),
        ),
      );
      const each = new Map(found.flat().map((log) => [`${log.transactionHash} ${log.logIndex}`, log]));
      return [...each.values()].flatMap(({ address, topics: [, from, to], data, transactionHash }) => {
        const known = assets.get(address.toLowerCase());
        if (!known) return [];
        const units = BigInt(data);
        const fine = fineOfUnits(units, known.scale);
        const ends = { from: addressOf(from), to: addressOf(to) };
        return [{ transaction: transactionHash, asset: known.asset, ...ends, units, fine }];
      });
    },
    async held(asset, addresses) {
      const token = chain.tokens[asset];
      if (!token) return 0n;
      const units = await Promise.all(
        [...new Set(addresses.map((each) => each.toLowerCase()))].map(async (each) => {
          const data = balanceOf + each.slice(2).padStart(64, '0');
          return BigInt(await rpc<Hex>('eth_call', { to: token.address, data }, 'latest'));
        }),
      );
      return fineOfUnits(
        units.reduce((sum, each) => sum + each, 0n),
        token.scale,
      );
    },
  };
}

const addressOf = (topic: Hex): string => `0x${topic.slice(-40)}`.toLowerCase();

/** The times of blocks in milliseconds; each is asked for once. */
function timesOf(rpc: Rpc): (block: number) => Promise<number> {
  const known = new Map<number, Promise<number>>();
  return (block) => {
    const time = known.get(block) ?? timeOf(rpc, block);
    known.set(block, time);
    return time;
  };
}

const pauseMs = 100;

async function timeOf(rpc: Rpc, block: number): Promise<number> {
  for (;;) {
    const found = await rpc<{ timestamp: Hex } | null>(
      'eth_getBlockByNumber',
      `0x${block.toString(16)}`,
      false,
    );
    if (found) return Number(found.timestamp) * 1000;
    // A reorg took it since it was heard of: another one takes its place.
    await sleep(pauseMs);
  }
}

type PiRecord = {
  type: string;
  to?: string;
  from?: string;
  amount?: string;
  asset_type?: string;
  created_at: string;
  transaction?: { memo?: string };
};

/** What came to Pi's custody account since a time. A ledger of Pi is final at once. */
export async function readPi({ horizonUrl, custodyAccount }: PiNetwork, sinceMs: number): Promise<Came[]> {
  const came: Came[] = [];
  // Horizon tells the second in which a ledger closed, not the moment.
  const sinceSecondMs = Math.floor(sinceMs / 1_000) * 1_000;
  let next = `${horizonUrl}/accounts/${custodyAccount}/payments?order=desc&limit=200&join=transactions`;
  for (;;) {
    const answer = (await (await fetch(next)).json()) as {
      _embedded: { records: PiRecord[] };
      _links: { next: { href: string } };
    };
    const { records } = answer._embedded;
    const recent = records.filter(({ created_at }) => Date.parse(created_at) >= sinceSecondMs);
    for (const { type, to, from = '', amount, asset_type, created_at, transaction } of recent) {
      if (type !== 'payment' || to !== custodyAccount || asset_type !== 'native' || amount === undefined)
        continue;
      const atMs = Date.parse(created_at);
      const memo = transaction?.memo ?? null;
      came.push({
        asset: 'pi',
        from,
        to: to.toLowerCase(),
        memo,
        fine: fineOf(amount),
        ...{ atMs, block: null },
      });
    }
    if (records.length === 0 || recent.length < records.length) return came;
    next = answer._links.next.href;
  }
}
