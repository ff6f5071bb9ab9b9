import { expect, test } from 'vitest';
import { patternsOf, textIn } from './of-gateway.ts';

const texts = {
  owner: 'Inhaber',
  'manage keys': 'Schlüssel verwalten',
  'Your role may not {permission}': 'Ihre Rolle darf nicht: {permission}',
  '{field} is invalid: {why}': '{field} ist ungültig: {why}',
  'must be one of {value}': 'muss eines von {value} sein',
};

test.each([
  ['owner', 'Inhaber'],
  ['Your role may not manage keys', 'Ihre Rolle darf nicht: Schlüssel verwalten'],
  ['mode is invalid: must be one of test, live', 'mode ist ungültig: muss eines von test, live sein'],
  ['A text that nobody has translated', 'A text that nobody has translated'],
])('the gateway’s "%s" becomes "%s"', (english, german) => {
  expect(textIn(texts, patternsOf(texts), english)).toBe(german);
});
