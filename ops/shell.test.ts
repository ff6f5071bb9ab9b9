import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';

const debian = 'debian/{florin,postinst,postrm,prerm}';
const scripts = globSync(['**/*.sh', debian], { cwd: import.meta.dirname }).sort();
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;

test('scripts for machines are read by a POSIX shell', () => {
  expect(scripts.length).toBeGreaterThanOrEqual(3);
  for (const script of scripts) {
    const { status, stderr } = spawnSync('sh', ['-n', script], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect([script, status, stderr]).toEqual([script, 0, '']);
  }
});

// Where it is not installed this is shown as not run.
test.skipIf(!hasShellcheck)('shellcheck finds nothing in them', () => {
  const { stdout } = spawnSync('shellcheck', ['--shell=sh', ...scripts], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});
