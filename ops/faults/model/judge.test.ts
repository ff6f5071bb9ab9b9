import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../parties/journal.ts';
import { judgeAll } from './judge.ts';
import { addEvent, arrivalOf, type Drawn, drawn, type MadeUp, makeUp } from './made-up.ts';
import { decimalOf, fineOf } from './units.ts';

const objections = (made: MadeUp): string[] =>
  judgeAll(made, made.reading).map(({ kind, said }) => `${kind}: ${said}`);

/** One order of 10 that is paid, one of 20 of which a half came, and a payout of 5. */
const usual: Drawn = {
  orders: [
    { cents: 1_000, parts: [40, 60] },
    { cents: 2_000, parts: [50] },
  ],
  payouts: [500],
};
const paid = 'R1-1-0';
const who = 'merchant-1 live';
const exchange: Exchange = {
  ...{ by: who, call: 'PUT /payment/create', idempotencyKey: 'a key', body: {}, beganMs: 0, endedMs: 1 },
  ...{ status: 200, message: 'Payment created', data: { PaymentData: { payment_reference: paid } } },
};

test('a history in which the contract is kept has no objection', () => {
  fc.assert(
    fc.property(drawn, (history) => {
      expect(objections(makeUp(history))).toEqual([]);
    }),
  );
});

test('each event that is left out, sent with other bytes or signed with another key is found', () => {
  const event = fc.nat(1_000);
  const change = fc.constantFrom('lost', 'other bytes', 'other signature', 'other number');
  fc.assert(
    fc.property(drawn, event, change, (history, nth, what) => {
      const made = makeUp(history);
      const at = nth % made.arrivals.length;
      const arrival = made.arrivals[at]!;
      if (what === 'lost') made.arrivals.splice(at, 1);
      if (what === 'other bytes') {
        const body = `${arrival.raw.toString('utf8')} `;
        const sequence = Number(arrival.headers['x-sequence']);
        made.arrivals.push(arrivalOf(body, { event_id: `${arrival.headers['x-event-id']}`, sequence }));
      }
      const headers =
        what === 'other signature'
          ? { 'x-signature': 'AAAA' }
          : what === 'other number'
            ? { 'x-sequence': '9' }
            : {};
      if (what.startsWith('other') && what !== 'other bytes')
        made.arrivals[at] = { ...arrival, headers: { ...arrival.headers, ...headers } };
      expect(objections(made)).not.toEqual([]);
    }),
  );
});

test('each unit that somebody has more or less is found', () => {
  fc.assert(
    fc.property(drawn, fc.constantFrom(1n, -1n, 10n ** 12n, -(10n ** 16n)), (history, units) => {
      const made = makeUp(history);
      const purse = made.reading.balances.get(who)!;
      const { available } = purse.get('usdc-bep20')!;
      purse.set('usdc-bep20', { available: available + units, held: 0n });
      expect(objections(made)).toEqual([expect.stringMatching(units > 0n ? /^doubled/ : /^lost/)]);
    }),
  );
});

