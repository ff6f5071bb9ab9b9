import { expect, test } from 'vitest';
import { keptLines, plainHeaders, shownLines } from './request-headers.ts';

const facts = {
  eventId: '019aa1d2-9b1c-7d22-8f0a-2d6c1b7e4a90',
  sequence: 3,
  at: new Date(1_795_197_600_999),
};

function sent(change: Record<string, string> = {}): Record<string, string> {
  const { 'X-Event-Id': id, ...rest } = plainHeaders(facts);
  return {
    'X-Token': '(hidden)',
    'Content-Type': rest['Content-Type']!,
    'User-Agent': rest['User-Agent']!,
    'X-Signature': 'c2ln',
    'X-Event-Id': id!,
    'X-Sequence': rest['X-Sequence']!,
    'webhook-id': rest['webhook-id']!,
    'webhook-timestamp': rest['webhook-timestamp']!,
    'webhook-signature': 'v1,c2ln v1,b2xk',
    ...change,
  };
}

const linesOf = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

test('only what does not follow from the delivery is kept', () => {
  expect(keptLines(sent(), facts)).toBe(
    'X-Token: (hidden)\nX-Signature: c2ln\nwebhook-signature: v1,c2ln v1,b2xk\n',
  );
});

test('what is shown is what was sent, in its order', () => {
  expect(shownLines(keptLines(sent(), facts), facts)).toBe(linesOf(sent()));
});

test('a header that was sent with another value is kept and shown as it was', () => {
  const stale = sent({ 'webhook-timestamp': '1795197000' });
  expect(keptLines(stale, facts)).toContain('webhook-timestamp: 1795197000\n');
  expect(shownLines(keptLines(stale, facts), facts)).toBe(linesOf(stale));
});

test('an attempt of which every line was kept is shown as it is', () => {
  expect(shownLines(linesOf(sent()), facts)).toBe(linesOf(sent()));
});
