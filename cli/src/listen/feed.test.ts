import type { StoredEvent } from '@florin/sdk';
import { expect, test } from 'vitest';
import { createFeed, type ListEvents } from './feed.ts';
import { openState } from './state.ts';

/**
 * A gateway's list of events: numbered when they are written, visible after they are committed, newest number first.
 * Time does not pass until the test moves it.
 */
function world() {
  const events: { number: number; isCommitted: boolean; event: StoredEvent }[] = [];
  let seconds = 0;
  let calls = 0;
  const list: ListEvents = async ({ cursor, limit = 20 }) => {
    calls += 1;
    const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(cursor, 10);
    const below = events.filter(({ number, isCommitted }) => isCommitted && number < before).reverse();
    const items = below.slice(0, limit);
    const next_cursor = below.length > limit ? `${items.at(-1)!.number}` : null;
    return { items: items.map(({ event }) => event), next_cursor };
  };
  return {
    list,
    uptimeMs: () => seconds * 1000,
    pass(more: number) {
      seconds += more;
    },
    /** Writes an event, which is not visible before its commit. */
    write(name: string, { isCommitted = true } = {}) {
      const entry = {
        number: events.length + 1,
        isCommitted,
        event: {
          event_id: name,
          event_type: 'payment_completed' as const,
          payment_reference: name,
          payout_reference: '',
          sequence: 1,
          created_at: new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString(),
          body: '{}',
        },
      };
      events.push(entry);
      return {
        commit() {
          entry.isCommitted = true;
        },
      };
    },
    /** How many pages were read since the last call. */
    pagesRead() {
      const read = calls;
      calls = 0;
      return read;
    },
  };
}

function listen(at: ReturnType<typeof world>, state = openState(':memory:')) {
  const feed = createFeed({ list: at.list, state, uptimeMs: at.uptimeMs });
  return {
    state,
    /** Shows what is new until the listener stops; returns the names. */
    async look(most = Number.POSITIVE_INFINITY): Promise<string[]> {
      const shown = (await feed.fresh()).slice(0, most);
      for (const event of shown) feed.shown(event);
      return shown.map(({ event_id }) => event_id);
    },
  };
}

const named = (count: number, prefix = 'e') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('begins with what happens after the first read', async () => {
  const at = world();
  for (const name of named(150)) at.write(name);
  const { look } = listen(at);
  expect(await look()).toEqual([]);
  at.write('new');
  expect(await look()).toEqual(['new']);
  expect(await look()).toEqual([]);
});

test('shows a backlog of many pages in order, and continues in the middle of it', async () => {
  const at = world();
  const first = listen(at);
  await first.look();
  const names = named(730);
  for (const name of names) {
    at.write(name);
    at.pass(1);
  }
  expect(await first.look(400)).toEqual(names.slice(0, 400));
  expect(await listen(at, first.state).look()).toEqual(names.slice(400));
});

test('finds events that commit late among older ones, and after a minute also those that commit very late', async () => {
  const at = world();
  const { look } = listen(at);
  await look();
  const [late, veryLate] = [
    at.write('late', { isCommitted: false }),
    at.write('very late', { isCommitted: false }),
  ];
  const names = named(350);
  for (const name of names) at.write(name);
  expect(await look()).toEqual(names);
  at.pass(9);
  late.commit();
  expect(await look()).toEqual(['late']);
  at.pass(11);
  veryLate.commit();
  expect(await look()).toEqual([]);
  at.pass(40);
  expect(await look()).toEqual(['very late']);
});

test('reads only one page each time when all on it has been known for a while', async () => {
  const at = world();
  const { look } = listen(at);
  for (const name of named(500)) at.write(name);
  await look();
  at.pass(30);
  await look();
  at.pagesRead();
  expect(await look()).toEqual([]);
  expect(at.pagesRead()).toBe(1);
});

test('deletes old ids in batches, and shows nothing twice because of it', async () => {
  const at = world();
  const { look, state } = listen(at);
  await look();
  for (let minute = 0; minute < 30; minute++) {
    const names = named(20, `${minute}-`);
    for (const name of names) at.write(name);
    expect(await look()).toEqual(names);
    at.pass(60);
  }
  expect(state.since()! > '2026-01-01T00:25').toBe(true);
});
