import { bytesOfBase64, bytesOfHex, bytesOfText, hexOf, joinBytes } from './bytes.ts';
import { fault, type ProofFault } from './fault.ts';
import { keccak256 } from './keccak.ts';
import { signerOf } from './secp256k1.ts';
import {
  addressText,
  heldOf,
  owedOf,
  type ProofPath,
  type ProvedAddress,
  type ProvedAsset,
  pathFormat,
  type SignedStatement,
  type Statement,
  statementFormat,
  statementText,
} from './statement.ts';
import { climb } from './tree.ts';

// What can be checked of a statement without its chains. Only what the file says counts, and everything in it may be
// forged.

/** The factory of Florin's forwarders and the hash of what it deploys: the same on every chain. */
export const forwarderFactory = '0x2158bc18268f69579527b7ee9781262ef8874155';
export const forwarderCodeHash = '0xc9233e36fb90bdde9483034100e663235c917969b23760331c3cc40645e512b7';

const unitsPattern = /^(?:0|-?[1-9]\d{0,77})$/;
const addressPattern = /^0x[0-9a-f]{40}$/;
const hashPattern = /^[0-9a-f]{64}$/;

/** Reads a file as a statement or a path; a fault says what it is not. The form alone is looked at. */
export function readProofFile(text: string): SignedStatement | ProofPath | ProofFault {
  try {
    const file = JSON.parse(text);
    if (file?.format === pathFormat) return hasPathForm(file) ? file : malformed('path');
    if (file?.statement?.format === statementFormat) return hasForm(file) ? file : malformed('statement');
  } catch {
    // It is told below.
  }
  return fault('form', 'The file is neither a statement of what is owed and held nor a path of one.');
}

const malformed = (what: string): ProofFault =>
  fault('form', `The ${what} lacks something, or has something in another form than it must be in.`);

const areUnits = (...units: readonly unknown[]): boolean =>
  units.every((each) => typeof each === 'string' && unitsPattern.test(each));

function hasForm({ statement, signature, addresses }: SignedStatement): boolean {
  return (
    [signature, statement.id, statement.installation, statement.key, statement.made_at].every(
      (each) => typeof each === 'string',
    ) &&
    statement.chains.every(
      (each) => Number.isSafeInteger(each.chain_id) && Number.isSafeInteger(each.block),
    ) &&
    statement.assets.every(hasAssetForm) &&
    new Set(statement.assets.map(({ asset }) => asset)).size === statement.assets.length &&
    statement.addresses.every(hasAddressForm) &&
    addresses.every((each) => addressPattern.test(each.address) && typeof each.signature === 'string')
  );
}

function hasAssetForm({ asset, scale, chain_id, token, root, sum, owed, promised }: ProvedAsset): boolean {
  const parts = [owed.businesses, owed.wallets, owed.customers, owed.unsettled, owed.arriving];
  return (
    typeof asset === 'string' &&
    // No other network shows nothing of the past: what is held there must not go unchecked.
    (chain_id === null
      ? asset === 'pi'
      : Number.isSafeInteger(chain_id) && addressPattern.test(token ?? '')) &&
    Number.isInteger(scale) &&
    scale >= 0 &&
    scale <= 36 &&
    hashPattern.test(root) &&
    areUnits(sum, promised, ...parts) &&
    Object.keys(owed).length === parts.length
  );
}

function hasAddressForm({ chain_id, address, balances }: ProvedAddress): boolean {
  const isNamed = chain_id === null ? typeof address === 'string' : addressPattern.test(address);
  return isNamed && balances.every(({ asset, units }) => typeof asset === 'string' && areUnits(units));
}

function hasPathForm({ statement, leaves }: ProofPath): boolean {
  return (
    typeof statement === 'string' &&
    leaves.every(
      ({ asset, account, units, salt, siblings }) =>
        [asset, account].every((each) => typeof each === 'string' && !each.includes('\n')) &&
        hashPattern.test(salt) &&
        areUnits(units, ...siblings.map(({ sum }) => sum)) &&
        siblings.every(({ side, hash }) => hashPattern.test(hash) && (side === 'left' || side === 'right')),
    )
  );
}

/** What is wrong with a statement, as far as its file shows; empty: nothing. Chains are not asked. */
export async function checkStatement(signed: SignedStatement): Promise<ProofFault[]> {
  const { statement } = signed;
  return [
    ...(await checkSignature(signed)),
    ...statement.assets.flatMap((asset) => checkAsset(statement, asset)),
    ...checkBalances(statement),
    ...statement.addresses.flatMap((address) => checkAddress(signed, address)),
  ];
}

async function checkSignature({ statement, signature }: SignedStatement): Promise<ProofFault[]> {
  const [key, bytes] = [bytesOfBase64(statement.key), bytesOfBase64(signature)];
  const { subtle } = globalThis.crypto;
  if (subtle === undefined)
    return [fault('signature', 'This browser checks signatures only on a page that came by https.')];
  const text = Uint8Array.from(bytesOfText(statementText(statement)));
  try {
    if (key === null || bytes === null) throw new Error('no base64');
    const known = await subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    if (await subtle.verify('Ed25519', known, bytes, text)) return [];
  } catch {
    // A key that is no point of the curve verifies nothing.
  }
  return [fault('signature', 'The statement is not as the key of the installation signed it.')];
}

