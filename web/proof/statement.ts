import { bytesOfText, hexOf } from './bytes.ts';
import { sha256 } from './sha256.ts';

// The form of a statement of what is owed and held, as it is published, and of a path of it. Units are whole numbers in
// the smallest unit of their asset, as texts; addresses and hashes of chains are in lower case with `0x`.

export const statementFormat = 'florin-proof/1';
export const pathFormat = 'florin-proof-path/1';

/** A chain, and the final block at which its balances are. */
export type ProvedChain = { chain_id: number; name: string; block: number; block_hash: string };

export type ProvedAsset = {
  asset: string;
  /** Decimals of the asset: 6 for units of a millionth. */
  scale: number;
  /** Its chain and contract; null for Pi, whose network shows no balances of the past. */
  chain_id: number | null;
  token: string | null;
  /** The root of the tree of what is owed to businesses and users, and its sum. */
  root: string;
  sum: string;
  owed: {
    /** In the tree. */
    businesses: string;
    wallets: string;
    /** Owed to customers who paid: refunds that are promised, overpayments; and money that is not settled yet. */
    customers: string;
    unsettled: string;
    /** Came by the block and is not in the ledger yet. */
    arriving: string;
  };
  /** Of what businesses and users are owed, what is promised to payouts. It may have left already, and is owed until booked. */
  promised: string;
};

export type ProvedBalance = { asset: string; units: string };

/** An address that holds what is owed. */
export type ProvedAddress = {
  /** Null: the account of Pi. */
  chain_id: number | null;
  address: string;
  balances: ProvedBalance[];
} & (
  | {
      /** A contract that sends what it has to `treasury` alone. The salt is the hash of `treasury` and `owner`, in words. */
      kind: 'forwarder';
      factory: string;
      init_code_hash: string;
      salt: string;
      treasury: string;
      owner: string;
    }
  /** The vault, whose signer or admin signs. */
  | { kind: 'vault' }
  /** A wallet or a contract that signs by itself. */
  | { kind: 'wallet' }
);

export type Statement = {
  format: typeof statementFormat;
  id: string;
  /** Address of the installation. */
  installation: string;
  /** Its public key: Ed25519, 32 bytes in base64. */
  key: string;
  made_at: string;
  /** The newest entry of the ledger, and the head of the hash chain: the number and hash of a stamp; null: there is none. */
  ledger: { entry: string; stamp: string | null };
  chains: ProvedChain[];
  assets: ProvedAsset[];
  addresses: ProvedAddress[];
};

/**
 * A signature of the text of `addressText`. `by`: the address of the key that made it; null: the contract at the address, or
 * the one that is the vault's admin, says that it is its own (EIP-1271).
 */
export type AddressSignature = { chain_id: number; address: string; by: string | null; signature: string };

/** What is published. `signature`: of the statement, by the key of the installation, in base64. */
export type SignedStatement = {
  statement: Statement;
  signature: string;
  addresses: AddressSignature[];
};

export type PathSibling = { side: 'left' | 'right'; hash: string; sum: string };

/** Where the balances of one owner are in the trees of a statement. Whoever has it can read them. */
export type ProofPath = {
  format: typeof pathFormat;
  statement: string;
  leaves: { asset: string; account: string; units: string; salt: string; siblings: PathSibling[] }[];
};

/** The text that the installation signs: the statement as JSON without spaces, its members in their order. */
export const statementText = (statement: Statement): string => JSON.stringify(statement);

/** The SHA-256 of that text, in hexadecimal digits. */
export const digestOf = (statement: Statement): string =>
  hexOf(sha256(bytesOfText(statementText(statement))));

/** The text that is signed for an address. It names the statement, so a signature fits no other. */
export function addressText(statement: Statement, address: string): string {
  return [
    `I hold the money of ${address} for ${statement.installation}.`,
    `Statement: ${statement.id}`,
    `SHA-256: ${digestOf(statement)}`,
  ].join('\n');
}

/** What is owed of an asset, in its units. */
export function owedOf({ owed }: ProvedAsset): bigint {
  return Object.values(owed).reduce((sum, units) => sum + BigInt(units), 0n);
}

/** What all addresses hold of an asset, in its units. */
export function heldOf({ addresses }: Pick<Statement, 'addresses'>, asset: string): bigint {
  return addresses
    .flatMap(({ balances }) => balances)
    .filter((each) => each.asset === asset)
    .reduce((sum, { units }) => sum + BigInt(units), 0n);
}

/** An amount of an asset as a decimal. */
export function decimalOfUnits(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const part = digits.slice(digits.length - scale).replace(/0+$/, '');
  const sign = units < 0n ? '-' : '';
  return part === '' ? `${sign}${whole}` : `${sign}${whole}.${part}`;
}
