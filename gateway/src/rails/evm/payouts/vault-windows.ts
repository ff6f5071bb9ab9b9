import type { Hex } from '../config/chains.ts';
import { type Block, headerCall, hexNumber, requireHeader } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import type { Agreement } from '../scan/blocks/agreement.ts';
import { payoutTopics, type VaultEvent, vaultEvents } from './calls.ts';
import { type Cursor, vaultsOf } from './cursor.ts';
import type { PayoutDeps } from './deps.ts';

const spanAtMost = 1_000n;

/** The vaults' events in the blocks after a cursor, up to and with `end`. */
export type VaultWindow = { end: Block; events: VaultEvent[] };

/**
 * Reads the next window after a cursor, at most up to block `last`, as two endpoints show it. `moved`: the block of the
 * cursor has left the chain. Throws RpcFault or Disagreement.
 */
export type NextVaultWindow = (after: Cursor, last: bigint) => Promise<VaultWindow | 'moved'>;

/** Makes the reader of windows. It asks for fewer blocks after a fault: endpoints take different numbers of them. */
export function createVaultWindows(
  { db, chain, vault }: Pick<PayoutDeps, 'db' | 'chain' | 'vault'>,
  agreement: Agreement,
): NextVaultWindow {
  let span = spanAtMost;
  return async (after, last) => {
    const to = least(after.number + span, last);
    const vaults = await vaultsOf(db, chain.id, vault.address);
    try {
      const window = await agreement.agree({
        about: `what the vault did in blocks ${after.number + 1n} to ${to}`,
        ask: (endpoint) => readWindow(endpoint, vaults, after, to),
        same: (one, other) => textOf(one) === textOf(other),
      });
      span = least(span * 2n, spanAtMost);
      return window;
    } catch (error) {
      if (error instanceof RpcFault && span > 1n) span /= 2n;
      throw error;
    }
  };
}

async function readWindow(
  endpoint: Endpoint,
  vaults: readonly Hex[],
  after: Cursor,
  to: bigint,
): Promise<VaultWindow | 'moved'> {
  const range = { fromBlock: hexNumber(after.number + 1n), toBlock: hexNumber(to) };
  const answers = await endpoint.batch([
    headerCall(to),
    headerCall(after.number),
    { method: 'eth_getLogs', params: [{ ...range, address: vaults, topics: [payoutTopics] }] },
    headerCall(to),
  ]);
  const begin = requireHeader(answers[0], to);
  const end = requireHeader(answers[3], to);
  const before = requireHeader(answers[1], after.number);
  if (begin.hash !== end.hash || (after.hash !== null && before.hash !== after.hash)) return 'moved';
  const events = vaults.flatMap((each) => vaultEvents(answers[2], each));
  if (events.some(({ blockNumber }) => blockNumber <= after.number || blockNumber > to)) {
    throw new RpcFault('nonsense', 'answered with logs of other blocks');
  }
  return { end: { number: end.number, hash: end.hash }, events };
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const textOf = (window: VaultWindow | 'moved'): string =>
  JSON.stringify(window, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
