import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** The root of the repository. */
export const root = join(import.meta.dirname, '../../..');

export type Source = { path: string; text: string };

/** The repository's files that match, without what is installed, made or kept out of it. */
export function sources(...patterns: string[]): Source[] {
  const exclude = [
    '**/node_modules/**',
    '.git/**',
    '**/dist*/**',
    'data/**',
    'coverage/**',
    'screenshots/**',
  ];
  const paths = globSync(patterns, { cwd: root, exclude }).map((path) => path.replaceAll('\\', '/'));
  return paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export const isTest = (path: string): boolean => /\.test\.ts$|\/test\//.test(path);
export const programs = sources(
  '{gateway,sdk,cli,receiver-check,contracts,web,examples,scripts,bench,shops,ops}/**/*.{ts,tsx,mjs,js}',
);
export const gateway = programs.filter(({ path }) => path.startsWith('gateway/src/') && !isTest(path));

/** `path: matched text` for every match. */
export function matches(files: Source[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([found]) => `${path}: ${found.trim()}`),
  );
}

const importPatterns = [
  /^(?:import|export)\b[^;'"]*?\bfrom '([^']+)'/gm,
  /^import '([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
];

/** What a file imports: paths from the root for the repository's own files, names for packages. */
export function importsOf({ path, text }: Source): string[] {
  const specifiers = importPatterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match[1]!),
  );
  return specifiers.map((name) => (name.startsWith('.') ? join(dirname(path), name) : name));
}

/** Whether one leads to another by way of `next`, in one step or more. */
export function reaches(
  next: Map<string, Iterable<string>>,
  from: string,
  goal: string,
  seen = new Set<string>(),
): boolean {
  for (const to of next.get(from) ?? []) {
    if (to === goal) return true;
    if (seen.has(to)) continue;
    seen.add(to);
    if (reaches(next, to, goal, seen)) return true;
  }
  return false;
}
