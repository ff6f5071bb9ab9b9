import type { Secret } from '../../../kit/secret.ts';
import type { AssetCode } from '../../../money/money.ts';
import type { SignerConfig } from '../../signing/signer-config.ts';

/** A lower-case hex text with `0x` before it: an address (20 bytes), a hash (32 bytes), or data. */
export type Hex = `0x${string}`;

/** Sends coins of a demo chain to an address. */
export type Faucet = (to: { chainId: number; address: Hex }) => Promise<void>;

/** A token that is taken on a chain. Other tokens that arrive can be recovered, but pay nothing. */
export type ChainToken = {
  asset: AssetCode;
  address: Hex;
  /** What its contract must return for `decimals`. */
  scale: number;
  /** What its contract must return for `symbol`; null: anything. */
  symbol: string | null;
};

/** Where deposits of a chain go: to forwarders that a contract sweeps to the treasury, or to derived keys. */
export type Receiving = { kind: 'forwarder'; treasury: Hex } | { kind: 'xpub'; xpub: string };

/** The vault that pays out on a chain: `contracts/PayoutVault.sol`. */
export type VaultConfig = {
  /** It follows from the first admin. */
  address: Hex;
  /** The admin that it was deployed for. */
  admin: Hex;
  /** Who may pay out within its limits; null: the admin alone pays out. */
  signer: {
    by: SignerConfig;
    /** The address of its key; null: the address follows from the key file. */
    address: Hex | null;
  } | null;
  /**
   * The most that it should hold of an asset, in its smallest units; above that the admin is asked to withdraw some.
   */
  keep: ReadonlyMap<AssetCode, bigint>;
};

/** One EVM chain as the operator configured it. */
export type ChainConfig = {
  id: number;
  name: string;
  /** Whether it belongs to test mode: what it shows is booked there, and nowhere else (contract.md#testnets). */
  isTest?: boolean;
  /** In the order of preference. They may hold keys of a provider, so they never reach a log or a page. */
  rpcUrls: string[];
  /** `finalized`: money counts when the chain's own tag has reached its block; else after `confirmations`. */
  finality: 'finalized' | 'confirmations';
  confirmations: number;
  blockSeconds: number;
  /** Where the scan begins on a new installation; null: at the head of the chain. */
  startBlock: number | null;
  receiving: Receiving;
  tokens: ChainToken[];
  nativeSymbol: string;
  /** USD for one native coin, to judge what a sweep costs; null: not known. */
  nativeUsd: string | null;
  publicRpcUrl: string | null;
  explorer: string | null;
  /** Whether everybody may have coins for free: on the demo chain only; the configuration file cannot set it. */
  faucet?: boolean;
  /** File with the key of the treasury, which signs statements: on the demo chain only, as above. */
  treasuryKeyFile?: Secret;
  sweep: {
    /** File with the private key that pays for gas; null: only `florin sweep` sweeps. */
    gasKeyFile: Secret | null;
    everySeconds: number;
    /** A deposit is swept when it is worth this many times the gas that moving it costs. */
    worth: number;
    maxGasPriceGwei: number;
  };
  /** Where the host's part of direct settlements goes; absent: none is made on this chain. */
  feeAddress?: Hex;
  /** Null: nothing is paid out by a contract on this chain. */
  vault: VaultConfig | null;
  /** Whether an operator pays payouts by hand out of the treasury, where there is no vault. */
  paysByHand: boolean;
};

/** The rail's name in transfers and in the ledger's external account. */
export function railOf(chainId: number): string {
  return `evm:${chainId}`;
}
