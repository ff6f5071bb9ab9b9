import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { kitErrors, Refusal, refuse } from '../errors.ts';
import { fieldReader, invalid, isJsonObject, nameField, queryReader } from './fields.ts';

const Order = Type.Object({
  name: Type.String({ maxLength: 5, format: 'text' }),
  count: Type.Integer({ minimum: 1, maximum: 9 }),
  email: Type.Optional(Type.String({ format: 'email' })),
  url: Type.Optional(Type.String({ format: 'uri' })),
  at: Type.Optional(Type.String({ format: 'date-time' })),
  payer: Type.Optional(Type.Enum(['merchant', 'customer'])),
  list: Type.Optional(Type.Object({ items: Type.Array(Type.Object({ price: Type.Number() })) })),
});
const read = fieldReader(Order);
const good = { name: 'coin', count: 2 };

function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('It was not refused');
}

const why = (input: unknown): string => refusalOf(() => read(input)).message;

test('good fields come back as they were sent', () => {
  const input = {
    ...good,
    email: 'jane@example.com',
    url: 'https://shop.example/done?order=5',
    at: '2026-03-01T12:00:00Z',
    payer: 'customer',
    list: { items: [{ price: 1.5 }] },
  };
  expect(read(input)).toEqual(input);
});

test('unknown fields are left out, and those of the prototype are unknown', () => {
  const input = JSON.parse('{"name":"coin","count":2,"later":1,"__proto__":{"payer":"customer"}}');
  expect(read(input)).toEqual(good);
  expect(read(Object.create({ email: 'a@b.c' }, Object.getOwnPropertyDescriptors(good)))).toEqual(good);
});

test('null and an empty text in an optional field mean absent', () => {
  expect(read({ ...good, email: null, url: '', list: null, payer: '' })).toEqual(good);
});

test('null and an empty text in a required field mean missing', () => {
  for (const name of [undefined, null, ''])
    expect(why({ ...good, name })).toBe('name is invalid: is required');
});

test.each([undefined, null, [], 'text', 5, true, [good]])(
  '%j is read as an object without fields',
  (input) => {
    expect(refusalOf(() => read(input)).details?.map(({ field }) => field)).toEqual(['name', 'count']);
  },
);

test.each([
  ['name', 'florin', 'must not have more than 5 characters'],
  ['name', 5, 'must be string'],
  ['name', 'a\0', 'must be valid Unicode without NUL'],
  ['name', '\ud800', 'must be valid Unicode without NUL'],
  ['count', '2', 'must be integer'],
  ['count', 1.5, 'must be integer'],
  ['count', 0, 'must be >= 1'],
  ['count', 10, 'must be <= 9'],
  ['email', 'jane', 'must be an e-mail address'],
  ['url', 'shop.example', 'must be an absolute http or https URL'],
  ['url', 'https://shop.example/thank you', 'must not contain a blank (in a path it is written %20)'],
  ['at', 'yesterday', 'must be an ISO 8601 time'],
  ['payer', 'nobody', 'must be one of merchant, customer'],
  ['list', 'text', 'must be object'],
])('%s: %j is refused because it %s', (field, value, fault) => {
  const refusal = refusalOf(() => read({ ...good, [field]: value }));
  expect(refusal.message).toBe(`${field} is invalid: ${fault}`);
  expect(refusal.row).toBe(kitErrors.field_invalid);
  expect(refusal.details).toBeUndefined();
});

test.each([' ', 'Corner\nshop', 'a\r\nBcc: x@y.z', 'a\u2028b', 'a\u202eb', 'a\u2066b', 'a\0b', 'a\u007fb'])(
  '%j is no name',
  (name) => {
    const readName = fieldReader(Type.Object({ name: nameField(20) }));
    expect(refusalOf(() => readName({ name })).message).toBe('name is invalid: must be one line of text');
    expect(readName({ name: 'Café – Ü 店' })).toEqual({ name: 'Café – Ü 店' });
  },
);

test('a fault inside a field names its place', () => {
  expect(why({ ...good, list: { items: [{ price: 1 }, { price: 'x' }] } })).toBe(
    'list.items.1.price is invalid: must be number',
  );
});

test('several faults are in the order of the schema, whatever the order of the input', () => {
  const refusal = refusalOf(() => read({ payer: 'nobody', count: 0, email: 'jane' }));
  expect(refusal.message).toBe('name is invalid: is required');
  expect(refusal.details).toEqual([
    { field: 'name', message: 'name is invalid: is required' },
    { field: 'count', message: 'count is invalid: must be >= 1' },
    { field: 'email', message: 'email is invalid: must be an e-mail address' },
    { field: 'payer', message: 'payer is invalid: must be one of merchant, customer' },
  ]);
});

test('a field with a judge of its own is judged by that alone, which gets the other fields too', () => {
  const judged = fieldReader(Order, {
    name: (value, { count }) => (value === 'free' || count === 1 ? null : refuse(kitErrors.not_found)),
  });
  expect(judged({ name: 'free', count: 2 })).toEqual({ name: 'free', count: 2 });
  expect(judged({ name: 'longer than five', count: 1 })).toMatchObject({ count: 1 });
  expect(refusalOf(() => judged({ name: 'coin', count: 2 })).row).toBe(kitErrors.not_found);
});