describe('found is', () => {
  const cases: [string, (made: MadeUp) => void, RegExp][] = [
    [
      'a payment that stands elsewhere',
      ({ reading }) => {
        reading.payments.get(paid)!.payment_status = 'pending';
      },
      /^lost: R1-1-0 is pending, and not completed$/,
    ],
    [
      'a payment that is completed with a half of its money',
      ({ reading }) => {
        reading.payments.get('R1-1-1')!.payment_status = 'completed';
      },
      /^wrong: R1-1-1 is completed, and not pending$/,
    ],
    [
      'a payment that was created and is not there',
      ({ reading }) => void reading.payments.delete(paid),
      /^lost: R1-1-0 was created/,
    ],
    [
      'a fee that was rounded wrong',
      ({ reading }) => {
        reading.payments.get(paid)!.service_fee = '0.100001';
      },
      /^wrong: R1-1-0: service_fee is 0.100001 and not 0.1$/,
    ],
    [
      'money that a reorg took',
      ({ reading }) => void reading.came.shift(),
      /^wrong: R1-1-0 is completed, and not pending$/,
    ],
    [
      'a completion before the money was final',
      ({ reading }) => {
        for (const came of reading.came) came.block = 101;
      },
      /^wrong: R1-1-0 was told as completed at block 104, when 0 of 10 were final$/,
    ],
    [
      'a completion that is told twice',
      (made) =>
        addEvent(
          made,
          {
            ...{ event_type: 'payment_completed', payment_reference: paid, payment_status: 'completed' },
            ...{ amount: 10, currency: 'USDC', customer_reference: `order of ${paid}` },
          },
          3,
        ),
      /^doubled: R1-1-0 has 2 events payment_completed$/,
    ],
    [
      'an event that was never written',
      (made) => {
        const events = made.reading.events.get(who)!;
        const at = events.findIndex(({ event_type }) => event_type === 'payment_completed');
        const [{ event_id } = { event_id: '' }] = events.splice(at, 1);
        made.arrivals.splice(
          made.arrivals.findIndex(({ headers }) => headers['x-event-id'] === event_id),
          1,
        );
      },
      /^lost: R1-1-0 is completed and has no event payment_completed$/,
    ],
    [
      'a payout that left twice',
      ({ reading }) => void reading.came.push({ ...reading.came.at(-1)! }),
      /^doubled: payout R1-1-deed-0: 0x2+0 got 10 and not 5$/,
    ],
    [
      'a payout that never left',
      ({ reading }) => void reading.came.pop(),
      /^lost: payout R1-1-deed-0: 0x2+0 got 0 and not 5$/,
    ],
    [
      'a payout that is still queued',
      ({ reading }) => {
        [...reading.payouts.values()][0]!.status = 'queued';
      },
      /^lost: payout R1-1-deed-0 is still queued$/,
    ],
    [
      'a payout that was made twice',
      ({ reading }) => {
        const [payout] = reading.payouts.values();
        reading.payouts.set('another', { ...payout!, id: 'another' });
      },
      /^doubled: payout R1-1-deed-0 is there 2 times$/,
    ],
    [
      'money that leaves for an address that nobody named',
      ({ reading }) => void reading.came.push({ ...reading.came.at(-1)!, to: '0xbad' }),
      /^wrong: 5 usdc-bep20 left for 0xbad, which nobody ordered$/,
    ],
    [
      'a hold that is not given back',
      ({ reading }) => {
        const { available } = reading.balances.get(who)!.get('usdc-bep20')!;
        reading.balances
          .get(who)!
          .set('usdc-bep20', { available: available - fineOf('1'), held: fineOf('1') });
      },
      /^wrong: merchant-1 live USDC: 1 is still held$/,
    ],
    [
      'a funding that was booked to nobody',
      ({ journal }) =>
        void journal.fundings.push({
          ...{ merchant: 'merchant-1', mode: 'live', username: 'john_doe', asset: 'usdc-bep20', amount: '1' },
        }),
      /^doubled: merchant-1 live USDC is [\d.]+ and not [\d.]+: by 1$/,
    ],
    [
      'an answer that the same key got in two ways',
      ({ journal }) => void journal.exchanges.push(exchange, { ...exchange, data: { PaymentData: {} } }),
      /^doubled: .* was answered in two ways/,
    ],
    [
      'a key that was forgotten',
      ({ journal }) =>
        void journal.exchanges.push(
          { ...exchange, status: 0, data: null },
          { ...exchange, status: 409, message: 'payment_reference already exists', data: null },
        ),
      /^doubled: .* was forgotten: payment_reference already exists$/,
    ],
    [
      'something that is not there after it was answered',
      ({ journal }) =>
        void journal.exchanges.push(exchange, {
          ...{ ...exchange, call: `GET /payment/info/${paid}`, idempotencyKey: null, data: null },
          ...{ beganMs: 2, status: 404, message: 'Payment information not found' },
        }),
      /^lost: .* was told that it is made, then GET/,
    ],
    [
      'a status that goes back',
      ({ journal }) =>
        void journal.seen.push(
          { reference: paid, status: 'completed', beganMs: 0, endedMs: 1 },
          { reference: paid, status: 'pending', beganMs: 2, endedMs: 3 },
        ),
      /^wrong: R1-1-0 was read as completed, then pending$/,
    ],
    [
      'a fault of the gateway',
      ({ journal }) =>
        void journal.exchanges.push({ ...exchange, status: 500, data: null, idempotencyKey: 'b' }),
      /^wrong: merchant-1 live PUT \/payment\/create: 500/,
    ],
  ];

  test.each(cases)('%s', (_, change, said) => {
    const made = makeUp(usual);
    change(made);
    expect(objections(made)).toEqual(expect.arrayContaining([expect.stringMatching(said)]));
  });
});

test('an answer that was asked for again may have a newer secret of a webhook endpoint', () => {
  const made = makeUp(usual);
  const rolled = { ...exchange, call: 'POST /webhook-endpoints/1/roll-secret' };
  for (const secret of ['whsec_one', 'whsec_two'])
    made.journal.exchanges.push({ ...rolled, data: { id: '1', secret } });
  expect(objections(made)).toEqual([]);
});

test('two reads at once may say one thing and the other', () => {
  const made = makeUp(usual);
  made.journal.seen.push(
    { reference: paid, status: 'completed', beganMs: 0, endedMs: 3 },
    { reference: paid, status: 'pending', beganMs: 2, endedMs: 4 },
  );
  expect(objections(made)).toEqual([]);
});

test('amounts are exact to eighteen decimals', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (fine) => {
      expect(fineOf(decimalOf(fine))).toBe(fine);
    }),
  );
  expect([fineOf(0.1), fineOf(1e-7), fineOf('12.50')]).toEqual([10n ** 17n, 10n ** 11n, 125n * 10n ** 17n]);
  expect(() => fineOf('1e3')).toThrow('1e3 is no decimal');
});
