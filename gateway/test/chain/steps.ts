import type { Fate } from './driver.ts';
import type { EndpointFault } from './endpoint.ts';

// What may happen to a chain, its endpoints, its scanners and the payments on it: the words of a schedule.

/** Two tokens of one currency, with 18 and with 6 decimals, add up; `unlisted` is in no configuration. */
export const assetCodes = ['usdc-bep20', 'usdc-erc20', 'usdt-bep20', 'csk-bep20'] as const;
export type AssetCode = (typeof assetCodes)[number];
export type TokenName = AssetCode | 'unlisted';

/** A part of what is due: thousandths of it, and so many of the token's smallest units more. */
export type Share = { thousandths: number; dust: number };

/**
 * `payment` counts those that have been made, round and round; `own` is the first token of its currency. `turns`:
 * a share to every payment in each of two tokens of one currency, by turns.
 */
export type Intent =
  | { do: 'transfer' | 'mint'; payer: number; payment: number; token: TokenName | 'own'; share: Share }
  | { do: 'many'; payer: number; token: AssetCode; parts: { payment: number; share: Share }[] }
  | { do: 'turns'; payer: number; share: Share }
  | { do: 'sweep'; payer: number; token: AssetCode };

/** What happens to the chain or to a scanner in the middle of a tick, before its `at`-th step outside. */
export type Disturbance = {
  at: number;
  what: 'killed' | 'killed after' | 'reorg' | 'block' | 'overtaken' | 'reorg, overtaken';
  /** Of the reorg. */
  depth: number;
};

export type Step =
  | { do: 'create'; currency: 'USDC' | 'USDT' | 'CSK' }
  | { do: 'block'; transactions: Intent[] }
  | { do: 'mine'; blocks: number }
  | { do: 'reorg'; depth: number; fates: Fate[] }
  | { do: 'rollback'; depth: number }
  | { do: 'tick'; who: 0 | 1; disturbance: Disturbance | null }
  /** The sweeper of a process looks for all that may be swept, and sends; mined it is with the next block. */
  | { do: 'collect'; who: 0 | 1; disturbance: Disturbance | null }
  | { do: 'race' }
  | { do: 'restart'; who: 0 | 1 }
  | { do: 'break'; endpoint: number; fault: EndpointFault; seed: number }
  /** All endpoints are silent until they are mended. */
  | { do: 'cut' }
  | { do: 'mend' }
  | { do: 'wait'; seconds: number }
  /** Waits until so many seconds after a payment's deadline, or after its late window ends; negative: before. */
  | { do: 'until'; edge: 'deadline' | 'late end'; payment: number; seconds: number }
  /** The customer chooses how to pay: from then on the deadline waits until the chain is read past it. */
  | { do: 'choose'; payment: number }
  | { do: 'cancel'; payment: number; by: 'customer' | 'merchant' }
  | { do: 'expire' | 'spend' }
  /** The blocks that were replaced last are the chain again. */
  | { do: 'return' };

/** What the operator configured, and which endpoint may lie: nobody can tell a lie that most of them tell. */
export type Setting = {
  finality: 'finalized' | 'confirmations';
  confirmations: number;
  endpoints: 1 | 2 | 3;
  liar: 0 | 1 | 2;
  /** Whether it may lie while no other one answers: then it is believed after two minutes, until one does again. */
  isBelieved: boolean;
  /** By so much the clock of the chain's blocks is ahead of the gateway's; negative: behind. */
  aheadSeconds: number;
};

export type Schedule = { setting: Setting; steps: Step[] };
