import { describe, expect, test } from 'vitest';
import {
  choiceParam,
  choicesParam,
  dayParam,
  given,
  parseSearch,
  stringifySearch,
  textParam,
} from './search.ts';

describe('an address', () => {
  test('keeps every value as the text it is', () => {
    expect(parseSearch('?q=00123&cursor=true&note=a%2Bb')).toEqual({
      q: '00123',
      cursor: 'true',
      note: 'a+b',
    });
  });

  test('leaves out what was not chosen, and lists with commas', () => {
    const search = { q: undefined, tab: '', status: ['failed', 'cancelled'], at: '2026-11-20T10:00' };
    expect(stringifySearch(search)).toBe('?status=failed,cancelled&at=2026-11-20T10:00');
    expect(stringifySearch({})).toBe('');
  });

  test('comes back as it was written', () => {
    const search = { q: 'a & b=c?#', list: 'x,y', at: '10:00' };
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });
});

describe('what a page reads', () => {
  test('is text without space around it, of limited length', () => {
    expect([textParam('  a '), textParam('   '), textParam(7), textParam('abcdef', 3)]).toEqual([
      'a',
      undefined,
      undefined,
      'abc',
    ]);
  });

  test('is one of the known words', () => {
    expect([choiceParam('b', ['a', 'b']), choiceParam('c', ['a', 'b'])]).toEqual(['b', undefined]);
    expect(choicesParam('c,a,x', ['a', 'b', 'c'])).toEqual(['a', 'c']);
    expect(choicesParam(['b'], ['a', 'b'])).toEqual(['b']);
    expect(choicesParam('x', ['a', 'b'])).toBeUndefined();
  });

  test('is a day that exists', () => {
    expect([dayParam('2026-11-20'), dayParam('2026-13-01'), dayParam('today')]).toEqual([
      '2026-11-20',
      undefined,
      undefined,
    ]);
  });

  test('has no names without a value', () => {
    expect(Object.keys(given({ a: undefined, b: 'x' }))).toEqual(['b']);
  });
});
