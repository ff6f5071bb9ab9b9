import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { readApi } from '../../../../scripts/openapi.ts';

const document = { ...(await readApi()).document, servers: [{ url: 'https://florin.example.org' }] };

test('the recommended rules of Redocly find nothing in the document', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(
    found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([]);
});

test('the recommended rules of Spectral find nothing in the document', async () => {
  const spectral = new spectralCore.Spectral();
  // The package's own types do not fit each other.
  const oas = spectralRulesets.oas as object as RulesetDefinition;
  spectral.setRuleset({ extends: [[oas, 'recommended']], rules: {} });
  const found = await spectral.run(document);
  expect(found.map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`)).toEqual([]);
});
