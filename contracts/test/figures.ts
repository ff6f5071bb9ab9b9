import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

/**
 * Compares the table of gas in a page of docs/ with what was measured: the same rows in the same order, each within two
 * in a hundred. Returns the page's text.
 */
export async function expectFigures(page: string, measured: ReadonlyMap<string, bigint>): Promise<string> {
  const document = await readFile(join(import.meta.dirname, '../../docs', page), 'utf8');
  const told = new Map(
    [...document.matchAll(/^\| (.+?) +\| +([\d,]+) \|/gm)].map(([, what, gas]) => [
      what!,
      BigInt(gas!.replaceAll(',', '')),
    ]),
  );
  const shown = [...measured].map(([what, gas]) => `${what}: ${gas}`).join('\n');
  expect([...told.keys()], shown).toEqual([...measured.keys()]);
  for (const [what, gas] of measured) {
    const off = gas > told.get(what)! ? gas - told.get(what)! : told.get(what)! - gas;
    expect(off * 50n <= gas, shown).toBe(true);
  }
  return document;
}
