// A bare Debian with systemd, as one that was rented: it boots in a container that shares the network of this machine.
// Needs root, and of Debian: debootstrap and systemd-container.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './tools.ts';

export type Machine = {
  /** Runs lines of a shell in it as root, and returns what they print. Throws with that where one fails. */
  run(script: string): Promise<string>;
  /** The same, without waiting for its end. */
  start(script: string): Promise<ChildProcess>;
  stop(): Promise<void>;
};

const bootMs = 120_000;
const suite = 'bookworm';
const environment = [
  ...['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root'],
  ...['LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive'],
];

/** The files of a bare Debian in `folder`, which are made once. */
export async function makeDebian(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const begun = `${folder}.begun`;
  await rm(begun, { recursive: true, force: true });
  // What an installation from a disc of Debian has, and the smallest root has not.
  const include = 'systemd,systemd-sysv,dbus,ca-certificates,adduser,util-linux,iproute2';
  await run('debootstrap', '--variant=minbase', `--include=${include}`, suite, begun);
  await writeFile(join(begun, 'etc/hosts'), '127.0.0.1\tlocalhost\n127.0.1.1\tflorin\n');
  await rename(begun, folder);
}

type Folders = {
  /** At /shown in the machine. */
  shown: string;
  /** Empty at first: what Florin keeps of its data. */
  data: string;
};

/** Boots the Debian of `base`. All else that it writes is kept in memory, and is gone when it stops. */
export async function startMachine(base: string, { shown, data }: Folders): Promise<Machine> {
  const options = ['--register=no', '--keep-unit', '--console=pipe', '--volatile=overlay', '--boot'];
  const shares = [`--bind=${shown}:/shown`, `--bind=${data}:/var/lib/florin`, '--resolv-conf=copy-host'];
  const container = spawn('systemd-nspawn', [`--directory=${base}`, ...options, ...shares], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  container.stderr.on('data', (bytes: Buffer) => {
    words += bytes;
  });
  const ended = once(container, 'exit');
  const shell = async (script: string) => {
    const enter = ['--target', `${await leaderOf(container)}`, '--mount', '--uts', '--ipc', '--pid', '--'];
    return [...enter, 'env', '-i', ...environment, 'sh', '-euc', `cd /root; ${script}`];
  };
  const inside = async (script: string) => await run('nsenter', ...(await shell(script)));
  const stop = async () => {
    // The container takes it for a request to shut down.
    container.kill('SIGTERM');
    await ended;
  };
  try {
    await untilBooted(inside, container);
    const start = async (script: string) => spawn('nsenter', await shell(script), { stdio: 'ignore' });
    return { run: inside, start, stop };
  } catch (error) {
    container.kill('SIGKILL');
    await ended;
    throw new Error(`The machine does not boot: ${(error as Error).message}\n${words}`);
  }
}

/** The first process of a container. */
async function leaderOf({ pid }: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const leader = Number.parseInt(children, 10);
  if (!leader) throw new Error('it has no process yet');
  return leader;
}

async function untilBooted(inside: Machine['run'], container: ChildProcess): Promise<void> {
  for (const endMs = performance.now() + bootMs; ; await sleep(100)) {
    // `degraded` is a machine on which a unit has failed: those that a container cannot have.
    const state = await inside('systemctl is-system-running || true').catch((fault: Error) => fault.message);
    if (/^(?:running|degraded)$/.test(state)) return;
    if (performance.now() > endMs || container.exitCode !== null) throw new Error(state);
  }
}
