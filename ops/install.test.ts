import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { atFileEnd } from '../gateway/test/suite/endings.ts';
import { sha256 } from '../scripts/release-verify.ts';

const script = join(import.meta.dirname, 'install.sh');
let folder: string;
let release: string;

/** What a bare Debian at 203.0.113.7 answers, whatever machine this is. */
const answers: Record<string, string> = {
  dpkg: 'echo "$ARCH"',
  'dpkg-query': 'case "$*" in *florin) printf %s "$FLORIN" ;; *) printf %s "$OTHERS" ;; esac',
  hostname: 'echo "203.0.113.7 2001:db8::7 "',
  getent: 'if [ -n "$LEADS" ]; then echo "$LEADS      STREAM $2"; echo "$LEADS      DGRAM  "; fi',
  ss: 'exit 0',
  docker: 'exit 1',
  'docker-compose': 'exit 1',
  'apt-cache': '[ "$2" = docker-compose ]',
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-install-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  for (const [name, answer] of Object.entries(answers)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${answer}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  writeFileSync(join(folder, 'debian'), 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n');
  writeFileSync(join(folder, 'fedora'), 'ID=fedora\nPRETTY_NAME="Fedora Linux 43"\n');
  writeFileSync(join(folder, 'signers'), 'releases@example.com ssh-ed25519 AAAA\n');
  release = join(folder, 'release');
  mkdirSync(release);
  const names = [
    'florin-0.6.0.tar.gz',
    'florin-program-0.6.0-linux-x64.tar.gz',
    'florin_0.6.0_amd64.deb',
    'Containerfile',
  ];
  for (const name of names) writeFileSync(join(release, name), name);
  writeFileSync(
    join(release, 'SHA256SUMS'),
    names.map((name) => `${sha256(Buffer.from(name))}  ${name}\n`).join(''),
  );
});

function install(words: string, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync('sh', [script, ...words.split(' ').filter(Boolean)], {
    encoding: 'utf8',
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      OS_RELEASE: join(folder, 'debian'),
      SYSTEMD: folder,
      ARCH: 'amd64',
      LEADS: '203.0.113.7',
      ...env,
    },
  });
  return { status, stdout, stderr };
}

/** The commands that it would run, without what it would write into files. */
const commandsOf = (stdout: string) => stdout.split('\n').filter((line) => line.startsWith('+ '));

const noSigners =
  'Note: without --signers the hashes say that the files fit together, and not who made them.';
const check = `+ sh -c 'cd "$1" && sha256sum --check --strict --quiet --ignore-missing SHA256SUMS' sh /tmp/florin-release`;

