import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { openShop, paymentById, report, type Shop } from '../../../test/support/payment-fixtures.ts';
import { createGuards } from '../../identity/keys/guards.ts';
import { claimsOf } from '../../payments/payment/claims.ts';
import type { Payment } from '../../payments/payment/payment.ts';
import { readTransaction } from '../../rails/evm/scan/look-up.ts';
import type { LookUp, LookUpTransaction } from '../../rails/look-up.ts';
import type { Destination, Rail } from '../../rails/rail.ts';
import { findForPage } from '../find-payment.ts';
import { claimTransaction } from './claim.ts';

const hash = `0x${'AB'.repeat(32)}`;
const place = { asset: 'usdc-bep20', memo: null, evm: { chainId: 56 } } as Destination;

const { db } = await testDatabase();
let shop: Shop;
let payment: Payment;
let asked: string[];
beforeEach(async () => {
  shop = await openShop(db, { approved: true }, { mode: 'live' });
  payment = await shop.create();
  asked = [];
});

type Chains = { rail: Rail; lookUp: LookUpTransaction };

/** EVM chains on which a look-up of any transaction has this result. */
const finding = (found: LookUp | null, places = [place]): Chains => ({
  rail: {
    open: async () => {},
    openFor: async () => false,
    offers: async () => [],
    reusable: async () => [],
    destinations: async () => places,
    readTransaction,
    readThrough: async () => new Map(),
    paymentOfAddress: async () => null,
  },
  lookUp: async (_, transaction) => {
    asked.push(transaction);
    return found;
  },
});

const guards = createGuards({ findKey: async () => null, now: () => shop.clock.now(), rateLimit: true });

const clients: string[] = [];

/** The address of a client, who has a name here. */
function addressOf(client: string): string {
  if (!clients.includes(client)) clients.push(client);
  return `198.51.100.${clients.indexOf(client) + 1}`;
}

async function claim({ rail, lookUp }: Chains, written = hash, client: string = payment.id) {
  const { reference, integrationId: app, token } = payment;
  const shown = await findForPage(
    db,
    { assets: shop.assets, rail, explorers: new Map(), usdOf: () => null, remote: null, now: shop.clock.now },
    { reference, app, token },
  );
  return await claimTransaction({ ...shop.deps, db, guards, rail, lookUp }, shown!, written, {
    ip: addressOf(client),
  });
}

const noted = async () => (await claimsOf(db, payment.id)).map(({ content }) => content);

describe('a claim on a live payment', () => {
  test.each([
    'found',
    'waiting',
    'unmatched',
    'failed',
    'other_coin',
    'elsewhere',
    'unasked',
    'unknown',
  ] as const)('returns the notice for a transaction that is %s', async (found) => {
    expect(await claim(finding(found))).toBe(`claim_${found}`);
    expect(asked).toEqual([hash.toLowerCase()]);
    expect(await noted()).toEqual([hash.toLowerCase()]);
  });

  test('on a transaction of another payment mentions the memo where addresses are shared', async () => {
    const shared = { ...place, memo: 'K7M2Q9XW4D' };
    expect(await claim(finding('elsewhere', [shared]))).toBe('claim_elsewhere_memo');
    expect(await claim(finding('failed', [shared]))).toBe('claim_failed');
  });

  test('is stored when no chain can be read', async () => {
    expect(await claim(finding(null, []), 'a transaction of a chain to come'.replaceAll(' ', '-'))).toBe(
      'claim_received',
    );
    expect(await noted()).toHaveLength(1);
  });

  test.each([
    '0x12345678',
    hash.slice(2),
    `${hash}00`,
    'https://bscscan.com/tx/0x1',
    'short',
    'with a space',
  ])('without a valid hash is refused and not stored: %s', async (written) => {
    expect(await claim(finding('found'), written)).toBe('not_claimable');
    expect([asked, await noted()]).toEqual([[], []]);
  });

  test('is limited in how often chains are read, for one payment and by one address', async () => {
    const chains = finding('unknown');
    for (let n = 0; n < 6; n++) await claim(chains, hash, `client ${n}`);
    await expect(claim(chains, hash, 'another client')).rejects.toThrow('Too many requests');
    expect(asked).toHaveLength(6);
    payment = await shop.create();
    await expect(claim(chains, hash, 'another client')).resolves.toBe('claim_unknown');
    for (let n = 0; n < 4; n++) {
      payment = await shop.create();
      await claim(chains, hash, 'another client');
    }
    payment = await shop.create();
    await expect(claim(chains, hash, 'another client')).rejects.toThrow('Too many requests');
    expect(await noted()).toEqual([hash.toLowerCase()]);
  });

  test('is not possible once the payment is completed', async () => {
    await report(shop, payment, { key: payment.id, units: 10_000_000n });
    expect((await paymentById(db, payment.id)).status).toBe('completed');
    await expect(claim(finding('found'))).rejects.toThrow('Not possible while the payment is completed');
    expect(asked).toEqual([]);
  });
});

test('a claim on a test payment reads no chain', async () => {
  shop = await openShop(db);
  payment = await shop.create();
  expect(await claim(finding('found'), 'whatever')).toBe('claim_received');
  expect(asked).toEqual([]);
});