function checkAsset(statement: Statement, each: ProvedAsset): ProofFault[] {
  const { asset, sum, owed, promised } = each;
  const units = (text: string): bigint => BigInt(text);
  if ([sum, promised, ...Object.values(owed)].some((text) => units(text) < 0n))
    return [fault('negative', `Something that is owed in ${asset} is below zero.`)];
  const found: ProofFault[] = [];
  if (units(owed.businesses) + units(owed.wallets) !== units(sum))
    found.push(fault('sum', `What businesses and wallets are owed in ${asset} is not the sum of its tree.`));
  const [all, held] = [owedOf(each), heldOf(statement, asset)];
  if (held < all) found.push(fault('reserves', `Of ${asset} ${held} units are held, and ${all} are owed.`));
  return found;
}

function checkBalances({ addresses, assets, chains }: Statement): ProofFault[] {
  const names = addresses.map(({ chain_id, address }) => `${chain_id} ${address}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return [fault('form', `The address ${twice} is listed twice.`)];
  return addresses.flatMap(({ chain_id, address, balances }) => {
    if (balances.some(({ units }) => BigInt(units) < 0n))
      return [fault('negative', `${address} holds less than nothing.`)];
    const isKnown = chain_id === null || chains.some((chain) => chain.chain_id === chain_id);
    const codes = balances.map(({ asset }) => asset);
    const isOwn = codes.every((code) =>
      assets.some((each) => each.asset === code && each.chain_id === chain_id),
    );
    return isKnown && isOwn && new Set(codes).size === codes.length
      ? []
      : [fault('form', `${address} holds assets twice, or assets of another chain.`)];
  });
}

function checkAddress(signed: SignedStatement, address: ProvedAddress): ProofFault[] {
  if (address.chain_id === null) return [];
  if (address.kind === 'forwarder') return checkForwarder(signed.statement, address);
  const own = signaturesOf(signed, address);
  if (own.length === 0)
    return [fault('unsigned', `Nobody has signed for ${address.address}, which holds money.`)];
  const text = addressText(signed.statement, address.address);
  // A contract is asked on its chain whether a signature is its own, and a vault whose key it knows.
  const isRight = own.every(({ by, signature }) => {
    if (by === null) return true;
    return signerOf(text, signature) === by && (address.kind === 'vault' || by === address.address);
  });
  return isRight ? [] : [wrongSignature(address.address)];
}

export const wrongSignature = (address: string): ProofFault =>
  fault('address_signature', `The signature for ${address} is not of its key, or of another text.`);

/** The signatures for an address. */
export function signaturesOf(signed: SignedStatement, { chain_id, address }: ProvedAddress) {
  return signed.addresses.filter((each) => each.chain_id === chain_id && each.address === address);
}

type Forwarder = Extract<ProvedAddress, { kind: 'forwarder' }>;

/** The factory and what it deploys must be ours: any contract has some factory. */
function checkForwarder({ addresses }: Statement, address: Forwarder): ProofFault[] {
  const { chain_id, factory, init_code_hash, salt, treasury, owner } = address;
  const words = [treasury, owner].map((each) => bytesOfHex(each.replace(/^0x/, '').padStart(64, '0')));
  const isOurs = factory === forwarderFactory && init_code_hash === forwarderCodeHash;
  const hash = joined(...words);
  if (
    !isOurs ||
    hash === null ||
    salt !== `0x${hexOf(keccak256(hash))}` ||
    forwarderOf(salt) !== address.address
  )
    return [fault('derivation', `${address.address} is not the address that follows from its derivation.`)];
  const isListed = addresses.some(
    (each) => each.chain_id === chain_id && each.kind !== 'forwarder' && each.address === treasury,
  );
  return isListed
    ? []
    : [fault('derivation', `${address.address} sends to ${treasury}, for which nobody signs here.`)];
}

/** The address that the factory gives a salt (CREATE2, EIP-1014). */
function forwarderOf(salt: string): string | null {
  const bytes = joined(
    Uint8Array.of(0xff),
    ...[forwarderFactory, salt, forwarderCodeHash].map((each) => bytesOfHex(each)),
  );
  return bytes && `0x${hexOf(keccak256(bytes).subarray(12))}`;
}

function joined(...parts: readonly (Uint8Array | null)[]): Uint8Array | null {
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? joinBytes(...known) : null;
}

/**
 * What is wrong with somebody's path in a statement; empty: each balance of it is in the tree. That it is the balance that
 * its owner had is for its owner to see.
 */
export function checkPath(statement: Statement, path: ProofPath): ProofFault[] {
  if (path.statement !== statement.id)
    return [fault('other_statement', `The path belongs to the statement ${path.statement}.`)];
  if (path.leaves.length === 0) return [fault('no_leaf', 'The path has no balance.')];
  return path.leaves.flatMap((leaf) => {
    const known = statement.assets.find(({ asset }) => asset === leaf.asset);
    if (!known)
      return [fault('no_leaf', `The statement does not name ${leaf.asset}, of which this balance is.`)];
    const siblings = leaf.siblings.map((each) => ({ ...each, sum: BigInt(each.sum) }));
    if (BigInt(leaf.units) < 0n || siblings.some(({ sum }) => sum < 0n))
      return [
        fault('negative', `A balance or sum beside the way to the root of ${leaf.asset} is below zero.`),
      ];
    const root = climb({ ...leaf, units: BigInt(leaf.units) }, siblings);
    if (root.hash !== known.root)
      return [
        fault('leaf', `This balance of ${leaf.asset} is not in the tree: it was changed, or left out of it.`),
      ];
    return root.sum === BigInt(known.sum)
      ? []
      : [
          fault(
            'sum',
            `The tree of ${leaf.asset} comes to ${root.sum} units, and the statement says ${known.sum}.`,
          ),
        ];
  });
}
