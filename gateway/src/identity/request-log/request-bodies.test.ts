import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bodies, packBodies, unpackBodies } from './request-bodies.ts';

const at = new Date('2026-01-01T00:00:00Z');
const none: Bodies = { request_body: null, request_cut: false, response_body: null, response_cut: false };

/** The bodies of calls as they are read again, or null where nothing was stored. */
function stored(calls: readonly Bodies[]): (Bodies | null)[] {
  const { packs, places } = packBodies(calls.map((call) => ({ ...call, at })));
  const contents = new Map(packs.map(({ id, content }) => [id, content]));
  return places.map(({ bodies_id: id, bodies_place: place }) =>
    id === null || place === null ? null : unpackBodies(contents.get(id)!, place),
  );
}

test('any bodies come back as they were, each at its own place', () => {
  const text = fc.option(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }).map((each) => each.replaceAll('\0', '-')),
  );
  const call = fc.record({
    request_body: text,
    request_cut: fc.boolean(),
    response_body: text,
    response_cut: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 150 }), (calls) => {
      const isEmpty = ({ request_body: asked, response_body: answered }: Bodies) =>
        asked === null && answered === null;
      expect(stored(calls)).toEqual(calls.map((each) => (isEmpty(each) ? null : each)));
    }),
    { numRuns: 40 },
  );
});

test('calls that have much in common take a tenth of their length', () => {
  const calls = Array.from({ length: 64 }, (_, n) => ({
    ...none,
    response_body: JSON.stringify({
      message: 'Payment created',
      data: {
        payment_reference: `PAY_${n}`,
        note: `Sent to customer ${n} with the newest terms and conditions`,
      },
    }),
  }));
  const length = calls.reduce((sum, { response_body: body }) => sum + body.length, 0);
  const { packs } = packBodies(calls.map((call) => ({ ...call, at })));
  expect(packs).toHaveLength(1);
  expect(packs[0]!.content.length).toBeLessThan(length / 10);
});

test('long bodies are spread over several packs', () => {
  const call = { ...none, response_body: 'x'.repeat(8_192) };
  const { packs } = packBodies(Array.from({ length: 9 }, () => ({ ...call, at })));
  expect(packs).toHaveLength(3);
});

test('what was packed by the first version is read for ever', () => {
  const pack = Buffer.from(firstPack, 'base64');
  expect(unpackBodies(pack, 1)).toEqual({
    request_body: '{"outcome":"success"}',
    request_cut: false,
    response_body: '{"message":"Payment simulated","data":null}',
    response_cut: true,
  });
});

test('a pack of a later version is refused', () => {
  expect(() => unpackBodies(Buffer.of(9, 0, 0), 0)).toThrow('unknown way (9)');
});

const firstPack = 'ATNEitxaBgYjrHUH1pDDLHnByYcBAA==';
