// Upgrades an installation of the Debian package with many payments, to a version with one more migration; then to two that are
// broken, which go back; then to one whose upgrade is killed in the middle. Needs root, and of Debian: dpkg and util-linux.
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { makeArtefact } from '../../scripts/artefact/make.ts';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { root } from '../../scripts/programs.ts';
import { debianName, debianPackage } from '../debian/package.ts';
import { openScratchRoot, type ScratchRoot } from './upgrade/scratch-root.ts';

type Say = (line: string) => void;

const cpu = process.arch;
const readyMs = 120_000;

/** The next versions, each by the migration that it adds. */
const next = {
  '9.1.0':
    'ALTER TABLE payments ADD COLUMN next_note text; CREATE TABLE next_things (id bigint PRIMARY KEY);',
  // Its migrations are right, and lose money.
  '9.2.0':
    "ALTER TABLE payments ADD COLUMN lost_note text; UPDATE ledger_accounts SET balance = balance + 1 WHERE stored AND kind = 'business';",
  '9.3.0': 'ALTER TABLE payments ADD COLUMN ill_note text;',
  '9.4.0': 'ALTER TABLE payments ADD COLUMN last_note text;',
} as const;

/** Plays the whole story; `payments` are made before. Throws where something is not as it should be. */
export async function playUpgrade(say: Say, { payments = 200_000 } = {}): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'florin-upgrade-'));
  const packages = join(home, 'packages');
  await mkdir(packages);
  const before = await makePackages(home, packages);
  say('The packages are made.');
  const scratch = await openScratchRoot(join(home, 'root'), packages);
  try {
    await install(scratch, before, payments);
    say(`${payments.toLocaleString('en')} payments are made in Florin ${before}.`);
    const kept = await countsOf(scratch);

    await timed(say, 'florin upgrade --check', () =>
      scratch.run(`florin upgrade --check /mnt/${debianName('9.1.0', cpu)}`),
    );
    await timed(say, 'florin upgrade', () => scratch.run(`florin upgrade /mnt/${debianName('9.1.0', cpu)}`));
    say(`  of that the pause: ${await pauseOf(scratch)} s`);
    await assertServes(scratch, '9.1.0', kept);

    for (const version of ['9.2.0', '9.3.0'] as const) {
      const line = `florin upgrade --skip-check /mnt/${debianName(version, cpu)}`;
      const printed = await timed(say, `a broken ${version}, which goes back`, () =>
        scratch.run(`! ${line}`),
      );
      if (!printed.includes('Florin 9.1.0 serves as before.')) throw new Error(printed);
      say(`  of that the pause: ${await pauseOf(scratch)} s`);
      await assertServes(scratch, '9.1.0', kept);
    }

    const child = scratch.start(
      `florin upgrade --skip-check /mnt/${debianName('9.4.0', cpu)} > /run/upgrade.out 2>&1`,
    );
    const ended = once(child, 'exit');
    while (!(await scratch.run('cat /var/lib/florin-upgrade/upgrade.json || true')).includes('"trying"')) {
      if (child.exitCode !== null) throw new Error(await scratch.run('cat /run/upgrade.out'));
      await sleep(100);
    }
    await scratch.run(
      'kill -9 $(grep -o \'"pid":[0-9]*\' /var/lib/florin-upgrade/upgrade.json | cut -d: -f2)',
    );
    await ended;
    say('An upgrade was killed while it tried the new version.');
    await timed(say, 'florin upgrade --resume', () => scratch.run('florin upgrade --resume'));
    await assertServes(scratch, '9.4.0', kept);
    await scratch.run('systemctl stop florin.service');
  } finally {
    await scratch.end();
    await rm(home, { recursive: true, force: true });
  }
}

