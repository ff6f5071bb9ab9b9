import type { Hex } from '../config/chains.ts';
import { selector, word } from '../send/words.ts';

// Calls that the admin of a vault makes, as transaction data.

/** Names the signer; forty zeros: nobody. */
export function signerOrder(signer: Hex): Hex {
  return `0x${selector('setSigner(address)')}${word(signer)}`;
}

/** Sets what the signer may pay out of a token each UTC day, in the token's smallest units. */
export function limitOrder(token: Hex, units: bigint): Hex {
  return `0x${selector('setLimit(address,uint112)')}${word(token)}${word(units)}`;
}

/** Pauses the signer, or ends the pause. */
export function pauseOrder(isPaused: boolean): Hex {
  return `0x${selector('setPaused(bool)')}${word(isPaused ? 1 : 0)}`;
}

/** Withdraws a token, in its smallest units. */
export function withdrawOrder(token: Hex, to: Hex, units: bigint): Hex {
  return `0x${selector('take(address,address,uint256)')}${word(token)}${word(to)}${word(units)}`;
}
