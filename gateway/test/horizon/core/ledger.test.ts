import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Asset, Keypair, Operation, type xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createWallet } from '../wallet.ts';
import { unitsOf } from './amounts.ts';
import { type CoreOptions, createCore, type LedgerCore, totalCoins } from './core.ts';

const folder = mkdtempSync(join(tmpdir(), 'horizon-'));
afterAll(() => rmSync(folder, { recursive: true }));

const people = [1, 2, 3, 4].map((seed) => Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(seed)));
const addresses = people.map((key) => key.publicKey());
const credits = new Asset('CRED', addresses[0]!);

/** What the effects give and take, and the fees take, account by account. */
function effectsAndFees(core: LedgerCore): Map<string, bigint> {
  const held = new Map([[core.root.publicKey(), totalCoins]]);
  const add = (id: string, units: bigint) => void held.set(id, (held.get(id) ?? 0n) + units);
  for (const { envelope, feeCharged, operations } of core.ledgers.flatMap((each) => each.transactions)) {
    add(envelope.source.account, -feeCharged);
    for (const { party, type, fields } of operations.flatMap(({ effects }) => effects)) {
      if (type === 'account_removed') held.delete(party.account);
      if (type === 'account_created') add(party.account, unitsOf(`${fields.starting_balance}`));
      if (fields.asset_type !== 'native') continue;
      if (type === 'account_credited') add(party.account, unitsOf(`${fields.amount}`));
      if (type === 'account_debited') add(party.account, -unitsOf(`${fields.amount}`));
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
const amount = fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 30_000_000n), fc.bigInt(1n, 2_000_000_000n));
const decimal = amount.map((units) => `${units / 10_000_000n}.${`${units % 10_000_000n}`.padStart(7, '0')}`);
const asset = fc.boolean().map((isNative) => (isNative ? Asset.native() : credits));
const operation = fc.oneof(
  fc.record({ to: person, decimal, asset }).map(({ to, decimal: text, asset: what }) => {
    return Operation.payment({ destination: addresses[to]!, asset: what, amount: text });
  }),
  fc.record({ to: person, decimal }).map(({ to, decimal: text }) => {
    return Operation.createAccount({ destination: addresses[to]!, startingBalance: text });
  }),
  fc.record({ to: person, decimal, from: asset, into: asset }).map(({ to, decimal: text, from, into }) => {
    const path = { sendAsset: from, destAsset: into, destination: addresses[to]! };
    return Operation.pathPaymentStrictSend({ ...path, sendAmount: text, destMin: '0.0000001' });
  }),
  fc.record({ to: person, decimal, from: asset, into: asset }).map(({ to, decimal: text, from, into }) => {
    const path = { sendAsset: from, destAsset: into, destination: addresses[to]! };
    return Operation.pathPaymentStrictReceive({ ...path, destAmount: text, sendMax: '1000' });
  }),
  person.map((to) => Operation.accountMerge({ destination: addresses[to]! })),
  fc.boolean().map((isGone) => Operation.changeTrust({ asset: credits, ...(isGone && { limit: '0' }) })),
  fc.constant(Operation.manageData({ name: 'note', value: 'x' })),
);
const step = fc.record({
  from: person,
  operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
  close: fc.boolean(),
});

type Step = { from: number; operations: xdr.Operation[]; close: boolean };

function begin(options: CoreOptions = {}): LedgerCore {
  const core = createCore(options);
  const wallet = createWallet(core);
  for (const address of addresses) wallet.fund(address, 100_000_000n);
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
    { numRuns: 40 },
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
    { numRuns: 20 },
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
    { numRuns: 15 },
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
  expect(createCore({ journal }).accounts.get(addresses[0]!)!.units).toBe(100_000_005n);
});

test('the journal of one network is not taken for that of another', () => {
  const journal = join(folder, 'other.jsonl');
  createCore({ journal }).end();
  expect(() => createCore({ journal, passphrase: 'Another Network' })).toThrow('another network');
});
