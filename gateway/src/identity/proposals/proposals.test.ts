import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { type TestClock, testClock } from '../../../test/support/fixtures.ts';
import { seedAccount, waitingMails } from '../../../test/support/identity-fixtures.ts';
import { afterCommit, transaction } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Actor } from '../audit/audit-log.ts';
import type { Act } from './acts.ts';
import { runDueProposals } from './due.ts';
import { createProposals, doOrPropose, type Proposals } from './proposals.ts';
import { findProposal, type Proposal } from './read.ts';

let clock: TestClock;
let proposals: Proposals;
let committed: number;
let asker: Actor;

/** Sets the only announcement, whose text is what the act changes. */
const act: Act = {
  kind: 'text',
  title: 'Change the text',
  concerns: 'its business',
  async perform(tx, { body, by }) {
    const { text } = body as { text: string };
    if (text === 'impossible') throw refuse(kitErrors.not_found);
    afterCommit(tx, () => {
      committed += 1;
    });
    const { rows } = await tx.query<{ text: string }>('SELECT text FROM announcements FOR UPDATE');
    await tx.query('UPDATE announcements SET text = $1', [text]);
    return {
      message: 'Changed',
      data: { by: by.accountId },
      change:
        rows[0]?.text === text
          ? null
          : {
              action: 'changed the text',
              subject: { kind: 'text', id: 'one' },
              before: { text: rows[0]?.text },
              after: { text },
            },
    };
  },
};

const { db } = await testDatabase();
beforeEach(async () => {
  clock = testClock();
  committed = 0;
  proposals = createProposals({ db, baseUrl: 'http://florin.test', isLocal: true, now: clock.now });
  proposals.register(act);
  for (const table of ['proposals', 'announcements', 'emails']) await db.query(`DELETE FROM ${table}`);
  await db.query('UPDATE accounts SET is_operator = false');
  await db.query(
    `INSERT INTO announcements (id, text, tone, created_at) VALUES ($1, 'old', 'quiet', now())`,
    [newId()],
  );
  asker = await operator();
});

async function operator(isDemo = false): Promise<Actor> {
  const { id, email } = await seedAccount(db, { isOperator: true, isDemo });
  return { kind: 'account', id, name: email, asOperator: true, address: '192.0.2.7' };
}

const text = async () => (await db.query<{ text: string }>('SELECT text FROM announcements')).rows[0]!.text;
const asked = (wanted: string, params: Record<string, string> = { of: 'it' }) =>
  transaction(db, (tx) => doOrPropose(tx, proposals, act, { params, body: { text: wanted }, actor: asker }));

async function kept(wanted: string): Promise<Proposal> {
  const answer = await asked(wanted);
  if (!('kept' in answer)) throw new Error('It was done at once');
  return answer.kept;
}

const stateOf = async ({ id }: Proposal) => {
  const { state, why } = (await findProposal(db, id))!;
  return { state, why };
};
async function actions(): Promise<string[]> {
  const { rows } = await db.query<{ line: string }>(
    `SELECT actor_kind || ': ' || action AS line FROM audit_log WHERE at >= $1 AND (actor_id IS NULL OR actor_id = $2) ORDER BY id`,
    [new Date('2026-03-01T12:00:00Z'), asker.id],
  );
  return rows.map(({ line }) => line);
}

