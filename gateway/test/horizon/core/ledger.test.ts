import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Asset, Keypair, Operation, type xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createWallet } from '../wallet.ts';
import { unitsOf } from './amounts.ts';
import { type CoreOptions, createCore, type LedgerCore, totalCoins } from './core.ts';
import type { Effect, LedgerTransaction } from './ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'horizon-'));
afterAll(() => rmSync(folder, { recursive: true }));

const people = [1, 2, 3, 4].map((seed) => Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(seed)));
const addresses = people.map((key) => key.publicKey());
const credits = new Asset('CRED', addresses[0]!);

const effectsOf = ({ operations }: LedgerTransaction): Effect[] =>
  operations.flatMap(({ effects }) => effects);

/** What an effect gives its account, or takes from it. */
function coinsIn({ party, type, fields }: Effect): bigint {
  const unitsIn = (name: string) => unitsOf(`${fields[name]}`);
  if (type === 'account_created') return unitsIn('starting_balance');
  // The other side of a trade has it in further effects.
  if (type === 'trade' && party.account === addresses[0]) {
    const sold = fields.sold_asset_type === 'native' ? unitsIn('sold_amount') : 0n;
    return (fields.bought_asset_type === 'native' ? unitsIn('bought_amount') : 0n) - sold;
  }
  if (fields.asset_type !== 'native') return 0n;
  if (type === 'account_credited') return unitsIn('amount');
  return type === 'account_debited' ? -unitsIn('amount') : 0n;
}

/** What the effects give and take, and the fees take, account by account. */
function effectsAndFees(core: LedgerCore): Map<string, bigint> {
  const held = new Map([[core.root.publicKey(), totalCoins]]);
  const add = (id: string, units: bigint) => {
    if (units !== 0n) held.set(id, (held.get(id) ?? 0n) + units);
  };
  for (const { transactions } of core.ledgers) {
    // The fees of a ledger are taken before anything in it is applied.
    for (const { envelope, feeCharged } of transactions) add(envelope.source.account, -feeCharged);
    for (const effect of transactions.flatMap(effectsOf)) {
      if (effect.type === 'account_removed') held.delete(effect.party.account);
      add(effect.party.account, coinsIn(effect));
    }
  }
  return held;
}

const resultsOf = (core: LedgerCore): string[] =>
  core.history.all.transactions.map(({ token, resultXdr }) => `${token} ${resultXdr}`);

/** All coins, wherever they are. */
function coinsOf(core: LedgerCore): bigint {
  const held = [...core.accounts.values()].reduce((sum, { units }) => sum + units, 0n);
  return held + core.last().feePool;
}

const person = fc.nat({ max: people.length - 1 });
const amount = fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 30_000_000n), fc.bigInt(1n, 30_000_000_000n));
const decimal = amount.map((units) => `${units / 10_000_000n}.${`${units % 10_000_000n}`.padStart(7, '0')}`);
const asset = fc.boolean().map((isNative) => (isNative ? Asset.native() : credits));
const path = fc.record({
  destination: person.map((to) => addresses[to]!),
  sendAsset: asset,
  destAsset: asset,
});
const payment = fc
  .record({ destination: person.map((to) => addresses[to]!), amount: decimal, asset })
  .map((fields) => Operation.payment(fields));
const sent = fc
  .record({ along: path, sendAmount: decimal })
  .map(({ along, sendAmount }) =>
    Operation.pathPaymentStrictSend({ ...along, sendAmount, destMin: '0.0000001' }),
  );
const received = fc
  .record({ along: path, destAmount: decimal })
  .map(({ along, destAmount }) =>
    Operation.pathPaymentStrictReceive({ ...along, destAmount, sendMax: '1000' }),
  );
const rare = fc.oneof(
  fc
    .record({ destination: person.map((to) => addresses[to]!), startingBalance: decimal })
    .map((fields) => Operation.createAccount(fields)),
  person.map((to) => Operation.accountMerge({ destination: addresses[to]! })),
  fc.boolean().map((isGone) => Operation.changeTrust({ asset: credits, ...(isGone && { limit: '0' }) })),
  fc.constant(Operation.manageData({ name: 'note', value: 'x' })),
);
const operation = fc.oneof(
  { arbitrary: payment, weight: 4 },
  { arbitrary: sent, weight: 3 },
  { arbitrary: received, weight: 3 },
  { arbitrary: rare, weight: 2 },
);
const step = fc.record({
  from: person,
  operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
  close: fc.boolean(),
});

type Step = { from: number; operations: xdr.Operation[]; close: boolean };

function begin(options: CoreOptions = {}): LedgerCore {
  const core = createCore(options);
  const wallet = createWallet(core);
  for (const address of addresses) wallet.fund(address, 20_000_000_000n);
  for (const from of people.slice(1, 3)) {
    wallet.transact({ from, operations: [Operation.changeTrust({ asset: credits })] });
    wallet.pay({ from: people[0]!, to: from.publicKey(), amount: 1_000_000_000n, asset: credits });
  }
  return core;
}

/** Submits what each step says; that some is refused is part of the game. */
function play(core: LedgerCore, steps: Step[]): void {
  const wallet = createWallet(core);
  for (const { from, operations, close } of steps) {
    core.submit(wallet.sign({ from: people[from]!, operations }));
    if (close) core.close();
  }
  core.close();
}

test('no coin is made or lost, whatever is sent', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const core = begin();
      play(core, steps);
      expect(coinsOf(core)).toBe(totalCoins);
      for (const { units, trust } of core.accounts.values()) {
        expect(units).toBeGreaterThanOrEqual(0n);
        for (const line of Object.values(trust)) expect(line.units).toBeGreaterThanOrEqual(0n);
      }
    }),
    { numRuns: 30 },
  );
});

test('the effects of all operations add up to what each account has', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const core = begin();
      play(core, steps);
      expect(effectsAndFees(core)).toEqual(
        new Map([...core.accounts.values()].map(({ id, units }) => [id, units])),
      );
    }),
    { numRuns: 15 },
  );
});

test('a ledger that is read from its journal is the same', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      const journal = join(folder, `${Math.random()}.jsonl`);
      const core = begin({ journal });
      play(core, steps);
      core.end();
      const again = createCore({ journal });
      expect(again.ledgers.map(({ hash }) => hash)).toEqual(core.ledgers.map(({ hash }) => hash));
      expect(again.accounts).toEqual(core.accounts);
      expect(resultsOf(again)).toEqual(resultsOf(core));
      again.end();
    }),
    { numRuns: 10 },
  );
});

test('a last line that was cut short is dropped, and the ledger goes on before it', () => {
  const journal = join(folder, 'torn.jsonl');
  const core = begin({ journal });
  const hash = core.last().hash;
  core.end();
  const { length } = readFileSync(journal);
  appendFileSync(journal, readFileSync(journal, 'utf8').slice(0, 90));
  const again = createCore({ journal });
  expect(again.last().hash).toBe(hash);
  expect(readFileSync(journal)).toHaveLength(length);
  createWallet(again).fund(addresses[0]!, 5n);
  again.end();
  expect(createCore({ journal }).accounts.get(addresses[0]!)!.units).toBe(20_000_000_005n - 200_000n);
});

test('the journal of one network is not taken for that of another', () => {
  const journal = join(folder, 'other.jsonl');
  createCore({ journal }).end();
  expect(() => createCore({ journal, passphrase: 'Another Network' })).toThrow('another network');
});
