import { rename, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Logger } from 'pino';
import { startLoop } from '../../kit/loop.ts';
import type { LocalRpc } from './rpc.ts';

/** How many blocks must follow a block until it is final: two epochs of one slot. */
export const finalDepth = 2;
const blockMs = 1_000;
const idleMs = 60_000;

type Head = { number: string; transactions: string[] };

/**
 * Makes a block a second while there is something to confirm, and one a minute otherwise, so that a chain that runs for
 * days stays small. The chain itself saves nothing: at each new head its state is written to `stateFile`, completely or
 * not at all.
 */
export function keepBlocks(rpc: LocalRpc, stateFile: string, log: Logger): { stop(): Promise<void> } {
  let finalAt = 0n;
  let kept: string | null = null;
  let madeMs = performance.now();

  async function isDue(): Promise<boolean> {
    const { pending } = await rpc<{ pending: string }>('txpool_status');
    const { number, transactions } = await rpc<Head>('eth_getBlockByNumber', ['latest', false]);
    if (transactions.length > 0) finalAt = BigInt(number) + BigInt(finalDepth);
    return pending !== '0x0' || BigInt(number) < finalAt || performance.now() - madeMs >= idleMs;
  }
  async function tick(): Promise<void> {
    if (await isDue()) {
      await rpc('evm_mine');
      madeMs = performance.now();
    }
    const head = await rpc<string>('eth_blockNumber');
    if (head !== kept) await keepState(rpc, stateFile);
    kept = head;
  }
  const loop = startLoop({ name: 'demo chain', everyMs: blockMs, work: tick }, log);
  return {
    async stop() {
      await loop.stop();
      // Transactions that are in no block yet would be lost.
      await tick();
    },
  };
}

/** Saves the state of the chain: blocks, transactions and balances. */
export async function keepState(rpc: LocalRpc, stateFile: string): Promise<void> {
  const packed = await rpc<string>('anvil_dumpState');
  const state = await promisify(gunzip)(Buffer.from(packed.slice(2), 'hex'));
  await writeFile(`${stateFile}.new`, state, { mode: 0o600 });
  await rename(`${stateFile}.new`, stateFile);
}