describe('a dry run', () => {
  test('of the package shows each command, what it writes, and the address', () => {
    expect(install('pay.example.com --from release --dry-run')).toEqual({
      status: 0,
      stderr: '',
      stdout: `+ apt-get update
+ apt-get install --yes --no-install-recommends ca-certificates curl
+ cp release/SHA256SUMS /tmp/florin-release/SHA256SUMS
${noSigners}
+ cp release/florin_0.6.0_amd64.deb /tmp/florin-release/florin_0.6.0_amd64.deb
${check}
+ apt-get update
+ apt-get install --yes --no-install-recommends caddy
+ apt-get install --yes --no-install-recommends /tmp/florin-release/florin_0.6.0_amd64.deb
+ set BASE_URL=https://pay.example.com in /etc/florin/florin.env
+ set TRUST_PROXY=1 in /etc/florin/florin.env
+ write /etc/caddy/Caddyfile:
|   # Written by Florin's install.sh, which writes it anew as long as this line is there.
|   {
|   	default_sni pay.example.com
|   	skip_install_trust
|   	# Domains of merchants: a certificate only for one that was proved in the dashboard.
|   	on_demand_tls {
|   		ask http://127.0.0.1:4000/certificates/allowed
|   	}
|   }
|   
|   pay.example.com {
|   	reverse_proxy 127.0.0.1:4000
|   }
|   
|   https:// {
|   	tls {
|   		on_demand
|   	}
|   	reverse_proxy 127.0.0.1:4000
|   }
+ systemctl enable --quiet florin
+ systemctl restart florin
+ systemctl enable --quiet caddy
+ systemctl reload-or-restart caddy
+ curl --silent --fail --resolve pay.example.com:443:127.0.0.1 https://pay.example.com/ready
+ florin setup-link
Florin would be at https://pay.example.com
`,
    });
  });

  test('of compose shows that it brings Docker where there is none, and builds the image of the release', () => {
    const { status, stdout } = install('pay.example.com --compose --from release --dry-run');
    expect([status, commandsOf(stdout)]).toEqual([
      0,
      [
        '+ apt-get update',
        '+ apt-get install --yes --no-install-recommends ca-certificates curl',
        '+ cp release/SHA256SUMS /tmp/florin-release/SHA256SUMS',
        '+ apt-get update',
        '+ apt-get install --yes --no-install-recommends docker.io docker-compose',
        '+ cp release/florin-0.6.0.tar.gz /tmp/florin-release/florin-0.6.0.tar.gz',
        '+ cp release/florin-program-0.6.0-linux-x64.tar.gz /tmp/florin-release/florin-program-0.6.0-linux-x64.tar.gz',
        '+ cp release/Containerfile /tmp/florin-release/Containerfile',
        check,
        '+ mkdir -p /opt/florin',
        '+ cd /opt/florin',
        '+ rm -rf release',
        '+ mkdir release',
        '+ cp /tmp/florin-release/SHA256SUMS /tmp/florin-release/florin-program-0.6.0-linux-x64.tar.gz /tmp/florin-release/Containerfile release',
        '+ tar -xzf /tmp/florin-release/florin-0.6.0.tar.gz --strip-components 3 --no-same-owner florin-0.6.0/ops/container',
        '+ sh prepare.sh pay.example.com',
        '+ docker compose up --detach --build',
        '+ curl --silent --fail --resolve pay.example.com:443:127.0.0.1 https://pay.example.com/ready',
        '+ docker compose exec -T florin florin setup-link',
      ],
    ]);
  });

  test('of a release elsewhere loads it by https alone, and checks the signature before anything is opened', () => {
    const { stdout } = install(
      'pay.example.com --signers signers --identity releases@example.com --dry-run',
      {
        FLORIN_RELEASES: 'https://releases.example.com/0.6.0/',
      },
    );
    const load = (name: string) =>
      `+ curl --fail --silent --show-error --location --proto =https --output /tmp/florin-release/${name} https://releases.example.com/0.6.0/${name}`;
    expect(commandsOf(stdout).slice(0, 7)).toEqual([
      '+ apt-get update',
      '+ apt-get install --yes --no-install-recommends ca-certificates curl openssh-client',
      load('SHA256SUMS'),
      load('SHA256SUMS.sig'),
      `+ sh -c 'ssh-keygen -Y verify -f "$1" -I "$2" -n florin-release -s "$3.sig" < "$3"' sh signers releases@example.com /tmp/florin-release/SHA256SUMS`,
      load('florin_VERSION_amd64.deb'),
      check,
    ]);
  });

  test('without a domain takes the address of the machine, with a certificate of its own authority', () => {
    const { stdout } = install('--from release --dry-run');
    expect(stdout).toContain('Florin would be at https://203.0.113.7\n');
    expect(stdout).toContain(
      '|   203.0.113.7 {\n|   	tls internal\n|   	reverse_proxy 127.0.0.1:4000\n|   }\n',
    );
    expect(stdout).toContain('+ curl --silent --fail --insecure --resolve 203.0.113.7:443:127.0.0.1');
  });

  test.each([
    ['pay.example.com', false],
    ['florin.lan', true],
    ['florin', true],
    ['10.0.0.5', true],
    ['pay.example.com --internal', true],
  ])('of %j asks a public authority for a certificate where one can be had', (words, isInternal) => {
    expect(install(`${words} --from release --dry-run`).stdout.includes('tls internal')).toBe(isInternal);
  });

  test('with a proxy of yours leaves Caddy out', () => {
    const { stdout } = install('pay.example.com --no-proxy --from release --dry-run');
    expect(stdout).not.toContain('caddy');
    expect(stdout).toContain('+ set TRUST_PROXY=1 in /etc/florin/florin.env');
  });

  test('says that the name leads to another machine, or nowhere', () => {
    const note = (LEADS: string) => install('pay.example.com --from release --dry-run', { LEADS }).stdout;
    expect(note('198.51.100.9')).toContain(
      'Note: pay.example.com leads to 198.51.100.9, and this machine has 203.0.113.7 2001:db8::7.',
    );
    expect(note('')).toContain('Note: pay.example.com leads nowhere yet.');
    expect(note('203.0.113.7')).not.toContain('leads');
  });

  test('installs nothing again that is there', () => {
    const { stdout } = install('pay.example.com --from release --dry-run', {
      OTHERS: 'installed',
    });
    expect(stdout).not.toContain('apt-get update');
  });
});

describe('it ends before it has changed anything', () => {
  test.each([
    ['--from release --dry-run pay.example.com other.example.com', {}, 'only one domain can be given'],
    ['pay.example.com --dry-run', {}, 'where is the release?'],
    [
      'pay.example.com --from release --signers signers --dry-run',
      {},
      '--signers and --identity go together',
    ],
    ['pay.example.com --from release --signers none --identity x --dry-run', {}, 'none cannot be read'],
    ['pay.example.com --compose --no-proxy --from release --dry-run', {}, 'it has no --no-proxy'],
    ['pay.example.com --fast', {}, 'there is no option --fast'],
    ['pay.example.com --from', {}, '--from needs a value'],
    ['pay.example.com;id --from release --dry-run', {}, 'is neither a domain nor an IPv4 address'],
    ['-- --from release', {}, 'there is no option --'],
    ['pay.example.com --from release --dry-run', { ARCH: 'riscv64' }, 'there is no Florin for riscv64'],
    [
      'pay.example.com --from release --dry-run',
      { ARCH: 'arm64' },
      'the release has no file for this machine',
    ],
    ['pay.example.com --from release --dry-run', { OS_RELEASE: 'fedora' }, 'this is Fedora Linux 43'],
    [
      'pay.example.com --from release --dry-run',
      { FLORIN: 'installed 0.5.0' },
      'Florin 0.5.0 is installed here. docs/upgrades.md says how it becomes 0.6.0',
    ],
  ])('for %j %j', (words, env, why) => {
    const given = 'OS_RELEASE' in env ? { OS_RELEASE: join(folder, env.OS_RELEASE) } : env;
    const { status, stderr } = install(words, given as Record<string, string>);
    expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
  });
});

test('--help says what it takes', () => {
  expect(install('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Usage: sh install\.sh /),
  });
});
