// `npm run release -- <folder>`: makes a release of the commit that is checked out. `--verify <folder>` checks one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { programFiles } from './artefact/archive.ts';
import { buildDashboard } from './build-dashboard.ts';
import { packed } from './packed.ts';
import { pluginZip } from './release-plugin.ts';
import {
  faultsOf,
  namespace,
  type Provenance,
  provenanceFile,
  sbomFile,
  sbomText,
  sha256,
  signatureFile,
  sumsFile,
} from './release-verify.ts';

const usage = `Usage:
  npm run release -- <folder> [--key <file>] [--source <uri>] [--builder <uri>]
  npm run release -- --verify <folder> [--signers <file> --identity <name>]`;

export type ReleaseOptions = {
  repository: string;
  /** The folder for its files, which must be empty or missing. */
  directory: string;
  /** A private SSH key that signs the checksums. */
  key?: string | undefined;
  /** The address of the source, and who built it: the checkout does not say either. */
  source?: string | undefined;
  builder?: string | undefined;
  program?: Program | undefined;
};

/** Makes the files of the program as JavaScript, for the machine that this runs on. */
export type Program = (version: string) => Promise<[name: string, Buffer][]>;

/** The SDKs that need no build, each of which has an archive of its own. */
const sdks = ['go', 'php', 'python'];

/** What puts a release on a machine: used before any archive of it is opened. */
const alone = ['ops/install.sh', 'ops/container/Containerfile'];

/** Makes the files of a release out of the newest commit; the same commit gives the same bytes. */
export async function makeRelease(options: ReleaseOptions): Promise<{ archive: string; commit: string }> {
  const { repository, directory, key, program } = options;
  const git = (...args: string[]) => run('git', args, repository);
  if (git('status', '--porcelain').length > 0)
    throw new Error('There are changes that are not committed: a release is made of a commit alone.');
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) throw new Error(`${directory} is not empty.`);
  const commit = git('rev-parse', 'HEAD').toString().trim();
  const { version } = JSON.parse(git('show', `${commit}:package.json`).toString()) as { version: string };
  const lock = git('show', `${commit}:package-lock.json`).toString();
  const archive = `florin-${version}.tar.gz`;
  // Settings that would otherwise come from the machine and change the bytes.
  const fixed = ['-c', 'tar.umask=0022', '-c', 'core.autocrlf=false'];
  const archived = (name: string, ...paths: string[]): [string, Buffer] => {
    const tar = git(...fixed, 'archive', '--format=tar', `--prefix=${name}/`, commit, ...paths);
    return [`${name}.tar.gz`, packed(tar)];
  };
  const files = new Map<string, Buffer>([
    archived(`florin-${version}`),
    ...(program ? await program(version) : []),
    ...sdks.map((sdk) => archived(`florin-sdk-${sdk}-${version}`, `sdk/${sdk}`, 'sdk/README.md', 'LICENSE')),
    [`florin-for-woocommerce-${version}.zip`, pluginZip(repository, commit)],
    ...alone.map((path): [string, Buffer] => [basename(path), git('show', `${commit}:${path}`)]),
    [sbomFile, Buffer.from(sbomText(lock))],
  ]);
  const provenance = provenanceOf(options, { version, commit, lock, files });
  files.set(provenanceFile, Buffer.from(`${JSON.stringify(provenance, null, 2)}\n`));
  const sums = [...files].map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join('');
  files.set(sumsFile, Buffer.from(sums));
  for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes);
  if (key) run('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', namespace, sumsFile], directory);
  return { archive, commit };
}

type Made = { version: string; commit: string; lock: string; files: Map<string, Buffer> };

function provenanceOf({ source, builder }: ReleaseOptions, made: Made): Provenance {
  const { version, commit, lock, files } = made;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files].map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:florin:release:1',
        externalParameters: { version, commit },
        resolvedDependencies: [
          { name: 'source', ...(source && { uri: source }), digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: sha256(lock) } },
        ],
      },
      runDetails: {
        builder: { id: builder ?? 'urn:florin:builder:by-hand', version: { node: process.versions.node } },
      },
    },
  };
}

function run(command: string, args: string[], cwd: string): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, maxBuffer: 1_000_000_000 });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.toString().trim()}`);
  return stdout;
}

function verify(directory: string, allowed: string | undefined, identity: string | undefined): void {
  const signer = allowed && identity ? { allowed, identity } : undefined;
  const faults = faultsOf(directory, signer);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) throw new Error('This is not a release as it was made.');
  console.log(
    signer
      ? `The release is as ${identity} made and signed it.`
      : `The files of the release fit together. Whose they are says only a signature: see ${usage.split('\n')[2]!.trim()}`,
  );
}

async function main(): Promise<void> {
  const strings = ['key', 'source', 'builder', 'verify', 'signers', 'identity'] as const;
  const options = Object.fromEntries(strings.map((name) => [name, { type: 'string' as const }]));
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const given = values as Partial<Record<(typeof strings)[number], string>>;
  const [directory] = positionals;
  if (given.verify) {
    verify(given.verify, given.signers, given.identity);
    return;
  }
  if (!directory) throw new Error(usage);
  const { key, source, builder } = given;
  const repository = dirname(import.meta.dirname);
  await buildDashboard();
  const program = (version: string) => programFiles(repository, version);
  const { archive, commit } = await makeRelease({ repository, directory, key, source, builder, program });
  console.log(
    `${archive}, the program and its packages, the archives of the SDKs, the plug-in, ${sbomFile}, ${provenanceFile} and ${sumsFile} are made of ${commit}.`,
  );
  console.log(key ? `${signatureFile} signs them.` : 'They are not signed: name a key by --key.');
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
