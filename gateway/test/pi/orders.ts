import { Keypair, Memo, Operation, type xdr } from '@stellar/stellar-sdk';
import {
  exchange,
  exchangeAway,
  type Order,
  partOf,
  pay,
  payOther,
  piOf,
  receiveAlongPath,
  sendAlongPath,
} from './driver.ts';
import type { Game, Paid } from './game.ts';
import type { PiNetwork } from './network.ts';
import type { Deposit, Marking, Share, Withdrawal } from './steps.ts';

// What customers, and others with the account's key, mean, as orders to the network.

/** Texts that people and programs write into memos: none is a payment's. */
const texts = [
  'Order 7',
  '',
  '0',
  '\u0000\u0001',
  '12345678901234567890123456',
  'ünï🥧',
  '        ',
  '0000000000',
];

/** What a payment is marked with: a memo, and the number that stands for it in the destination. */
function markOf(game: Game, marking: Marking, index: number): { memo?: Memo; number?: bigint } {
  const at = (offset: number): Paid => game.paid[(index + offset) % game.paid.length]!;
  const { memo, number } = at(0);
  const text = Memo.text(texts[index % texts.length]!);
  switch (marking) {
    case 'memo':
      return { memo: Memo.text(memo) };
    case 'careless':
      return { memo: Memo.text(carelessly(memo)) };
    case 'muxed':
      return { number };
    case 'muxed beside a text':
      return { memo: text, number };
    case 'both':
      return { memo: Memo.text(memo), number: at(1).number };
    case 'none':
      return {};
    case 'mistyped':
      return { memo: Memo.text(mistyped(memo)) };
    case 'text':
      return { memo: text };
    case 'id':
      return { memo: Memo.id(number.toString()) };
    case 'identifier': {
      const deal = game.deals[index % game.deals.length];
      return deal ? { memo: Memo.text(deal.identifier) } : {};
    }
    case 'hash':
      return { memo: Memo.hash(Buffer.from(memo.padEnd(32)).toString('hex')) };
  }
}

/** The payment that a deposit names, or null. */
export function namedBy({ marking, payment }: Deposit, paid: readonly Paid[]): Paid | null {
  const names: readonly Marking[] = ['memo', 'careless', 'muxed', 'muxed beside a text', 'both'];
  return names.includes(marking) ? paid[payment % paid.length]! : null;
}

/** As people write it who read it aloud. */
function carelessly(memo: string): string {
  return ` ${memo.slice(0, 5)}- ${memo.slice(5)}`.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
}

function mistyped(memo: string): string {
  return (memo[0] === 'A' ? 'B' : 'A') + memo.slice(1);
}

/** A deposit as an order of its payer. */
export function depositOrder(game: Game, deposit: Deposit): Order {
  const { custody, paid } = game;
  const { network } = game.world;
  const { memo, number } = markOf(game, deposit.marking, deposit.payment);
  const account = custody.publicKey();
  const to = number === undefined ? account : partOf(account, number);
  const due = paid[deposit.payment % paid.length]!.payment.amountDue;
  const operations: xdr.Operation[] = [];
  const signers: Keypair[] = [];
  for (const { op, share } of deposit.operations) {
    if (op === 'merge') {
      const fresh = network.freshAccount();
      operations.push(Operation.accountMerge({ destination: to, source: fresh.publicKey() }));
      signers.push(fresh);
    } else {
      operations.push(paying[op](network, to, unitsOf(due!, share)));
    }
  }
  if (deposit.fails) operations.push(pay(to, tooMuch));
  return { operations, signers, ...(memo ? { memo } : {}) };
}

/** More than anybody has. */
const tooMuch = 10n ** 18n;

type Paying = (network: PiNetwork, to: string, units: bigint) => xdr.Operation;

const paying: Record<Exclude<Deposit['operations'][number]['op'], 'merge'>, Paying> = {
  payment: (_, to, units) => pay(to, units),
  'path send': (_, to, units) => sendAlongPath(to, units),
  'path receive': (_, to, units) => receiveAlongPath(to, units),
  exchange: ({ other }, to, units) => exchange(other, to, units),
  'exchange away': ({ other }, to, units) => exchangeAway(other, to, units),
  'other asset': ({ other }, to, units) => payOther(other, to, units),
  elsewhere: ({ outsider }, _, units) => pay(outsider.publicKey(), units),
};

/** A part of what is due; no transfer is of nothing. */
function unitsOf(due: bigint, { thousandths, dust }: Share): bigint {
  return (due * BigInt(thousandths)) / 1000n + BigInt(dust) || 1n;
}

/** What somebody else with the account's key has it do, and whose transaction that is. */
export function withdrawalOrder(game: Game, { how, units: small }: Withdrawal): Order & { source: Keypair } {
  const { custody } = game;
  const { other, issuer, payers } = game.world.network;
  const account = custody.publicKey();
  const outsider = game.world.network.outsider.publicKey();
  const units = BigInt(small);
  const own = (...operations: xdr.Operation[]) => ({ source: custody, operations });
  switch (how) {
    case 'payment':
      return own(pay(outsider, units));
    case 'several':
      return own(pay(outsider, units), sendAlongPath(outsider, units), pay(outsider, 1n));
    case 'exchange':
      return own(exchangeAway(other, issuer.publicKey(), units));
    case 'new account': {
      const destination = Keypair.random().publicKey();
      return own(Operation.createAccount({ destination, startingBalance: piOf(10_000_000n + units) }));
    }
    case 'to itself':
      return own(pay(account, units));
    case 'for a payer': {
      const operations = [pay(outsider, units), pay(outsider, units, account)];
      return { source: payers[0]!, operations, signers: [custody] };
    }
    case 'from a payer':
      return { ...own(pay(account, units, payers[1]!.publicKey())), signers: [payers[1]!] };
    case 'no payment':
      return own(Operation.manageData({ name: 'note', value: 'none' }));
    case 'fails':
      return own(pay(outsider, units), pay(outsider, tooMuch));
  }
}
