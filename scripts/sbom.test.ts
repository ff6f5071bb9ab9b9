import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { makeSbom } from './sbom.ts';

const root = dirname(import.meta.dirname);
const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
const sbom = makeSbom(text);

/** The published schemas, as a library for such documents brings them. */
function schema(name: string): object {
  const home = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'));
  return JSON.parse(readFileSync(join(home, 'res/schema', `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
}

test('the document is valid by the published schema of CycloneDX 1.6', () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  // Formats of addresses in other alphabets, of which the document has none.
  for (const name of ['idn-email', 'iri-reference', 'iri'])
    ajv.addFormat(name, (value) => URL.canParse(value));
  for (const name of ['spdx', 'jsf-0.82']) {
    ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` });
  }
  const validate = ajv.compile(schema('bom-1.6'));
  expect(validate(sbom), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...sbom, specVersion: 1.6 })).toBe(false);
  const [first, ...rest] = sbom.components;
  expect(
    validate({ ...sbom, components: [{ ...first, licenses: [{ license: { id: 'Mine' } }] }, ...rest] }),
  ).toBe(false);
});

test('it has each locked package once, with its version, hash and licence', () => {
  const locked = Object.entries(
    (JSON.parse(text) as { packages: Record<string, { version: string; link?: boolean }> }).packages,
  );
  const foreign = locked.filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const expected = foreign.map(
    ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`,
  );
  const found = sbom.components.flatMap(({ group, name, version, purl }) =>
    purl ? [`${group ? `${group}/` : ''}${name} ${version}`] : [],
  );
  expect(found.toSorted()).toEqual([...new Set(expected)].sort());
  const bare = sbom.components.filter(({ purl, hashes }) => purl && hashes?.[0]?.content.length !== 128);
  expect(bare).toEqual([]);
});

test('it says who needs whom, and tools are not part of what runs', () => {
  const refs = new Set(sbom.components.map((component) => component['bom-ref']));
  const all = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(all.filter((ref) => ref !== 'florin:product' && !refs.has(ref))).toEqual([]);
  const of = (wanted: string) => sbom.dependencies.find(({ ref }) => ref === wanted)?.dependsOn ?? [];
  expect(of('florin:product')).toContain('florin:gateway');
  expect(of('florin:gateway').some((ref) => ref.startsWith('pkg:npm/fastify@'))).toBe(true);
  const scopeOf = (name: string) => sbom.components.find((each) => each.name === name)?.scope;
  expect({ solc: scopeOf('solc'), fastify: scopeOf('fastify') }).toEqual({
    solc: 'excluded',
    fastify: 'required',
  });
});

test('the same lock file gives the same bytes, another one another name', () => {
  expect(JSON.stringify(makeSbom(text))).toBe(JSON.stringify(sbom));
  expect(makeSbom(`${text} `).serialNumber).not.toBe(sbom.serialNumber);
});

test('a package without a licence or a hash is refused', () => {
  const lockWith = (entry: object) =>
    JSON.stringify({ name: 'x', version: '1.0.0', packages: { '': {}, 'node_modules/a': entry } });
  const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
  expect(() => makeSbom(lockWith({ version: '1.0.0', integrity }))).toThrow('a has no licence');
  expect(() => makeSbom(lockWith({ version: '1.0.0', license: 'MIT' }))).toThrow('a has no SHA-512');
});
