import { expect, test } from 'vitest';
import { createAssets } from '../../money/assets.ts';
import { contextOf, type Site } from '../context.ts';
import { transactionPart } from './withdrawals.ts';

const site: Site = {
  ...{ path: '/wallet', url: 'https://pay.example/wallet', assets: createAssets(), signUp: 'open' },
  files: {} as Site['files'],
};
const context = contextOf(site, {
  ...{ locale: 'en', isChosen: false, mode: 'live', session: null, now: new Date(), next: null },
  ...{ here: new URLSearchParams(), page: '', hasName: true },
});
const explorer = (rail: string, id: string) =>
  rail === 'evm:1' ? `https://explorer.example/tx/${id}` : null;
const shown = (rail: string, transaction: string | null) =>
  transactionPart(context, { rail, transaction }, explorer)?.markup ?? '';

test('a transaction is shown in full, to be copied, with the page of its block explorer where there is one', () => {
  expect(shown('evm:1', '0xbeef')).toContain(
    '<a href="https://explorer.example/tx/0xbeef" rel="noreferrer">',
  );
  expect(shown('evm:1', '0xbeef')).toContain('data-copy="0xbeef"');
  expect(shown('pi', 'feed')).toContain('feed');
  expect(shown('pi', 'feed')).not.toContain('<a ');
  expect(shown('pi', null)).toBe('');
});