test('no JSON makes a reader fail with anything but a refusal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (name, count, list) => {
      try {
        read({ name, count, list, email: name, url: name, at: name });
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
  );
});

describe('an e-mail address', () => {
  test.each(['a@b', 'a.b+c@shop.example', 'jané@exämple.com', '"x"@y.z'])('may be %s', (email) => {
    expect(read({ ...good, email })).toEqual({ ...good, email });
  });
  test.each(['@b.c', 'a@', 'a@b@c', 'a b@c.d', 'a@b..c', 'a@.b', 'a@b.', 'a@b\n.c', 'a@b\0'])(
    'may not be %j',
    (email) => {
      expect(why({ ...good, email })).toMatch('email is invalid');
    },
  );
});

describe('a URL', () => {
  test.each(['http://a', 'HTTPS://shop.example', 'https://shop.example:8443/a?b=c#d', 'http://[::1]:4000/'])(
    'may be %s',
    (url) => {
      expect(read({ ...good, url })).toEqual({ ...good, url });
    },
  );
  test('is read as a URI, however it was written', () => {
    const url = 'https://xn--mnchen-3ya.example/%C3%BC';
    expect(read({ ...good, url: 'https://münchen.example/ü' })).toEqual({ ...good, url });
  });
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a',
    '//a',
    '/path',
    'https://',
    'https:a',
    'http:\\\\a',
    'https://a b',
    'https://a\n',
    ' https://a',
    'https://a:99999',
    'https://a\0',
  ])('may not be %j', (url) => {
    expect(why({ ...good, url })).toMatch('url is invalid');
  });
});

describe('a time', () => {
  test.each(['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.123+02:00', '2024-02-29T00:00:00Z'])(
    'may be %s',
    (at) => {
      expect(read({ ...good, at })).toEqual({ ...good, at });
    },
  );
  test('may be a date, whose first instant in UTC it is', () => {
    expect(read({ ...good, at: '2026-03-01' })).toEqual({ ...good, at: '2026-03-01T00:00:00Z' });
  });
  test('with an offset says how its + is written, where a query made a blank of it', () => {
    const fault = 'must be an ISO 8601 time: write the + before its offset as %2B';
    expect(why({ ...good, at: '2026-03-01T12:00:00 02:00' })).toBe(`at is invalid: ${fault}`);
    expect(why({ ...good, at: '2026-03-01 12:00:00' })).toBe('at is invalid: must be an ISO 8601 time');
  });
  // JavaScript reads each of these as a time; PostgreSQL refuses it or reads another time.
  test.each([
    '1',
    'coin 1',
    'March 7',
    '2026-02-30T00:00:00Z',
    '2026-02-30',
    '2026-13-01',
    '0000-01-01',
    '+010000-01-01',
    '2026-03-01T24:30:00Z',
    '2026-03-01T12:00:00',
    '2026-03-01T12:00:00+23:00',
    '2026-03-01T12:00:00Z[Europe/Paris]',
  ])('may not be %s', (at) => {
    expect(why({ ...good, at })).toBe('at is invalid: must be an ISO 8601 time');
  });
});

describe('JSON in a text', () => {
  test('is an object', () => {
    expect(isJsonObject('{"order": 5}')).toBe(true);
    expect(isJsonObject(' {} ')).toBe(true);
  });
  test.each(['', '[]', '5', '"text"', 'null', '{order: 5}', '{}{}', '{"a": "\0"}', '{"a": "\ud800"}'])(
    'is not %j',
    (text) => {
      expect(isJsonObject(text)).toBe(false);
    },
  );
  test('may be nested to any depth', () => {
    expect(isJsonObject(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).toBe(true);
  });
});

describe('a query string', () => {
  const readQuery = queryReader(
    Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      status: Type.Optional(Type.Enum(['open', 'closed'])),
    }),
  );

  test('has its numbers read from text', () => {
    expect(readQuery({ limit: '50', status: 'open' })).toEqual({ limit: 50, status: 'open' });
    expect(readQuery({ limit: '', status: '' })).toEqual({});
    expect(readQuery({})).toEqual({});
  });
  test.each(['0', '101', '-1', '1.5', '1e1', '0x5', ' 5', 'five', '9'.repeat(400)])(
    'has no limit of %s',
    (limit) => {
      expect(() => readQuery({ limit })).toThrow('limit is invalid');
    },
  );
  test('names a field once', () => {
    expect(() => readQuery({ status: ['open', 'closed'] })).toThrow('status is invalid');
    expect(() => readQuery({ limit: ['1', '2'] })).toThrow('limit is invalid');
  });
});

test('a refusal of a field has its name and the reason', () => {
  expect(invalid('success_url', 'must be an https URL in live mode').message).toBe(
    'success_url is invalid: must be an https URL in live mode',
  );
});
