// Builds the image of a release and runs it as docs/install.md says, without a registry: its bases are a small Debian that
// debootstrap makes, and the same with the Node of the packages, tagged like those that it would be built on.
// Needs root, and of Debian: buildah, podman, runc, debootstrap and the client of PostgreSQL.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { postgresBinaries } from '../../gateway/src/kit/postgres/postgres-binaries.ts';
import { serverUser } from '../../gateway/src/kit/postgres/system-user.ts';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { programArchive } from '../../scripts/artefact/archive.ts';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { root } from '../../scripts/programs.ts';
import { sha256 } from '../../scripts/release-verify.ts';
import { assertInstalled, type Ends, run, type Say, seconds, undo } from './tools.ts';

type Image = { storage: string[]; name: string };

const mostBytes = 250_000_000;
const readyMs = 120_000;
const node = join(root, 'node_modules/.bin/node');
const container = join(root, 'ops/container');

/** How a container of Florin may be run, as strictly as it gets. Without cgroups of its own it would have no limits. */
const strict = [
  ...['--network', 'host', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
  ...['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--user', '1000'],
];

/** Plays the whole story: builds, measures, starts, asks, stops. Throws where something is not as it should be. */
export async function playImage(say: Say): Promise<void> {
  await assertInstalled('buildah', 'podman', 'runc', 'debootstrap', 'psql');
  const work = await mkdtemp(join(tmpdir(), 'florin-image-'));
  const ends: Ends = [() => rm(work, { recursive: true, force: true })];
  try {
    await chmod(work, 0o755);
    const release = await makeRelease(work);
    const storage = [
      '--root',
      join(work, 'images'),
      '--runroot',
      join(work, 'run'),
      '--storage-driver',
      'vfs',
    ];
    const image = await buildImage({ storage, name: 'localhost/florin:trial' }, { work, release, say });
    const secrets = join(work, 'secrets');
    const database = await startPostgres(work, secrets);
    ends.push(database);
    await migrate(image, secrets, say);
    await serve(image, { secrets, say, ends });
  } finally {
    await undo(ends);
  }
}

/** The files of a release that the image is built of. */
async function makeRelease(work: string): Promise<string> {
  await buildDashboard();
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const release = join(work, 'release');
  await mkdir(release);
  const [name, archive] = await programArchive(root, version);
  await writeFile(join(release, name), archive);
  await cp(join(container, 'Containerfile'), join(release, 'Containerfile'));
  await writeFile(join(release, 'SHA256SUMS'), `${sha256(archive)}  ${name}\n`);
  return release;
}

/** What is left out of the small images of Debian. */
const leftOut = [
  ...['doc', 'man', 'info', 'locale', 'groff', 'lintian'].map((name) => `usr/share/${name}`),
  ...['var/cache/apt', 'var/lib/apt/lists', 'var/log'],
];

type Build = { work: string; release: string; say: Say };

async function buildImage(image: Image, { work, release, say }: Build): Promise<Image> {
  const { storage, name } = image;
  const base = join(work, 'base');
  await run('debootstrap', '--variant=minbase', 'bookworm', base);
  for (const place of leftOut)
    for (const each of await readdir(join(base, place)).catch(() => []))
      await rm(join(base, place, each), { recursive: true, force: true });
  await mkdir(join(base, 'var/cache/apt/archives/partial'), { recursive: true });
  await mkdir(join(base, 'var/lib/apt/lists/partial'), { recursive: true });
  const [debian, withNode] = ['localhost/debian:bookworm-slim', 'localhost/node:bookworm-slim'];
  await importRoot(storage, base, debian);
  await cp(node, join(base, 'usr/local/bin/node'), { dereference: true });
  await importRoot(storage, base, withNode);
  await rm(base, { recursive: true });

  const begunMs = performance.now();
  const build = ['--format', 'docker', '--isolation', 'chroot', '--layers=false', '--tag', name];
  const bases = ['--build-arg', `NODE=${withNode}`, '--build-arg', `BASE=${debian}`];
  await run(
    ...(['buildah', ...storage, '--runtime', 'runc', 'bud', ...build, ...bases, '--file'] as [
      string,
      ...string[],
    ]),
    join(release, 'Containerfile'),
    release,
  );
  const bytesOf = async (of: string): Promise<number> =>
    Number.parseInt(await run('podman', ...storage, 'image', 'inspect', '--format', '{{.Size}}', of), 10);
  const bytes = await bytesOf(name);
  say(
    `the image is built in ${seconds(begunMs)}: ${megabytes(bytes)}, of which the base is ${megabytes(await bytesOf(debian))}`,
  );
  if (bytes > mostBytes)
    throw new Error(`The image has ${megabytes(bytes)}, and may have ${megabytes(mostBytes)}`);
  return image;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Makes an image of a whole system in a folder. */
async function importRoot(storage: string[], directory: string, name: string): Promise<void> {
  const script = 'directory=$1; shift; tar -C "$directory" -c . | podman "$@"';
  await run('sh', '-c', script, 'sh', directory, ...storage, 'import', '--quiet', '-', name);
}

/** A PostgreSQL on loopback alone, with the roles that database.sh makes; writes the addresses into `secrets`. */
async function startPostgres(work: string, secrets: string): Promise<() => Promise<void>> {
  const owner = await serverUser(() => {});
  const { directory } = await postgresBinaries(join(work, 'postgres'), true);
  const data = join(work, 'data');
  await mkdir(data, { mode: 0o700 });
  await chown(data, owner.uid, owner.gid);
  const asOwner = { uid: owner.uid, gid: owner.gid, cwd: data, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const [port] = await freePorts(1);
  const init = [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth-host=scram-sha-256',
    '--auth-local=trust',
    '--encoding=UTF8',
  ];
  await promisify(execFile)(join(directory, 'initdb'), init, asOwner);
  const settings = ['-h', '127.0.0.1', '-p', `${port}`, '-k', data];
  const server = spawn(join(directory, 'postgres'), ['-D', data, ...settings], {
    ...asOwner,
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  await mkdir(secrets, { mode: 0o755 });
  for (const [name, role, byte] of [
    ['migrate-database-url', 'florin', 'a1'],
    ['database-url', 'florin_app', 'b2'],
  ] as const)
    await writeFile(join(secrets, name), `postgres://${role}:${byte.repeat(24)}@127.0.0.1:${port}/florin\n`);
  const env = { ...process.env, PGHOST: data, PGPORT: `${port}`, FLORIN_SECRETS: secrets };
  for (let tries = 0; ; tries++) {
    try {
      await promisify(execFile)('sh', [join(container, 'database.sh')], { env });
      break;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
  return async () => {
    server.kill('SIGINT');
    await ended;
  };
}

const settingsOf = (secrets: string, given: Record<string, string>): string[] => [
  ...['--volume', `${secrets}:/run/secrets:ro`],
  ...Object.entries({
    DATABASE_URL_FILE: '/run/secrets/database-url',
    MIGRATE_DATABASE_URL_FILE: '/run/secrets/migrate-database-url',
    MASTER_KEY_FILE: '/var/lib/florin/master.key',
    ...given,
  }).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
];

/** `florin migrate`, as a job runs it before gateways start. */
async function migrate({ storage, name }: Image, secrets: string, say: Say): Promise<void> {
  const begunMs = performance.now();
  const podman = ['podman', ...storage, '--runtime', 'runc', 'run', '--rm', ...strict] as [
    string,
    ...string[],
  ];
  const output = await run(...podman, ...settingsOf(secrets, {}), name, 'migrate');
  if (!output.endsWith('The database is up to date.')) throw new Error(`florin migrate printed:\n${output}`);
  say(`florin migrate has applied all migrations in ${seconds(begunMs)}`);
}

type Around = { secrets: string; say: Say; ends: Ends };

/** Starts a gateway, looks at it from outside and inside, and stops it by SIGTERM. */
async function serve({ storage, name }: Image, { secrets, say, ends }: Around): Promise<void> {
  const [port, metricsPort] = await freePorts(2);
  const podman = (...args: string[]) => run('podman', ...storage, '--runtime', 'runc', ...args);
  const url = `http://127.0.0.1:${port}`;
  const given = { PORT: `${port}`, METRICS_PORT: `${metricsPort}`, BASE_URL: url };
  const begunMs = performance.now();
  const id = await podman('run', '--detach', ...strict, ...settingsOf(secrets, given), name);
  ends.push(() => podman('rm', '--force', '--volumes', '--time', '1', id));
  try {
    await untilReady(url);
    say(`it is ready after ${seconds(begunMs)}`);
    await podman('healthcheck', 'run', id);
    const inside = async (script: string) => await podman('exec', id, 'sh', '-c', script);
    const found = {
      user: await inside('id -u'),
      first: await inside('readlink /proc/1/exe'),
      capabilities: await inside('sed -n "s/^CapEff:[^0-9a-f]*//p" /proc/1/status'),
      written: await inside('touch /usr/lib/florin/x 2> /dev/null && echo yes || echo no'),
      link: await inside('florin setup-link > /dev/null 2>&1 && echo made || echo none'),
    };
    say(`inside: ${JSON.stringify(found)}`);
    const { user, first, capabilities, written } = found;
    if (
      user !== '1000' ||
      first !== '/usr/lib/florin/node/node' ||
      !/^0+$/.test(capabilities) ||
      written !== 'no'
    )
      throw new Error('The container is not as strict as it was asked to be.');
    if ((await fetch(`${url}/app/`)).status !== 200) throw new Error('The dashboard does not answer.');
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${await podman('logs', id).catch(() => '')}`);
  }
  const stoppedMs = performance.now();
  await podman('stop', '--time', '20', id);
  const code = await podman('inspect', '--format', '{{.State.ExitCode}}', id);
  say(`SIGTERM has ended it with ${code} in ${seconds(stoppedMs)}`);
  if (code !== '0') throw new Error(`It ended with ${code}:\n${await podman('logs', id)}`);
}

async function untilReady(url: string): Promise<void> {
  const endMs = performance.now() + readyMs;
  for (;;) {
    const status = await fetch(`${url}/ready`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    if (performance.now() > endMs) throw new Error('It was not ready in time.');
    await sleep(100);
  }
}

if (import.meta.main) await playImage(console.log);
