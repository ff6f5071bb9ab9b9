import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { isDoor } from '../src/api/sign-in-address.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const sheets = `${read('paper.css')}${read('frame.css')}`;

test('the shell is about a kilobyte', () => {
  const bytes = [sheets, read('shell.js')].map((text) => text.replace(/\n\s*/g, '').length);
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(1_500);
});

test('its colours are the tokens’', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../tokens.css'), 'utf8');
  const [light = '', dark = ''] = tokens.split('@media (prefers-color-scheme: dark)');
  const valueIn = (text: string, name: string) => new RegExp(`--${name}: (#\\w+);`).exec(text)?.[1];
  const pairs = [...sheets.matchAll(/light-dark\((#\w+), (#\w+)\)/g)].map(([, ...pair]) => pair.join(' '));
  const known = ['paper', 'line', 'surface'].map((name) => `${valueIn(light, name)} ${valueIn(dark, name)}`);
  expect([...new Set(pairs)].sort()).toEqual(known.sort());
  expect(sheets).toContain(`${valueIn(light, 'on-test')} 0 10px, ${valueIn(light, 'test')} 10px 20px`);
});

/** What the script does to the page at this address, with this choice of colours. */
function shellAt(pathname: string, theme?: string): { shell?: string; colorScheme: string } {
  const documentElement = { dataset: {} as { shell?: string }, style: { colorScheme: 'as it was' } };
  const localStorage = { 'florin.theme': theme };
  runInNewContext(read('shell.js'), { document: { documentElement }, location: { pathname }, localStorage });
  return { ...documentElement.dataset, ...documentElement.style };
}

test('it has the colours that the person chose', () => {
  expect(shellAt('/app/', 'dark').colorScheme).toBe('dark');
  expect(shellAt('/app/', 'light').colorScheme).toBe('light');
  for (const theme of ['system', 'blue', undefined]) expect(shellAt('/app/', theme).colorScheme).toBe('');
});

test('it has the band of test mode on the pages of test mode, and no rail before the sign-in', () => {
  expect(shellAt('/app/i/1/test/payments').shell).toBe('test');
  for (const path of ['/i/1/live/payments', '/account', '/i/1/tests', '/']) {
    expect(shellAt(`/app${path}`).shell).toBeUndefined();
  }
  for (const path of ['/sign-up', '/verify-email', '/reset-password', '/invitation/abc', '/second-factor']) {
    expect([isDoor(path), shellAt(`/app${path}`).shell]).toEqual([true, 'door']);
  }
  for (const path of ['/account', '/sign-upper']) expect(isDoor(path)).toBe(false);
});

test('where storage is forbidden it has the colours of the system', () => {
  const documentElement = { dataset: {}, style: { colorScheme: '' } };
  const context = {
    document: { documentElement },
    location: { pathname: '/app/' },
    get localStorage(): never {
      throw new Error('forbidden');
    },
  };
  runInNewContext(read('shell.js'), context);
  expect(documentElement.style.colorScheme).toBe('');
});
