// A root of its own: the files of this machine, with what is written kept apart, and its own processes. In place of
// systemd there is a script that starts and ends the gateway of the package as its unit does.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What runs florin.service: as its user, without rights, and with the words of ExecStart. */
const systemctl = `#!/bin/sh
pid=/run/florin.pid
lives() {
  [ -s "$pid" ] && grep -q '^State:.[^ZX]' "/proc/$(cat "$pid")/status" 2> /dev/null
}
case " $* " in
  *' daemon-reload '*) ;;
  *' show '*)
    if lives; then echo ActiveState=active; else echo ActiveState=failed; fi
    echo NRestarts=0 ;;
  *' is-active '*) lives ;;
  *' start '*)
    lives && exit 0
    cd /var/lib/florin
    umask 077
    program=/usr/lib/florin
    setsid setpriv --reuid=florin --regid=florin --init-groups --bounding-set=-all --no-new-privs -- \\
      "$program/node/bin/node" "--env-file=$program/package.env" --env-file=/etc/florin/florin.env \\
      "$program/gateway/start.mjs" < /dev/null >> /run/florin.log 2>&1 &
    echo $! > "$pid" ;;
  *' stop '*)
    lives || exit 0
    kill "$(cat "$pid")"
    while lives; do sleep 0.1; done ;;
esac
`;

/** Makes the root in the folder $1, with the packages of $2 in /mnt, and keeps it until its input ends. */
const mounts = `set -eu
read -r outside rest < /proc/self/stat
umask 022
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
touch var/lib/dpkg/status
# What is installed on this machine is not known there, and nothing of it has to outlive a power cut.
printf 'force-depends\\nforce-unsafe-io\\n' > etc/dpkg/dpkg.cfg.d/florin
sed -i /^florin:/d etc/passwd etc/group etc/shadow
printf '%s' "$3" > usr/bin/systemctl
printf '#!/bin/sh\\nexec systemctl "$@"\\n' > usr/bin/deb-systemd-invoke
chmod 0755 usr/bin/systemctl usr/bin/deb-systemd-invoke
echo "$outside"
exec cat`;

export type ScratchRoot = {
  /** Runs a line of shell in it, and returns what it printed, faults included. Throws with that where it fails. */
  run(line: string): Promise<string>;
  /** Starts a line of shell in it. */
  start(line: string): ChildProcess;
  end(): Promise<void>;
};

/** Opens a root in `folder`, which must be on a real disk, with the files of `packages` in /mnt. Needs to be root itself. */
export async function openScratchRoot(folder: string, packages: string): Promise<ScratchRoot> {
  await mkdir(folder);
  const holder = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', 'sh', '-c', mounts, 'sh', folder, packages, systemctl],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(holder, 'exit');
  const [first] = await Promise.race([once(holder.stdout, 'data'), ended]);
  const inside = `${first}`.trim();
  if (!/^[1-9]\d*$/.test(inside)) throw new Error('No root of its own can be made here');
  const entering = (line: string): string[] => [
    ...['--target', inside, '--mount', '--pid', '--', 'chroot', join(folder, 'root')],
    ...['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'sh', '-c', `cd / && ${line}`],
  ];
  return {
    async run(line) {
      try {
        const options = { maxBuffer: 64 * 1024 ** 2 };
        const { stdout, stderr } = await promisify(execFile)('nsenter', entering(line), options);
        return `${stdout}${stderr}`.trim();
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${line} failed:\n${stdout}${stderr}`);
      }
    },
    start: (line) => spawn('nsenter', entering(line), { stdio: 'inherit' }),
    async end() {
      holder.stdin.end();
      await ended;
    },
  };
}
