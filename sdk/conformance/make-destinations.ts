import { checksummed, forwarderAddress, keccakOf } from '../../gateway/src/rails/evm/addresses/forwarders.ts';
import { splitterAddress } from '../../gateway/src/rails/evm/addresses/splitters.ts';
import { requestWords } from '../../gateway/src/rails/evm/requests/payment-request.ts';
import type { AgreedTerms, HashedBytes, JudgedDestination, JudgedWords } from './cases.ts';
import { seeded } from './random.ts';

type Hex = `0x${string}`;
type Split = { merchant: Hex; host: Hex; basisPoints: number };

/** Addresses with their verdicts: from the gateway's own derivation and the way they were altered. The same at each run. */
export function judgedDestinations(): JudgedDestination[] {
  const random = seeded(20_261_130);
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  const address = (): Hex => `0x${digits(40)}`;
  return Array.from({ length: 8 }).flatMap((_, round) => {
    const id = digits(32);
    const paymentId = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const split = { merchant: address(), host: address(), basisPoints: [0, 1, 250, 9999][round % 4] ?? 0 };
    return casesOf({ paymentId, split, treasury: address(), stranger: address() }, `${round}`);
  });
}

type World = { paymentId: string; split: Split; treasury: Hex; stranger: Hex };

function casesOf(world: World, round: string): JudgedDestination[] {
  const { paymentId, split, treasury, stranger } = world;
  const direct = answerOf(paymentId, split);
  const balance = { ...answerOf(paymentId, treasury), settlement: 'balance' };
  const shown = checkedSplit(split);
  const points = (split.basisPoints + 1) % 10_000;
  type Row = [name: string, verdict: string, destination: object, agreed: AgreedTerms, paymentId?: string];
  const rows: Row[] = [
    ['as it is', 'ok', direct, shown],
    ['in lower case', 'ok', { address: direct.address.toLowerCase() }, { ...split }],
    ['in upper case', 'ok', direct, { ...split, merchant: upper(split.merchant) }],
    ['of an id without dashes', 'ok', direct, shown, paymentId.replaceAll('-', '').toUpperCase()],
    ['of a treasury', 'ok', balance, { treasury }],
    ['alone', 'ok', { address: balance.address }, { treasury: checksummed(treasury) }],
    ['to another merchant', 'other_merchant', answerOf(paymentId, { ...split, merchant: stranger }), shown],
    ['with another host', 'other_host', answerOf(paymentId, { ...split, host: stranger }), shown],
    [
      'with other points',
      'other_basis_points',
      answerOf(paymentId, { ...split, basisPoints: points }),
      shown,
    ],
    ['to the balance', 'other_settlement', balance, shown],
    ['of another treasury', 'other_treasury', balance, { treasury: stranger }],
    ['to the merchant in place of the balance', 'other_settlement', direct, { treasury }],
    ['of an answer that says what was agreed on', 'other_address', { ...direct, address: stranger }, shown],
    ['of another payment', 'other_address', direct, shown, `0${paymentId.slice(1)}`.replace(/.$/, '1')],
    // What an answer says of contracts and splitters is not believed.
    ['of other contracts', 'other_address', { ...direct, address: stranger, factory: stranger }, shown],
    ['right beside wrong fields', 'ok', { ...direct, merchant: stranger, splitter: stranger }, shown],
    ['of no payment', 'bad_terms', direct, shown, 'PAY_1'],
    ['with a wrong checksum', 'bad_terms', direct, { ...shown, merchant: miscopied(shown.merchant) }],
    ['with nobody as host', 'bad_terms', direct, { ...split, host: `0x${'0'.repeat(40)}` }],
    ['with a short address', 'bad_terms', direct, { ...split, host: split.host.slice(0, -1) }],
    ['with all points', 'bad_terms', direct, { ...split, basisPoints: 10_000 }],
    ['with points below zero', 'bad_terms', direct, { ...split, basisPoints: -1 }],
  ];
  return rows.map(([name, verdict, destination, agreed, id = paymentId]) => ({
    name: `${round} ${name}`,
    paymentId: id,
    destination,
    agreed,
    verdict,
  }));
}

const upper = (address: Hex): string => `0x${address.slice(2).toUpperCase()}`;
const miscopied = (address: string): string =>
  address.replace(/[a-f]/i, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
const checkedSplit = ({ merchant, host, basisPoints }: Split) => ({
  merchant: checksummed(merchant),
  host: checksummed(host),
  basisPoints,
});

/** As much of an answer as tells where the money goes. */
function answerOf(paymentId: string, goal: Split | Hex) {
  const destination = typeof goal === 'string' ? goal : splitterAddress(goal);
  const address = checksummed(forwarderAddress(destination, paymentId));
  if (typeof goal === 'string') return { address, destination: checksummed(destination) };
  const { merchant, host, basisPoints: basis_points } = checkedSplit(goal);
  const splitter = checksummed(destination);
  return { address, settlement: 'direct', destination: splitter, splitter, merchant, host, basis_points };
}

/** Bytes of lengths around those of a block, with their Keccak-256. */
export function hashedBytes(): HashedBytes[] {
  const random = seeded(256);
  return [0, 1, 20, 32, 64, 134, 135, 136, 137, 271, 272, 273, 1000].map((length) => {
    const bytes = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
    return { bytes: bytes.toString('base64'), digest: keccakOf(`0x${bytes.toString('hex')}`).slice(2) };
  });
}

/** Payments with the words that the gateway makes of them. */
export function judgedWords(): JudgedWords[] {
  const addresses = judgedDestinations().filter(({ name }) => / (?:as it is|of a treasury)$/.test(name));
  const asked = [
    { chainId: 8453, asset: 'usdc-base', amount: '25.5', reference: 'order-1001' },
    { chainId: 56, asset: 'usdt-bep20', amount: '0.000001', reference: 'PAY_01NGTQ9N6M4Z3B9GNWVBQ5Z0KCG0' },
    { chainId: 1, asset: 'usdc-erc20', amount: '1000', reference: 'Zoë 🪙' },
    { chainId: 2 ** 53 - 1, asset: 'usdc-base', amount: '0', reference: '' },
  ];
  const written = [
    (text: string) => text,
    (text: string) => (text.includes('.') ? `${text}00` : `0${text}.0`),
  ];
  const right = addresses.flatMap(({ paymentId, agreed, destination }, at): JudgedWords[] => {
    const { address: to } = destination as { address: string };
    const known = asked[at % asked.length];
    if (!known) return [];
    const words = requestWords({ ...known, to });
    return written.map((write) => ({
      paymentId,
      agreed,
      ...known,
      amount: write(known.amount),
      expect: { words },
    }));
  });
  const refused = ['', '1e3', '-1', '1,5', '.5'].flatMap((amount) =>
    right.slice(0, 1).map((each) => ({ ...each, amount, expect: { refusal: 'bad_terms' } })),
  );
  return [...right, ...refused];
}
