import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedIntegration } from '../../../test/support/fixtures.ts';
import { after } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import type { IntegrationId } from '../integration.ts';
import { pageDomainOf, setPageDomain, setPageDomainVerified } from './page-domain.ts';
import { recheckPageDomains } from './recheck-page-domains.ts';

const { db } = await testDatabase();
const start = new Date('2026-11-20T12:00:00Z');
const inHours = (hours: number) => after(start, hours * 3600);

let id: IntegrationId;
let why: string | null;
let asked: string[];

beforeEach(async () => {
  await db.query('UPDATE integrations SET page_domain_verified_at = NULL');
  const { integrationId } = await seedIntegration(db);
  id = integrationId;
  why = null;
  asked = [];
  await transaction(db, async (tx) => {
    await setPageDomain(tx, id, 'pay.shop.example');
    const found = await pageDomainOf(tx, id);
    if (!found) throw new Error('No domain');
    expect(await setPageDomainVerified(tx, id, found, start)).toBe('verified');
  });
});

const domain = async () => await pageDomainOf(db, id);
const look = (hours: number) =>
  recheckPageDomains(
    db,
    async (name, proof) => {
      asked.push(`${name} ${proof}`);
      return why;
    },
    inHours(hours),
  );

test('a proved domain is looked at every six hours, with the proof that was given', async () => {
  expect(await look(5)).toBe(false);
  expect(asked).toEqual([]);
  expect(await look(6)).toBe(false);
  expect(await look(7)).toBe(false);
  expect(asked).toEqual([`pay.shop.example ${(await domain())?.proof}`]);
});

test('one without its records is lost after three days, and found again before that it goes on', async () => {
  why = 'pay.shop.example leads nowhere yet';
  expect(await look(6)).toBe(false);
  expect(await domain()).toMatchObject({ verifiedAt: start, lostAt: inHours(6) });
  why = null;
  await look(12);
  expect(await domain()).toMatchObject({ verifiedAt: start, lostAt: null });
  why = 'pay.shop.example leads nowhere yet';
  for (let hours = 18; hours < 90; hours += 6) expect(await look(hours)).toBe(false);
  expect(await domain()).toMatchObject({ verifiedAt: start, lostAt: inHours(18) });
  expect(await look(90)).toBe(true);
  expect(await domain()).toMatchObject({ domain: 'pay.shop.example', verifiedAt: null, lostAt: null });
  const { rows } = await db.query(
    'SELECT action, actor_kind, before FROM audit_log WHERE integration_id = $1',
    [id],
  );
  expect(rows).toEqual([
    {
      action: 'stopped using the domain of the payment page',
      actor_kind: 'gateway',
      before: { page_domain: 'pay.shop.example' },
    },
  ]);
  asked = [];
  await look(200);
  expect(asked).toEqual([]);
});

test('one that was changed while it was looked at is left as it is', async () => {
  await recheckPageDomains(
    db,
    async () => {
      await transaction(db, (tx) => setPageDomain(tx, id, 'pay.other.example'));
      return 'pay.shop.example leads nowhere yet';
    },
    inHours(6),
  );
  expect(await domain()).toMatchObject({ domain: 'pay.other.example', verifiedAt: null, lostAt: null });
});
