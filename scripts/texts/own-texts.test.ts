import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dashboardTexts, textsOf } from './dashboard-texts.ts';
import { chosen, scriptsOf } from './own-texts.ts';

const dashboard = join(import.meta.dirname, '../../web/dashboard/src');
const scripts = scriptsOf(join(dashboard, 'sign-in', 'main.ts'));

test('the scripts of the sign-in page are its own and all that they import, none of which uses React', () => {
  for (const name of ['sign-in/code-step.ts', 'api/client.ts', 'texts/t.ts']) {
    expect(scripts).toContain(join(dashboard, name));
  }
  expect(scripts.filter((name) => name.endsWith('.tsx'))).toEqual([]);
});

test('its texts are a few of those of the dashboard, with those of the files that it shares', () => {
  const own = Object.keys(textsOf(scripts).texts);
  expect(own).toContain('Sign in with a passkey');
  expect(own).toContain(
    'The gateway cannot be reached. If you changed something, check whether the change was made.',
  );
  expect(own.length).toBeLessThan(60);
  const all = dashboardTexts().texts;
  expect(own.filter((text) => all[text] === undefined)).toEqual([]);
});

test('of the texts of a language it has only these', () => {
  const texts = {
    'Sign in': 'Anmelden',
    Payments: 'Zahlungen',
    'in {count} days': { other: 'in {count} Tagen' },
  };
  expect(chosen(texts, new Set(['Sign in', 'Or']))).toEqual({ 'Sign in': 'Anmelden' });
});
