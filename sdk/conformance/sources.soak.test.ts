import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

// What each language's own tools say of its SDK, and of the samples in the documents.

const root = join(import.meta.dirname, '../..');
const isSoak = process.env.SOAK !== undefined;

/** What a command writes, with its errors; null where its program is not installed. */
function said(command: string, args: string[], { input = '', folder = '' } = {}): string | null {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd: resolve(root, 'sdk', folder),
    input,
    encoding: 'utf8',
  });
  if (error) return null;
  return status === 0 ? stdout.trim() : `${stdout}${stderr}`.trim() || `${command} failed`;
}

const isInstalled = (command: string): boolean => said(command, ['--version']) !== null;

if (isSoak) {
  test.runIf(isInstalled('mypy'))('mypy finds nothing in the Python SDK, as Python 3.9 reads it', () => {
    const args = ['--strict', '--python-version', '3.9', '--cache-dir', '/dev/null', 'python/florin'];
    expect(said('mypy', args)).toMatch(/^Success/);
  });

  test.runIf(isInstalled('gofmt'))('gofmt finds nothing in the Go SDK', () => {
    expect(said('gofmt', ['-l', 'go'])).toBe('');
  });

  test.runIf(isInstalled('gofmt'))('go vet finds nothing in it either', () => {
    expect(said('go', ['vet', './...'], { folder: 'go' })).toBe('');
  });

  test.runIf(isInstalled('gofmt'))('gofmt parses the samples', () => {
    const samples = samplesIn('go');
    expect(samples.length).toBeGreaterThan(3);
    for (const sample of samples) {
      expect(said('gofmt', ['-e'], { input: sample })).not.toMatch(/<standard input>/);
    }
  });

  test('the samples of the reference are programs', () => {
    const directory = mkdtempSync(join(tmpdir(), 'florin-samples-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
    const sdk = join(root, 'sdk/go');
    write(
      'go.mod',
      `module samples\n\nrequire florin.example/sdk v0.1.0\n\nreplace florin.example/sdk => ${sdk}\n`,
    );
    for (const [index, { Python, Go }] of reference.entries()) {
      write(`sample_${index}.py`, `${Python}\n`);
      mkdirSync(join(directory, `go${index}`));
      write(`go${index}/main.go`, `${Go}\n`);
    }
    expect(said('gofmt', ['-l', directory]) ?? '').toBe('');
    expect(said('go', ['vet', './...'], { folder: directory }) ?? '').toBe('');
    const files = globSync('*.py', { cwd: directory }).map((name) => join(directory, name));
    const args = ['--strict', '--scripts-are-modules', '--cache-dir', '/dev/null', ...files];
    expect(said('mypy', args, { folder: 'python' }) ?? 'Success').toMatch(/^Success/);
  });
}

const phpSources = globSync('{sdk/php,shops/woocommerce}/**/*.php', { cwd: root });

test('the SDK and the plug-in in PHP have nothing that PHP 7.4 does not know', () => {
  const newer = [
    /\bmatch \(|\?->|\bstr_(?:starts_with|ends_with|contains)\b|\barray_is_list\b|\bget_debug_type\b/,
    /catch \([\w\\|]+\)/,
    /__construct\([^)]*\b(?:public|private|protected)\b/,
    /\bfunction\b[^{;]*\([^)]*,\s*\)/,
    /\bfunction\b[^{;]*: (?:static|mixed|never)\b|\bfunction\b[^{;]*\(\s*(?:\w+\||mixed )/,
    /\b(?:readonly|enum) \w+/,
  ];
  const found = phpSources.flatMap((path) => {
    // Comments may name types that only checkers know.
    const code = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
    return newer.filter((pattern) => pattern.test(code)).map((pattern) => `${path}: ${pattern}`);
  });
  expect(phpSources.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});

/** The samples of the reference, by call. */
const reference = Object.values(
  JSON.parse(readFileSync(join(root, 'gateway/src/api/site/sdk-samples.json'), 'utf8')) as Record<
    string,
    Record<'Python' | 'PHP' | 'Go', string>
  >,
);

/** The samples of a language in the documents of the SDKs and of the whole. */
function samplesIn(language: string): string[] {
  const documents = globSync(['sdk/**/*.md', 'README.md', 'docs/*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  return documents.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
      .filter(([, name]) => name === language)
      .map(([, , code = '']) => code);
  });
}

test('no SDK needs a package', () => {
  const read = (path: string) => readFileSync(join(root, 'sdk', path), 'utf8');
  expect(read('go/go.mod')).not.toContain('require');
  expect(read('python/pyproject.toml')).toContain('dependencies = []');
  const { require } = JSON.parse(read('php/composer.json')) as { require: object };
  expect(Object.keys(require)).toEqual(['php', 'ext-curl', 'ext-json']);
});

describe('the samples', () => {
  test.runIf(isInstalled('python3'))('in Python parse', () => {
    const samples = [...samplesIn('python'), ...reference.map(({ Python }) => Python)];
    const script = 'import ast, json, sys\nfor each in json.load(sys.stdin): ast.parse(each)';
    expect(samples.length).toBeGreaterThan(3);
    expect(said('python3', ['-c', script], { input: JSON.stringify(samples) })).toBe('');
  });

  test.runIf(isInstalled('php'))('in PHP parse', () => {
    const samples = [...samplesIn('php'), ...reference.map(({ PHP }) => PHP)];
    const script =
      'foreach (json_decode(stream_get_contents(STDIN)) as $each) token_get_all($each, TOKEN_PARSE);';
    expect(samples.length).toBeGreaterThan(50);
    expect(said('php', ['-r', script], { input: JSON.stringify(samples) })).toBe('');
  });
});
