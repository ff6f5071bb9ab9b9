import { keccak_256 } from '@noble/hashes/sha3.js';
import { type OwnerKind, ownerOf } from '../../owner.ts';
import type { Hex } from '../config/chains.ts';
import artifact from './forwarder-factory.json' with { type: 'json' };

/** The keyless deployer that has this address on nearly every chain (by Arachnid; the forerunner of EIP-7955). */
export const deployer: Hex = '0x4e59b44847b379578588920ca78fbf26c0b4956c';

export const factoryBytecode = artifact.bytecode as Hex;

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');
const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const hash = (...parts: Uint8Array[]): Uint8Array => keccak_256(Buffer.concat(parts));
const word = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]);
const noSalt = Buffer.alloc(32);

/** The address of what the keyless deployer deploys with a salt of zero, from its creation code. */
export function deployedAddress(code: Hex): Hex {
  return hexOf(create2(bytesOf(deployer), noSalt, hash(bytesOf(code))));
}

/** CREATE2 (EIP-1014): the address of what `from` deploys with a salt, from the hash of its creation code. */
function create2(from: Uint8Array, salt: Uint8Array, codeHash: Uint8Array): Uint8Array {
  return hash(Buffer.of(0xff), from, salt, codeHash).subarray(12);
}

/** What is kept of a compiled factory of proxies: its immutables are its implementation and the hash of its proxies. */
type FactoryArtifact = { bytecode: string; runtime: string; immutables: number[][] };

/** What a factory makes the address of a proxy of. */
const saltOf = (words: readonly Hex[]): Uint8Array => hash(...words.map((each) => word(bytesOf(each))));

/** A factory that the keyless deployer deploys with a salt of zero, and the addresses of the proxies that it deploys. */
export function proxyFactory({ bytecode, runtime, immutables }: FactoryArtifact) {
  const address = create2(bytesOf(deployer), noSalt, hash(bytesOf(bytecode as Hex)));
  // A contract's first child: RLP of its address and the nonce 1 (EIP-161).
  const implementation = hash(Buffer.of(0xd6, 0x94), address, Buffer.of(1)).subarray(12);
  // What the factory deploys; ForwarderFactory.sol explains each byte.
  const proxyHash = hash(
    bytesOf('0x3d602c80600a3d3981f33615602a57363d3d373d3d3d363d73'),
    implementation,
    bytesOf('0x5af4602a5780fd5b00'),
  );
  // The factory's code after its constructor has written the immutables, in the order of the contract.
  const code = bytesOf(runtime as Hex);
  for (const [at, value] of [word(implementation), proxyHash].entries()) {
    for (const place of immutables[at] ?? []) code.set(value, place);
  }
  return {
    address: hexOf(address),
    /** Keccak-256 of the code that must be found at its address. */
    codeHash: hexOf(hash(code)),
    /** The hash of what it deploys with each salt (the `init_code_hash` of EIP-1014). */
    initCodeHash: hexOf(proxyHash),
    /** The address of the proxy whose salt is the hash of these 32-byte words. */
    proxyAddress: (...words: Hex[]): Hex => hexOf(create2(address, saltOf(words), proxyHash)),
  };
}

const factory = proxyFactory(artifact);

/** The factory's address: the same on every chain, because it depends on the code alone. */
export const factoryAddress: Hex = factory.address;

/** Keccak-256 of the code that must be found at `factoryAddress`. */
export const factoryCodeHash: Hex = factory.codeHash;

/** The hash of what it deploys for each forwarder (the `init_code_hash` of EIP-1014). */
export const forwarderInitCodeHash: Hex = factory.initCodeHash;

/** Keccak-256 of bytes. */
export function keccakOf(bytes: Hex): Hex {
  return hexOf(hash(bytesOf(bytes)));
}

/** The upper half of an owner's number. */
const kindNumber: Record<OwnerKind, number> = { payment: 0, 'top-up': 1, user: 2 };

/**
 * An owner, written by `ownerText`, as a 32-byte number, which the factory takes: the kind in its upper half, the id in
 * its lower one. A payment's is its id alone, and a splitter's, of which a part waits, its address.
 */
export function ownerWord(owner: string): Hex {
  if (owner.startsWith('0x')) return hexOf(word(bytesOf(owner as Hex)));
  const { kind, id } = ownerOf(owner);
  const bytes = word(Buffer.from(id.replaceAll('-', ''), 'hex'));
  bytes.writeUInt8(kindNumber[kind], 15);
  return hexOf(bytes);
}

/**
 * The deposit address of an owner (as `ownerWord` takes it) whose money goes to `treasury`, on
 * every chain; lower case. It is computed without a chain: the factory derives the same address.
 */
export function forwarderAddress(treasury: Hex, owner: string): Hex {
  return factory.proxyAddress(treasury, ownerWord(owner));
}

/** The salt by which the factory deploys it. */
export function forwarderSalt(treasury: Hex, owner: string): Hex {
  return keccakOf(`0x${treasury.slice(2).padStart(64, '0')}${ownerWord(owner).slice(2)}`);
}

/** An address in the mixed case that wallets check (EIP-55). */
export function checksummed(address: Hex): Hex {
  const digits = address.slice(2);
  const digest = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  const cased = [...digits].map((digit, at) => (digest.charAt(at) >= '8' ? digit.toUpperCase() : digit));
  return `0x${cased.join('')}`;
}

/**
 * An address that a person typed, in lower case; null when it is not one, or the checksum in its mixed case is wrong.
 */
export function readAddress(text: string): Hex | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
  const lower = text.toLowerCase() as Hex;
  const isMixed = text !== lower && text.slice(2) !== lower.slice(2).toUpperCase();
  return isMixed && checksummed(lower) !== text ? null : lower;
}
