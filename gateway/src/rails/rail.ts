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
