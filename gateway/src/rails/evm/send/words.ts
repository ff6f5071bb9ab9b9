import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../config/chains.ts';

// What calls of contracts and their logs are made of.

const hashOf = (signature: string): string => Buffer.from(keccak_256(Buffer.from(signature))).toString('hex');
/** The first four bytes of a call, without 0x: of a function such as `pay(address)`. */
export const selector = (signature: string): string => hashOf(signature).slice(0, 8);
/** 32 bytes, without 0x. */
export const word = (value: Hex | number | bigint): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');

/** The first topic of an event's logs. */
export const eventTopic = (signature: string): Hex => `0x${hashOf(signature)}`;

/** Stands for the native coin where a token's address does. */
export const nativeCoin: Hex = `0x${'0'.repeat(40)}`;

const transferSelector = selector('transfer(address,uint256)');
const balanceSelector = selector('balanceOf(address)');

export function transferCall(to: Hex, units: bigint): Hex {
  return `0x${transferSelector}${word(to)}${word(units)}`;
}

export function balanceCall(owner: Hex): Hex {
  return `0x${balanceSelector}${word(owner)}`;
}

/** A log, as a receipt has it. */
export type Log = { address: Hex; topics: Hex[]; data: Hex };
