// Writes the types of the merchant API into the SDKs, and the calls of those for Go, PHP and Python, from the gateway's OpenAPI
// document and the names of its schemas.
// `--check` writes nothing and fails when a file is stale.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDescription, NamedSchema } from '../gateway/src/api/document/document.ts';
import { inlined } from '../gateway/src/api/document/inline.ts';
import { type Parts, partsOf } from '../gateway/src/api/document/parts.ts';
import { readApi } from './openapi.ts';
import { type Names, print, printParts, shapeOf } from './openapi-print.ts';
import { goFiles } from './sdk/go.ts';
import { apiOf } from './sdk/model.ts';
import { phpFiles } from './sdk/php.ts';
import { pythonFiles } from './sdk/python.ts';
import { sampleFiles } from './sdk/samples.ts';

const root = join(import.meta.dirname, '..');
const notice =
  "// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.";
const callsFile = 'api-calls.ts';

/** The file of a type, by the group of the first call that has it. */
const fileOfTag: Readonly<Record<string, string>> = {
  Payments: 'api-payments.ts',
  'Payment links': 'api-payment-links.ts',
  Refunds: 'api-refunds.ts',
  Wallets: 'api-balances.ts',
  Balances: 'api-balances.ts',
  Payouts: 'api-payouts.ts',
  Keys: 'api-payouts.ts',
  Rates: 'api-rates.ts',
  Events: 'api-webhooks.ts',
  'Webhook endpoints': 'api-webhooks.ts',
  'Test mode': 'api-test-mode.ts',
};

/** The types by their files. Throws for a group of calls that has no file. */
function byFile(types: readonly NamedSchema[]): Map<string, NamedSchema[]> {
  // The SDK throws a refusal as its FlorinError.
  const ofSdk = types.filter(({ name }) => name !== 'Refusal');
  return Map.groupBy(ofSdk, ({ name, tag }) => {
    const file = fileOfTag[tag];
    if (!file) throw new Error(`${name} is of "${tag}", which has no file in scripts/sdk-types.ts`);
    return file;
  });
}

/** One file: its text now, and the text that the gateway's document gives. */
export type GeneratedTypes = { path: string; current: string; expected: string };

/** Every file that is written. */
export async function sdkTypes(): Promise<GeneratedTypes[]> {
  const description = await readApi();
  const typescript: Record<string, string> = {};
  for (const [file, text] of Object.entries(typesOf(description))) {
    const path = `sdk/typescript/src/${file}`;
    typescript[path] = format(path, text);
  }
  const api = apiOf(description);
  const files = {
    ...typescript,
    ...goFiles(api),
    ...phpFiles(api),
    ...pythonFiles(api),
    ...sampleFiles(api),
  };
  return Object.entries(files).map(([path, expected]) => {
    const current = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
    return { path, current, expected };
  });
}

/** The named types in their files, and one file of all calls. */
export function typesOf({
  document,
  types,
}: Pick<ApiDescription, 'document' | 'types'>): Record<string, string> {
  const calls = new Map<string, Parts & { summary: string }>();
  for (const [template, methods] of Object.entries(inlined(document).paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const parts = { ...partsOf(operation), summary: operation.summary };
      calls.set(`${method.toUpperCase()} ${template}`, parts);
    }
  }
  const all = byFile(types);
  const names: Names = new Map([...all.values()].flat().map(({ name, schema }) => [shapeOf(schema), name]));
  const texts = [...all].map(([file, named]): [string, string] => {
    const written = named.map(
      ({ name, doc, schema }) => `/** ${doc} */\nexport type ${name} = ${print(schema, names, true)};\n`,
    );
    return [file, withImports(file, written.join('\n'), all)];
  });
  const entries = [...calls].map(
    ([name, parts]) => `/** ${parts.summary}. */\n'${name}': { ${printParts(parts, names)} };`,
  );
  const doc = '/** Every call of the merchant API: what it takes, and the `data` of its answer. */';
  const text = `${doc}\nexport type Calls = {\n${entries.join('\n')}\n};\n`;
  return { ...Object.fromEntries(texts), [callsFile]: withImports(callsFile, text, all) };
}

/** Imports the types of other files that a file uses. */
function withImports(file: string, text: string, all: Map<string, NamedSchema[]>): string {
  const words = new Set(text.replaceAll(/\/\*\*.*?\*\//gs, '').match(/\b[A-Z]\w+\b/g));
  const lines = [...all].map(([other, types]) => {
    const used = types.filter(({ name }) => other !== file && words.has(name)).map(({ name }) => name);
    return used.length === 0 ? '' : `import type { ${used.sort().join(', ')} } from './${other}';\n`;
  });
  const page = words.has('Page') ? "import type { Page } from './pages.ts';\n" : '';
  return `${notice}\n${lines.join('')}${page}\n${text}`;
}

function format(path: string, text: string): string {
  const biome = join(root, 'node_modules/.bin/biome');
  const options = { cwd: root, input: text, encoding: 'utf8' } as const;
  return execFileSync(biome, ['check', '--write', `--stdin-file-path=${path}`], options);
}

async function main(args: string[]): Promise<void> {
  const stale = (await sdkTypes()).filter(({ current, expected }) => current !== expected);
  if (!args.includes('--check')) {
    for (const { path, expected } of stale) writeFileSync(join(root, path), expected);
    return;
  }
  for (const { path } of stale) console.error(`${path} is stale: run node scripts/sdk-types.ts`);
  process.exitCode = stale.length === 0 ? 0 : 1;
}

if (import.meta.main) await main(process.argv.slice(2));
