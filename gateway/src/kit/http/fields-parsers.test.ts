import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../errors.ts';
import { endParser, fieldReader, invalid, queryReader, returnAddressParser } from './fields.ts';

function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('It was not refused');
}

describe('a field with a parser of its own', () => {
  const Sum = Type.Object({ left: Type.String(), right: Type.Optional(Type.String()) });
  const readSum = fieldReader(
    Sum,
    {},
    {
      left: (value, { right }) =>
        value === right ? invalid('left', 'must not be the right one') : BigInt(value as string),
      right: (value) => (value === undefined ? undefined : BigInt(value as string)),
    },
  );

  test('is read as what the parser made of it', () => {
    const sum: { left: bigint; right?: bigint } = readSum({ left: '1', right: '2' });
    expect(sum).toEqual({ left: 1n, right: 2n });
  });

  test('is absent when the parser returns undefined', () => {
    expect(readSum({ left: '1', right: '' })).toStrictEqual({ left: 1n });
  });

  test('is refused when the parser returns a refusal, in the order of the schema', () => {
    const readTwo = fieldReader(
      Sum,
      { right: () => invalid('right', 'is wrong') },
      {
        left: () => invalid('left', 'is wrong too'),
      },
    );
    expect(refusalOf(() => readSum({ left: '1', right: '1' })).message).toBe(
      'left is invalid: must not be the right one',
    );
    expect(refusalOf(() => readTwo({})).details).toEqual([
      { field: 'left', message: 'left is invalid: is wrong too' },
      { field: 'right', message: 'right is invalid: is wrong' },
    ]);
  });

  test('is read from a query by the same parser', () => {
    const readQuery = queryReader(
      Type.Object({ at: Type.String() }),
      {},
      { at: (value) => new Date(`${value}`) },
    );
    expect(readQuery({ at: '2026-03-01T00:00:00Z' }).at.getTime()).toBe(Date.UTC(2026, 2, 1));
  });
});

describe('the end of a period', () => {
  const readPeriod = queryReader(
    Type.Object({
      from: Type.Optional(Type.String({ format: 'date-time' })),
      to: Type.Optional(Type.String({ format: 'date-time' })),
    }),
    {},
    { to: endParser('to') },
  );

  test('includes the whole day, in UTC, where it is a date, to the last that there is', () => {
    for (const day of ['2026-03-01', '2024-02-29', '9999-12-31']) {
      const { from, to } = readPeriod({ from: day, to: day });
      expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000);
    }
  });

  test('is the time itself where it is one, and may be absent', () => {
    expect(readPeriod({ to: '2026-03-01T00:00:00+02:00' })).toEqual({ to: '2026-03-01T00:00:00+02:00' });
    expect(readPeriod({ from: '', to: '' })).toEqual({});
  });

  test('is refused as any other time', () => {
    expect(refusalOf(() => readPeriod({ to: '2026-02-30' })).message).toBe(
      'to is invalid: must be an ISO 8601 time',
    );
  });
});

describe('an address that customers are sent to', () => {
  const readBack = fieldReader(
    Type.Object({ back: Type.Optional(Type.String()) }),
    {},
    { back: returnAddressParser('back', 40) },
  );

  test.each([
    ['https://shop.example/a?b', 'https://shop.example/a?b'],
    ['https://münchen.example/ü', 'https://xn--mnchen-3ya.example/%C3%BC'],
  ])('is read as a URI: %s', (back, uri) => {
    expect(readBack({ back })).toEqual({ back: { uri, url: new URL(back) } });
  });

  test('may be absent', () => {
    expect(readBack({ back: '' })).toEqual({});
  });

  test.each([
    ['https://user@shop.example', 'must not carry credentials'],
    ['https://:pw@shop.example', 'must not carry credentials'],
    ['shop.example', 'must be an absolute http or https URL'],
    ['https://shop example', 'must not contain a blank (in a path it is written %20)'],
    [5, 'must be string'],
    [`https://shop.example/${'x'.repeat(40)}`, 'must not have more than 40 characters'],
  ])('is refused: %j', (back, why) => {
    expect(refusalOf(() => readBack({ back })).message).toBe(`back is invalid: ${why}`);
  });
});
