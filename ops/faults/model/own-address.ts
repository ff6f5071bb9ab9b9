import { concat, encodeAbiParameters, getContractAddress, getCreate2Address, keccak256, pad } from 'viem';
import type { Hex } from '../world/world.ts';

// Where the money of a direct payment goes, by what its merchant knows: docs/direct-settlement.md has the same by hand.

/** An address of a merchant's own, its private key, and from when on new payments settle there, by the world's clock. */
export type OwnAddress = { address: Hex; key: Hex; fromMs: number };

/** Between whom the money is divided, and the address that does it. */
export type Split = { merchant: Hex; host: Hex; splitter: Hex };

/** Both are the same on every chain. */
export const splitterFactory: Hex = '0x90df07a377585Af9bf39438Afd57c720A73535B5';
export const forwarderFactory: Hex = '0x2158bC18268f69579527B7EE9781262ef8874155';

/** The code that a factory deploys: a proxy of its first child. */
function proxyOf(factory: Hex): Hex {
  const target = getContractAddress({ from: factory, nonce: 1n });
  return concat(['0x3d602c80600a3d3981f33615602a57363d3d373d3d3d363d73', target, '0x5af4602a5780fd5b00']);
}

const bytecodes = new Map([splitterFactory, forwarderFactory].map((each) => [each, proxyOf(each)]));

function deployedBy(from: Hex, salt: Hex): Hex {
  const bytecode = bytecodes.get(from) ?? '0x';
  return getCreate2Address({ from, salt, bytecode }).toLowerCase() as Hex;
}

export function splitOf(merchant: Hex, host: Hex, basisPoints: bigint): Split {
  const words = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const;
  const salt = keccak256(encodeAbiParameters(words, [merchant, host, basisPoints]));
  return { merchant, host, splitter: deployedBy(splitterFactory, salt) };
}

/** A payment as a 32-byte word of the contracts. */
export const wordOf = (paymentId: string): Hex => pad(`0x${paymentId.replaceAll('-', '')}`);

/** The deposit address of a payment that leads to a splitter; lower case. */
export function depositOf(splitter: Hex, paymentId: string): Hex {
  const words = [{ type: 'address' }, { type: 'bytes32' }] as const;
  return deployedBy(forwarderFactory, keccak256(encodeAbiParameters(words, [splitter, wordOf(paymentId)])));
}