async function makePackages(home: string, packages: string): Promise<string> {
  const program = join(home, 'program');
  await buildDashboard();
  await makeArtefact(root, program);
  const manifests = ['gateway/package.json', 'cli/package.json'].map((path) => join(program, path));
  const { version } = JSON.parse(await readFile(manifests[0] ?? '', 'utf8')) as { version: string };
  const write = async (each: string): Promise<void> => {
    for (const path of manifests) {
      const manifest = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      await writeFile(path, `${JSON.stringify({ ...manifest, version: each }, null, 2)}\n`);
    }
    const made = await debianPackage({ version: each, cpu, program, root, level: 1 });
    await writeFile(join(packages, debianName(each, cpu)), made);
  };
  await write(version);
  const start = join(program, 'gateway/start.mjs');
  const healthy = `${start}.healthy`;
  await cp(start, healthy);
  const added: string[] = [];
  for (const [index, [each, sql]] of Object.entries(next).entries()) {
    const migration = join(program, 'gateway/src/operations/migrations', `${9_900 + index}_next.sql`);
    await writeFile(migration, `${sql}\n`);
    added.push(migration);
    // Its gateway ends at once.
    if (each === '9.3.0') await writeFile(start, "throw new Error('broken');\n");
    await write(each);
    await cp(healthy, start);
    // The next version has nothing of a broken one.
    if (each === '9.2.0' || each === '9.3.0') await rm(migration);
  }
  await rm(program, { recursive: true });
  return version;
}

async function install(scratch: ScratchRoot, version: string, payments: number): Promise<void> {
  const [port, metricsPort] = await freePorts(2);
  await scratch.run(`dpkg --install /mnt/${debianName(version, cpu)} < /dev/null`);
  await scratch.run(`printf 'PORT=${port}\\nMETRICS_PORT=${metricsPort}\\n' >> /etc/florin/florin.env`);
  await scratch.run('florin integrations create "A shop" > /dev/null');
  await scratch.run(`florin seed --payments ${payments} --indexes-last`);
  await scratch.run('systemctl start florin.service');
  await awaitReady(scratch);
}

async function awaitReady(scratch: ScratchRoot): Promise<void> {
  for (const endMs = performance.now() + readyMs; ; await sleep(500)) {
    const said = await scratch.run('florin health || true');
    if (said === 'The gateway is ready.') return;
    if (performance.now() > endMs)
      throw new Error(`${said}\n${await scratch.run('tail -n 20 /run/florin.log')}`);
  }
}

/** What no upgrade may change. */
async function countsOf(scratch: ScratchRoot): Promise<string> {
  const { accounts, transfers, entries, findings } = JSON.parse(await scratch.run('florin audit --json')) as {
    [name: string]: unknown;
  };
  return JSON.stringify({ accounts, transfers, entries, findings });
}

async function assertServes(scratch: ScratchRoot, version: string, kept: string): Promise<void> {
  await awaitReady(scratch);
  const found = [
    await scratch.run('florin --version'),
    await scratch.run(`dpkg-query -W -f='\${Version}' florin`),
  ];
  if (found.some((each) => each !== version))
    throw new Error(`${found.join(' and ')} is there in place of ${version}`);
  const counts = await countsOf(scratch);
  if (counts !== kept) throw new Error(`The ledger was ${kept} and is ${counts}`);
  if ((await scratch.run('ls /var/lib/florin-upgrade/upgrade.json || true')).includes('\nNo such')) return;
}

/** How long no gateway served in the last upgrade, in seconds, by its log. */
async function pauseOf(scratch: ScratchRoot): Promise<string> {
  const log = await scratch.run(
    "grep -E 'Z (Stopping the gateway|Florin .* serves)' /var/lib/florin-upgrade/upgrade.log | tail -n 2",
  );
  const [from = 0, to = 0] = log.split('\n').map((line) => Date.parse(line.split(' ')[0] ?? ''));
  return ((to - from) / 1000).toFixed(1);
}

async function timed<T>(say: Say, what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  say(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return done;
}

if (import.meta.main) {
  const [, , payments = '200000'] = process.argv;
  await playUpgrade((line) => process.stdout.write(`${line}\n`), { payments: Number.parseInt(payments, 10) });
}
