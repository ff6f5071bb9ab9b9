import { brotliCompressSync, constants } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorTable } from '../../../../../scripts/error-table.ts';
import { readApi } from '../../../../../scripts/openapi.ts';
import { openFinder } from '../../../../../web/docs/find.ts';
import { inlined } from '../../document/inline.ts';
import { foundPages } from '../found-pages.ts';
import { docGroups } from '../pages.ts';
import { referencePages } from '../reference-pages.ts';
import { questions } from './questions.ts';
import { searchIndex } from './search-index.ts';

const documents = docGroups().flatMap(({ pages }) => pages);
let index: string;
let find: ReturnType<typeof openFinder>;

beforeAll(async () => {
  const api = await readApi();
  const reference = referencePages({ ...api, document: inlined(api.document) }, errorTable);
  index = searchIndex(await foundPages(documents, reference));
  find = openFinder(JSON.parse(index));
});

const firstOf = (question: string): string => find(question).hits[0]?.address ?? '';

describe('the first hit is right', () => {
  test.each(questions)('for "%s": %s', (question, address) => {
    const first = firstOf(question);
    expect(address.includes('#') ? first : first.split('#')[0]).toBe(address);
  });

  test('for the title of each page', () => {
    const wrong = documents.filter(({ title, address }) => firstOf(title) !== address);
    expect(wrong.map(({ title }) => `${title}: ${firstOf(title)}`)).toEqual([]);
  });
});

test.each([
  ['idempotancy', 'idempotency'],
  ['webhoook signature', 'webhook signature'],
  ['refnud a paymnet', 'refund a payment'],
  ['undrepayment', 'underpayment'],
  ['walet pasword', 'wallet password'],
])('a misspelt question finds what the right one does: %s', (misspelt, right) => {
  const { hits, better } = find(misspelt);
  expect(better).toBe(right);
  expect(hits[0]).toEqual(find(right).hits[0]);
});

test('a question without mistakes has no better one, whatever its words are', () => {
  const corrected = questions.filter(([question]) => find(question).better !== null);
  expect(corrected).toEqual([]);
});

test.each([
  ['createPayment', '/reference/payments#createPayment'],
  ['amount_not_positive', '/reference/errors#amount_not_positive'],
  ['DATABASE_URL', '/docs/operations#the-database'],
])('a name out of code is found: %s', (name, address) => {
  const first = find(name).hits.slice(0, 2);
  expect(first.map((hit) => hit.address)).toContain(address);
});

test('a word that is being typed finds what it is the beginning of', () => {
  expect(firstOf('paused endp')).toBe('/docs/webhooks#paused-and-disabled-endpoints');
});

test('a question may lack words that pages have, and have some that none has', () => {
  expect(firstOf('zyzzyva backup')).toMatch(/^\/docs\/backups/);
  expect(find('zyzzyva').hits).toEqual([]);
  expect(find('  ').hits).toEqual([]);
  expect(find('how do I').hits.length).toBeGreaterThanOrEqual(0);
});

test('no page takes more than three places of ten', () => {
  const { hits } = find('webhook');
  const pages = Map.groupBy(hits, ({ address }) => address.split('#')[0]);
  expect(hits.length).toBe(10);
  expect([...pages.values()].filter((own) => own.length > 3)).toEqual([]);
});

test('the index is loaded once and weighs at most 1.6 KB a page on the wire', () => {
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const bytes = brotliCompressSync(index, { params: quality }).length;
  expect(bytes / documents.length).toBeLessThan(1_600);
});

test('every page says in a sentence of one line what it is for', () => {
  const wrong = documents.filter(
    ({ purpose, title }) => !/^[\p{L}\p{N}].{15,160}\.$/u.test(purpose) || purpose === title,
  );
  expect(wrong.map(({ file, purpose }) => `${file}: ${purpose}`)).toEqual([]);
});
