import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = import.meta.dirname;

/**
 * Makes the package as it is published, in `dist` or where the first argument says: plain JavaScript for whatever
 * does not strip types. The comments go into the declarations alone. Inside the workspace nothing needs it.
 */
function build(out: string): void {
  rmSync(out, { recursive: true, force: true });
  compile(out, '--removeComments');
  compile(out, '--declaration', '--emitDeclarationOnly');
  const { exports: _sources, private: _kept, scripts: _scripts, ...manifest } = readManifest();
  const entry = { types: './index.d.ts', default: './index.js' };
  const published = {
    ...manifest,
    sideEffects: false,
    // The last two are for tools that do not read `exports`.
    exports: { '.': entry, './package.json': './package.json' },
    main: entry.default,
    types: entry.types,
    files: ['*.js', '*.d.ts'],
  };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  copyFileSync(join(root, 'README.md'), join(out, 'README.md'));
  copyFileSync(join(root, '../../LICENSE'), join(out, 'LICENSE'));
}

function compile(out: string, ...options: string[]): void {
  const tsc = join(root, '../../node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(root, 'tsconfig.build.json'), '--outDir', out, ...options], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

function readManifest(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
}

build(resolve(process.argv[2] ?? join(root, 'dist')));
