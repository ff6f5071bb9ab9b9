import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sdkTypes } from '../../scripts/sdk-types.ts';

const source = join(import.meta.dirname, '../src');
const generated = await sdkTypes();
const namesIn = (text: string): string[] =>
  text.match(/(?<=')(?:GET|PUT|POST|PATCH|DELETE) \/[^']*(?=')/g) ?? [];

describe('the gateway’s OpenAPI document and the SDK', () => {
  // Every request, every answer, every field and every enum is in these files: they agree, or the text differs.
  test.each(generated)('agree on $path', ({ current, expected }) => {
    expect(current).toBe(expected);
  });

  test('have the same calls', () => {
    const described = namesIn(generated.find(({ path }) => path.endsWith('api-calls.ts'))!.expected);
    const files = globSync('*.ts', { cwd: source, exclude: ['api-*.ts', '*.test.ts'] });
    const made = files.flatMap((file) => namesIn(readFileSync(join(source, file), 'utf8')));
    expect(described.length).toBeGreaterThan(20);
    expect([...new Set(made)].toSorted()).toEqual(described.toSorted());
  });
});