describe('an act of the only operator', () => {
  test('changes nothing at first, and is done once a day has passed, with its entry', async () => {
    const before = (await actions()).length;
    const proposal = await kept('new');
    expect(proposal).toMatchObject({
      before: { text: 'old' },
      after: { text: 'new' },
      due_at: new Date('2026-03-02T12:00:00Z'),
    });
    clock.advance(24 * 3600 - 1);
    await runDueProposals(proposals);
    expect([await text(), committed]).toEqual(['old', 0]);
    clock.advance(1);
    await runDueProposals(proposals);
    expect([await text(), committed, await stateOf(proposal)]).toEqual([
      'new',
      1,
      { state: 'done', why: null },
    ]);
    expect((await actions()).slice(before)).toEqual([
      'account: asked for an act',
      'gateway: changed the text',
    ]);
    const mails = await waitingMails(db, asker.name);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'To be done in 24 hours: Change the text',
      'Change the text: done after its day had passed',
    ]);
    expect(mails[0]!.source).toContain('After: text new');
  });

  test('is done once, however many processes are at it', async () => {
    await kept('new');
    clock.advance(24 * 3600);
    await Promise.all([1, 2, 3, 4].map(() => runDueProposals(proposals)));
    await runDueProposals(proposals);
    expect(committed).toBe(1);
  });

  test('that is no longer possible ends with the reason, and one that would change something else too', async () => {
    const proposal = await kept('new');
    await db.query(`UPDATE announcements SET text = 'between'`);
    clock.advance(24 * 3600);
    await runDueProposals(proposals);
    expect(await text()).toBe('between');
    expect(await stateOf(proposal)).toEqual({
      state: 'failed',
      why: 'What this would change is no longer as it was shown: ask again',
    });
  });

  test('is not done by whoever lost the rights since', async () => {
    const proposal = await kept('new');
    await db.query('UPDATE accounts SET is_operator = false');
    clock.advance(24 * 3600);
    await runDueProposals(proposals);
    expect([await text(), (await stateOf(proposal)).state]).toEqual(['old', 'failed']);
  });

  test('waits for a second operator who came meanwhile', async () => {
    const proposal = await kept('new');
    const second = await operator();
    clock.advance(24 * 3600);
    await runDueProposals(proposals);
    expect([await text(), (await findProposal(db, proposal.id))!.due_at]).toEqual(['old', null]);
    expect((await waitingMails(db, second.name)).map(({ subject }) => subject)).toEqual([
      'To confirm: Change the text',
    ]);
  });

  test('that is refused is refused at once, and what changes nothing is not kept', async () => {
    await expect(asked('impossible')).rejects.toThrow('Not found');
    expect(await asked('old')).toMatchObject({ done: { message: 'Changed', change: null } });
    expect((await db.query('SELECT FROM proposals')).rowCount).toBe(0);
  });
});

describe('with a second operator an act', () => {
  let second: Actor;
  beforeEach(async () => {
    second = await operator();
  });

  test('waits for the other one, who gets a mail, and is given up after seven days', async () => {
    const proposal = await kept('new');
    expect(proposal.due_at).toBeNull();
    expect((await waitingMails(db, second.name)).map(({ subject }) => subject)).toEqual([
      'To confirm: Change the text',
    ]);
    expect(await waitingMails(db, asker.name)).toEqual([]);
    clock.advance(7 * 24 * 3600);
    await runDueProposals(proposals);
    expect([await text(), (await stateOf(proposal)).state]).toEqual(['old', 'expired']);
  });

  test('is kept once for one thing', async () => {
    await kept('new');
    await expect(asked('newer')).rejects.toThrow('asked for already');
    await asked('newer', { of: 'another' });
    await asked('newest', {});
    await asked('newest', {});
    expect((await db.query('SELECT FROM proposals')).rowCount).toBe(4);
  });
});

test('operators of the demo act at once on their own machine, and nowhere else, and not beside others', async () => {
  await db.query('UPDATE accounts SET is_operator = false');
  asker = await operator(true);
  expect(await asked('new')).toMatchObject({ done: { data: { by: asker.id } } });
  expect([await text(), committed]).toEqual(['new', 1]);
  proposals = { ...proposals, isLocal: false };
  expect(await asked('newer', {})).toHaveProperty('kept');
  proposals = { ...proposals, isLocal: true };
  await operator();
  expect(await asked('newer', {})).toHaveProperty('kept');
});

test('an act that gives something up needs nobody', async () => {
  const own = { ...act, kind: 'own', isAtOnce: () => true };
  const answer = await transaction(db, (tx) =>
    doOrPropose(tx, proposals, own, { params: {}, body: { text: 'new' }, actor: asker }),
  );
  expect([answer, await text()]).toMatchObject([{ done: { message: 'Changed' } }, 'new']);
});
