import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { atFileEnd } from '../gateway/test/suite/endings.ts';
import { makeRelease, type Program } from './release.ts';
import { faultsOf, type Provenance, sha256 } from './release-verify.ts';

const here = dirname(import.meta.dirname);
const source = 'https://florin.example/source';
const program: Program = async (version) => [
  [`florin-program-${version}-linux-x64.tar.gz`, Buffer.from('the program')],
];
let home: string;
let repository: string;
let release: string;

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout.trim();
}

/** A clone of a repository with our lock file: what is committed there is known, whatever is being worked on here. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'florin-release-'));
  atFileEnd(async () => rmSync(home, { recursive: true, force: true }));
  const origin = join(home, 'origin');
  mkdirSync(join(origin, 'scripts'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'scripts/sbom.ts', 'scripts/start'])
    if (file === 'scripts/start') writeFileSync(join(origin, file), '#!/bin/sh\n', { mode: 0o755 });
    else cpSync(join(here, file), join(origin, file));
  for (const file of [
    'sdk/go/go.mod',
    'sdk/php/composer.json',
    'sdk/python/pyproject.toml',
    'sdk/README.md',
    'LICENSE',
    'ops/install.sh',
    'ops/container/Containerfile',
  ]) {
    mkdirSync(dirname(join(origin, file)), { recursive: true });
    writeFileSync(join(origin, file), file);
  }
  cpSync(join(here, 'shops/woocommerce'), join(origin, 'shops/woocommerce'), { recursive: true });
  run('git', ['init', '-q'], origin);
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  run('git', ['add', '.'], origin);
  run('git', [...who, 'commit', '-q', '-m', 'first'], origin);
  repository = join(home, 'clone');
  run('git', ['clone', '-q', origin, repository], home);
  release = join(home, 'release');
  await makeRelease({ repository, directory: release, source, program });
});

function copyOf(directory: string): string {
  const copy = mkdtempSync(join(home, 'copy-'));
  cpSync(directory, copy, { recursive: true });
  return copy;
}

describe('a release', () => {
  test('is the files of one commit, with their list of parts, checksums and provenance', () => {
    const archive = 'florin-0.1.0.tar.gz';
    const listed = run('tar', ['-tzf', join(release, archive)], home).split('\n');
    expect(listed).toEqual(
      expect.arrayContaining(['florin-0.1.0/package-lock.json', 'florin-0.1.0/scripts/start']),
    );
    run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], release);
    const provenance = JSON.parse(readFileSync(join(release, 'provenance.json'), 'utf8')) as Provenance;
    const commit = run('git', ['rev-parse', 'HEAD'], repository);
    const lock = sha256(readFileSync(join(repository, 'package-lock.json')));
    expect(provenance).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: archive, digest: { sha256: sha256(readFileSync(join(release, archive))) } },
        { name: 'florin-program-0.1.0-linux-x64.tar.gz' },
        { name: 'florin-sdk-go-0.1.0.tar.gz' },
        { name: 'florin-sdk-php-0.1.0.tar.gz' },
        { name: 'florin-sdk-python-0.1.0.tar.gz' },
        { name: 'florin-for-woocommerce-0.1.0.zip' },
        { name: 'install.sh' },
        { name: 'Containerfile' },
        { name: 'sbom.cdx.json' },
      ],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { version: '0.1.0', commit },
          resolvedDependencies: [
            { name: 'source', uri: 'https://florin.example/source', digest: { gitCommit: commit } },
            { name: 'package-lock.json', digest: { sha256: lock } },
          ],
        },
        runDetails: { builder: { id: 'urn:florin:builder:by-hand' } },
      },
    });
    expect(faultsOf(release)).toEqual([]);
  });

  test.each([
    ['go', 'go.mod'],
    ['php', 'composer.json'],
    ['python', 'pyproject.toml'],
  ])('has an archive of the SDK for %s alone, with the licence', (sdk, file) => {
    const name = `florin-sdk-${sdk}-0.1.0`;
    const listed = run('tar', ['-tzf', join(release, `${name}.tar.gz`)], home).split('\n');
    const files = listed.filter((path) => !path.endsWith('/'));
    expect(files).toEqual([`${name}/LICENSE`, `${name}/sdk/README.md`, `${name}/sdk/${sdk}/${file}`].sort());
  });

  test('has the plug-in for WooCommerce, with its translations made and without its tests', () => {
    const zip = readFileSync(join(release, 'florin-for-woocommerce-0.1.0.zip'));
    // At its end each file has a head of 46 bytes with the length of its name, and then the name.
    const heads = [...zip.toString('latin1').matchAll(/PK\x01\x02/g)].map(({ index }) => index);
    const names = heads.map((at) => zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)));
    for (const name of [
      'florin-for-woocommerce.php',
      'LICENSE',
      'readme.txt',
      'languages/florin-for-woocommerce-de_DE.mo',
      'languages/florin-for-woocommerce-nl_NL.po',
    ])
      expect(names).toContain(`florin-for-woocommerce/${name}`);
    expect(names.filter((name) => /tests|phpcs/.test(name))).toEqual([]);
  });

  test('has the same bytes when it is made again, in another clone and under other settings', async () => {
    const other = join(home, 'other');
    run('git', ['clone', '-q', repository, other], home);
    run('git', ['config', 'tar.umask', '0077'], other);
    const directory = join(home, 'again');
    await makeRelease({ repository: other, directory, source, program });
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8');
    expect(readFileSync(join(directory, 'SHA256SUMS'), 'utf8')).toBe(sums);
    expect(faultsOf(directory)).toEqual([]);
  });

  test('is not made of what is not committed, nor among other files', async () => {
    const directory = join(home, 'refused');
    await expect(makeRelease({ repository, directory: release })).rejects.toThrow('is not empty');
    writeFileSync(join(repository, 'new'), '');
    onTestFinished(() => rmSync(join(repository, 'new')));
    await expect(makeRelease({ repository, directory })).rejects.toThrow('not committed');
  });
});

describe('the check of a release', () => {
  test.each(['florin-0.1.0.tar.gz', 'florin-sdk-php-0.1.0.tar.gz', 'sbom.cdx.json', 'provenance.json'])(
    'sees that %s was changed',
    (name) => {
      const copy = copyOf(release);
      writeFileSync(join(copy, name), `${readFileSync(join(copy, name), 'latin1')} `, 'latin1');
      expect(faultsOf(copy)).toEqual([`${name} is not the file that SHA256SUMS names`]);
      rmSync(join(copy, name));
      expect(faultsOf(copy)).toHaveLength(1);
    },
  );

  test.each([
    ['sbom.cdx.json', '"version": "0.1.0"', '"version": "0.1.1"', 'sbom.cdx.json does not follow'],
    [
      'provenance.json',
      /"sha256": "[0-9a-f]{64}"(?=\s*\}\s*\}\s*\]\s*\})/,
      '"sha256": ""',
      'the lock file is not',
    ],
  ])('sees that %s and the checksums with it were changed', (name, from, to, fault) => {
    const copy = copyOf(release);
    const changed = readFileSync(join(copy, name), 'utf8').replace(from, to);
    const before = sha256(readFileSync(join(copy, name)));
    writeFileSync(join(copy, name), changed);
    const sums = readFileSync(join(copy, 'SHA256SUMS'), 'utf8').replace(before, sha256(changed));
    writeFileSync(join(copy, 'SHA256SUMS'), sums);
    expect(faultsOf(copy).join()).toContain(fault);
  });

  test('knows whose signature it is, and that there is one', async () => {
    const directory = join(home, 'signed');
    const key = join(home, 'key');
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key], home);
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(home, 'stranger')], home);
    await makeRelease({ repository, directory, key });
    const allowed = (of: string) => {
      const file = join(home, `${of}.signers`);
      writeFileSync(file, `releases@florin.example ${readFileSync(join(home, `${of}.pub`), 'utf8')}`);
      return { allowed: file, identity: 'releases@florin.example' };
    };
    expect(faultsOf(directory, allowed('key'))).toEqual([]);
    expect(faultsOf(directory, allowed('stranger')).join()).toContain('the signature is not one of');
    expect(faultsOf(release, allowed('key')).join()).toContain('the release is not signed');
    const copy = copyOf(directory);
    writeFileSync(join(copy, 'SHA256SUMS'), `${'0'.repeat(64)}  more\n`, { flag: 'a' });
    writeFileSync(join(copy, 'more'), '');
    expect(faultsOf(copy, allowed('key'))).not.toEqual([]);
  });

  test('by the command says so, and ends with 1 otherwise', () => {
    const verify = (directory: string) =>
      spawnSync(process.execPath, [join(here, 'scripts/release.ts'), '--verify', directory], {
        encoding: 'utf8',
      });
    expect(verify(release)).toMatchObject({ status: 0, stdout: expect.stringContaining('fit together') });
    const copy = copyOf(release);
    rmSync(join(copy, 'SHA256SUMS'));
    expect(verify(copy)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('SHA256SUMS is missing'),
    });
  });
});
