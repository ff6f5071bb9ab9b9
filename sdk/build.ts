import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;
const out = join(root, process.argv[2] ?? 'dist');

/**
 * Makes `dist/`, the package as it is published: plain JavaScript for whatever does not strip types. The comments
 * go into the declarations alone. Inside the workspace nothing needs it.
 */
function build(): void {
  rmSync(out, { recursive: true, force: true });
  compile('--removeComments');
  compile('--declaration', '--emitDeclarationOnly');
  const { exports: _sources, scripts: _scripts, ...manifest } = readManifest();
  const entry = { types: './index.d.ts', default: './index.js' };
  const published = { ...manifest, sideEffects: false, exports: { '.': entry } };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  copyFileSync(join(root, 'README.md'), join(out, 'README.md'));
}

function compile(...options: string[]): void {
  execFileSync('tsc', ['-p', join(root, 'tsconfig.build.json'), '--outDir', out, ...options], {
    stdio: 'inherit',
  });
}

function readManifest(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
}

build();
