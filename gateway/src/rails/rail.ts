import type { AssetCode } from '../kit/money.ts';

/** What a rail tells of one transfer, each time that it changed. */
export type Observation = {
  rail: string;
  /** Names this transfer on its chain for ever; two transfers in one transaction have two keys. */
  key: string;
  paymentId: string;
  transaction: string;
  asset: AssetCode;
  /** Units at the asset's own scale. */
  units: bigint;
  /** `seen`: on the chain, not yet final. `gone`: fell out of it again. */
  state: 'seen' | 'final' | 'gone';
  confirmations: number;
  needed: number;
  /** The address that it came from, where the rail knows it. */
  sender?: string;
};

/** Where to send money for a payment. */
export type Destination = {
  asset: AssetCode;
  network: string;
  address: string;
  memo: string | null;
};

/** How a rail is doing; what it does not have (a simulated one has no blocks) is null. */
export type RailHealth = {
  rail: string;
  chain: string | null;
  lastBlock: bigint | null;
  /** How far what it shows is behind. */
  lagSeconds: number;
  endpoint: string | null;
  status: 'up' | 'behind' | 'down';
};

/** Asked by operators: each rail of the installation tells of itself. */
export type RailProbe = () => Promise<RailHealth>;
