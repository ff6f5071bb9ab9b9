// What everybody can check of a release without trusting its source.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSbom } from './sbom.ts';

export const sumsFile = 'SHA256SUMS';
export const signatureFile = `${sumsFile}.sig`;
export const sbomFile = 'sbom.cdx.json';
export const provenanceFile = 'provenance.json';
/** The purpose of a signature: one for another purpose does not count. */
export const namespace = 'florin-release';

export type Provenance = {
  _type: 'https://in-toto.io/Statement/v1';
  subject: { name: string; digest: { sha256: string } }[];
  predicateType: 'https://slsa.dev/provenance/v1';
  predicate: {
    buildDefinition: {
      buildType: string;
      externalParameters: { version: string; commit: string };
      resolvedDependencies: { name: string; uri?: string; digest: Record<string, string> }[];
    };
    runDetails: { builder: { id: string; version: Record<string, string> } };
  };
};

/** The expected signer: a file of allowed signers as ssh-keygen reads it, and one of its names. */
export type Signer = { allowed: string; identity: string };

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

export const sbomText = (lock: string): string => `${JSON.stringify(makeSbom(lock), null, 2)}\n`;

/** All faults of a release; empty: none. */
export function faultsOf(directory: string, signer?: Signer): string[] {
  const missing = [sumsFile, sbomFile, provenanceFile].filter((name) => !existsSync(join(directory, name)));
  if (missing.length > 0) return missing.map((name) => `${name} is missing`);
  const read = (name: string) => readFileSync(join(directory, name));
  const sums = readSums(read(sumsFile).toString());
  if (!sums) return [`${sumsFile} is damaged`];
  const archive = [...sums.keys()].find((name) => /^florin-\d.*\.tar\.gz$/.test(name));
  if (!archive || !sums.has(sbomFile) || !sums.has(provenanceFile)) return [`${sumsFile} leaves files out`];
  const changed = [...sums].filter(
    ([name, sum]) => !existsSync(join(directory, name)) || sha256(read(name)) !== sum,
  );
  if (changed.length > 0) return changed.map(([name]) => `${name} is not the file that ${sumsFile} names`);
  const provenance = JSON.parse(read(provenanceFile).toString()) as Provenance;
  return [
    ...faultsOfContents(join(directory, archive), read(sbomFile).toString(), provenance),
    ...faultsOfSubjects(
      provenance,
      [...sums.keys()].filter((name) => name !== provenanceFile),
      sums,
    ),
    ...(signer ? faultsOfSignature(directory, signer) : []),
  ];
}

/** The checksums of a file in the form of `sha256sum`; undefined where a line is malformed or names another folder. */
function readSums(text: string): Map<string, string> | undefined {
  const lines = text.trimEnd().split('\n');
  const parts = lines.map((line) => /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line));
  if (parts.some((part) => part === null)) return undefined;
  return new Map(parts.map((part) => [part![2]!, part![1]!]));
}

function faultsOfContents(archive: string, sbom: string, provenance: Provenance): string[] {
  const { version } = provenance.predicate.buildDefinition.externalParameters;
  const inside = `florin-${version}/package-lock.json`;
  const { status, stdout } = spawnSync('tar', ['-xzOf', archive, inside], { maxBuffer: 64_000_000 });
  if (status !== 0) return [`${archive} has no ${inside}`];
  const locked = provenance.predicate.buildDefinition.resolvedDependencies.find(
    ({ name }) => name === 'package-lock.json',
  );
  return [
    ...(locked?.digest.sha256 === sha256(stdout) ? [] : ['the lock file is not the one of the provenance']),
    ...(sbomText(stdout.toString()) === sbom ? [] : [`${sbomFile} does not follow from the lock file`]),
  ];
}

function faultsOfSubjects({ subject }: Provenance, names: string[], sums: Map<string, string>): string[] {
  return names
    .filter((name) => subject.find((each) => each.name === name)?.digest.sha256 !== sums.get(name))
    .map((name) => `the provenance is not of ${name}`);
}

function faultsOfSignature(directory: string, { allowed, identity }: Signer): string[] {
  const signature = join(directory, signatureFile);
  if (!existsSync(signature)) return [`${signatureFile} is missing: the release is not signed`];
  const args = ['-Y', 'verify', '-f', allowed, '-I', identity, '-n', namespace, '-s', signature];
  const { status, stderr } = spawnSync('ssh-keygen', args, {
    input: readFileSync(join(directory, sumsFile)),
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`the signature is not one of ${identity}: ${stderr?.trim()}`];
}
