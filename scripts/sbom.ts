// `npm run sbom`: the packages of Florin as a CycloneDX 1.6 document, from the lock file alone. The same lock file gives the
// same bytes.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type LockedPackage = {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  link?: boolean;
  resolved?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};
export type Lock = { name: string; version: string; packages: Record<string, LockedPackage> };

type Licence = { expression: string } | { license: { id: string } };
export type Component = {
  type: 'application' | 'library';
  'bom-ref': string;
  group?: string;
  name: string;
  version: string;
  scope?: 'required' | 'optional' | 'excluded';
  hashes?: { alg: 'SHA-512'; content: string }[];
  licenses: Licence[];
  purl?: string;
};
export type Sbom = {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  serialNumber: string;
  version: 1;
  metadata: { lifecycles: { phase: 'pre-build' }[]; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** Packages whose manifest names no licence, with the licence of their text. */
const licencesByText: Record<string, string> = {
  ...{ '@better-fetch/fetch': 'MIT', memorystream: 'MIT' },
  // What the server of S3 of the tests brings.
  ...{ busboy: 'MIT', dicer: 'MIT', streamsearch: 'MIT', 'humanize-number': 'MIT', only: 'MIT' },
};

const folder = 'node_modules/';

/** Makes the document. Throws where a package has no licence or no hash. */
export function makeSbom(text: string): Sbom {
  const lock = JSON.parse(text) as Lock;
  const entries = Object.entries(lock.packages).filter(([, { link }]) => !link);
  const components = new Map<string, Component>();
  const needs = new Map<string, Set<string>>();
  for (const [path, entry] of entries) {
    const component = path === '' ? productOf(lock) : componentOf(path, entry);
    const ref = component['bom-ref'];
    const known = components.get(ref);
    // The same version may be in several places: the package needs what any of them needs.
    components.set(ref, known ? { ...component, ...widest(known, component) } : component);
    const all = needs.get(ref) ?? new Set();
    for (const need of needsOf(lock, path, entry)) all.add(need);
    needs.set(ref, all);
  }
  const product = components.get(refOf('', lock.packages['']))!;
  components.delete(product['bom-ref']);
  const byRef = (one: Component, other: Component) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(text)}`,
    version: 1,
    metadata: { lifecycles: [{ phase: 'pre-build' }], component: product },
    components: [...components.values()].sort(byRef),
    dependencies: [...needs.keys()].sort().map((ref) => ({ ref, dependsOn: [...needs.get(ref)!].sort() })),
  };
}

function productOf({ version, packages }: Lock): Component {
  const { license = '' } = packages['']!;
  return {
    type: 'application',
    'bom-ref': refOf('', packages['']),
    name: 'florin',
    version,
    licenses: licencesOf(license),
  };
}

function componentOf(path: string, entry: LockedPackage): Component {
  const whole = nameOf(path, entry);
  const [group, name] = whole.startsWith('@') ? whole.split('/') : [undefined, whole];
  const version = entry.version ?? '';
  const licence = entry.license ?? licencesByText[whole];
  if (!licence) throw new Error(`${whole} has no licence: look into it, and name it in scripts/sbom.ts`);
  const isOurs = !path.includes(folder);
  return {
    type: isOurs ? 'application' : 'library',
    'bom-ref': refOf(path, entry),
    ...(group && { group }),
    name: name!,
    version,
    scope: entry.dev ? 'excluded' : entry.optional || entry.devOptional ? 'optional' : 'required',
    ...(!isOurs && { hashes: [{ alg: 'SHA-512', content: hashOf(whole, entry) }] }),
    licenses: licencesOf(licence),
    ...(!isOurs && { purl: purlOf(whole, version) }),
  };
}

/** A package that is required in one place is required. */
function widest(one: Component, other: Component): Pick<Component, 'scope'> {
  const scopes = [one.scope, other.scope];
  for (const scope of ['required', 'optional'] as const) if (scopes.includes(scope)) return { scope };
  return { scope: 'excluded' };
}

function licencesOf(licence: string): Licence[] {
  return / (?:OR|AND|WITH) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

function hashOf(name: string, { integrity }: LockedPackage): string {
  const [, digest] = /^sha512-([\w+/=]+)$/.exec(integrity ?? '') ?? [];
  if (!digest) throw new Error(`${name} has no SHA-512 in the lock file`);
  return Buffer.from(digest, 'base64').toString('hex');
}

function nameOf(path: string, { name }: LockedPackage): string {
  return name ?? path.slice(path.lastIndexOf(folder) + folder.length);
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function refOf(path: string, entry: LockedPackage = {}): string {
  return path.includes(folder)
    ? purlOf(nameOf(path, entry), entry.version ?? '')
    : `florin:${path || 'product'}`;
}

/** The packages that one depends on, as Node finds them; without those of other platforms that are not locked. */
function needsOf(lock: Lock, path: string, entry: LockedPackage): string[] {
  const groups = [
    entry.dependencies,
    entry.optionalDependencies,
    entry.peerDependencies,
    entry.devDependencies,
  ];
  const names = new Set(groups.flatMap((group) => Object.keys(group ?? {})));
  const found = [...names].flatMap((name) => find(lock, path, name) ?? []);
  // The product is made of its workspaces.
  const parts =
    path === '' ? Object.keys(lock.packages).filter((each) => each && !each.includes(folder)) : [];
  return [...found, ...parts].map((each) => refOf(each, lock.packages[each]));
}

function find(lock: Lock, from: string, name: string): string | undefined {
  for (let place: string | undefined = from; place !== undefined; place = parentOf(place)) {
    const path = `${place}${place && '/'}${folder}${name}`;
    const entry = lock.packages[path];
    if (entry) return entry.link ? entry.resolved : path;
  }
  return undefined;
}

function parentOf(place: string): string | undefined {
  if (place === '') return undefined;
  const cut = place.lastIndexOf('/');
  return cut === -1 ? '' : place.slice(0, cut);
}

/** A UUID of version 8 with bits of the lock file's hash. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

if (import.meta.main) {
  const lockFile = join(dirname(import.meta.dirname), 'package-lock.json');
  const text = `${JSON.stringify(makeSbom(readFileSync(lockFile, 'utf8')), null, 2)}\n`;
  const [to] = process.argv.slice(2);
  if (to) writeFileSync(to, text);
  else process.stdout.write(text);
}
