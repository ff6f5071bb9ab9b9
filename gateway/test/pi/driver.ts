import {
  Account,
  Asset,
  type Keypair,
  type Memo,
  MuxedAccount,
  Operation,
  type xdr,
} from '@stellar/stellar-sdk';
import { decimalOf } from '../../src/money/money.ts';

// Builds and signs what schedules send over a Pi network, as wallets do.

/** The fee of one operation, in stroops. */
export const operationFee = 100_000n;

/** An amount of stroops as the network writes it. */
export const piOf = (units: bigint): string => decimalOf(units, 7);

export type Order = {
  operations: xdr.Operation[];
  memo?: Memo;
  /** Whose operations are in it beside the source's own. */
  signers?: Keypair[];
};

/** The part of an account with this number, `M...`. */
export const partOf = (account: string, number: bigint): string =>
  new MuxedAccount(new Account(account, '0'), number.toString()).accountId();

const native = Asset.native();

export const pay = (destination: string, units: bigint, source?: string): xdr.Operation =>
  Operation.payment({ destination, asset: native, amount: piOf(units), ...(source ? { source } : {}) });

export const payOther = (asset: Asset, destination: string, units: bigint): xdr.Operation =>
  Operation.payment({ destination, asset, amount: piOf(units) });

/** Another asset is exchanged for PI, and PI for it, by who issued it: four of it for one PI. */
const otherUnitsPerPi = 4n;

export const sendAlongPath = (destination: string, units: bigint): xdr.Operation =>
  Operation.pathPaymentStrictSend({
    ...{ sendAsset: native, sendAmount: piOf(units), destination },
    ...{ destAsset: native, destMin: piOf(units), path: [] },
  });

export const receiveAlongPath = (destination: string, units: bigint): xdr.Operation =>
  Operation.pathPaymentStrictReceive({
    ...{ sendAsset: native, sendMax: piOf(units), destination },
    ...{ destAsset: native, destAmount: piOf(units), path: [] },
  });

/** The other asset is sent, and this much PI arrives. */
export const exchange = (other: Asset, destination: string, units: bigint): xdr.Operation =>
  Operation.pathPaymentStrictSend({
    ...{ sendAsset: other, sendAmount: piOf(units * otherUnitsPerPi), destination },
    ...{ destAsset: native, destMin: piOf(units), path: [] },
  });

/** This much PI is sent, and the other asset arrives. */
export const exchangeAway = (other: Asset, destination: string, units: bigint): xdr.Operation =>
  Operation.pathPaymentStrictSend({
    ...{ sendAsset: native, sendAmount: piOf(units), destination },
    ...{ destAsset: other, destMin: piOf(units * otherUnitsPerPi), path: [] },
  });
