// Writes the parts of the docs that are generated from the code. `--check` writes nothing and fails when one is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES, nameOf } from '../gateway/src/checkout/locale.ts';
import { settings } from '../gateway/src/config/settings.ts';
import { actionViews } from '../gateway/src/identity/keys/maker-rights.ts';
import { mayRole, memberRoles, permissions, viewOf } from '../gateway/src/identity/roles.ts';
import { unfinished, words } from '../gateway/src/operations/doctor/checks/finding.ts';
import type { Words } from '../gateway/src/operations/doctor/checks/words.ts';
import { outcomes, type Scenario, scenarios } from '../gateway/src/rails/simulated/scenarios.ts';
import { roads } from '../gateway/test/roads/roads.ts';
import { boardFiles } from '../ops/grafana/boards.ts';
import { commandsPart } from './docs-commands.ts';
import { errorTable } from './error-table.ts';
import { coloursTable } from './look-colours.ts';
import { table } from './markdown-table.ts';

const root = join(import.meta.dirname, '..');
const notice = '<!-- Written by scripts/docs.ts: change the code, then run it. -->';

/** One document: its path from the repository's root, its text now, and the text that the code gives. */
export type GeneratedDoc = { path: string; current: string; expected: string };

/** Every document that is generated, in whole or between markers. */
export function generatedDocs(): GeneratedDoc[] {
  return [
    generatedDoc('docs/errors.md', errorsPage),
    generatedDoc('docs/cli.md', (current) => between(current, 'commands', commandsPart())),
    generatedDoc('docs/configuration.md', (current) => between(current, 'settings', settingsTable())),
    generatedDoc('docs/dashboard.md', (current) =>
      between(between(current, 'roles', rolesTable()), 'key-calls', keyCallsTable()),
    ),
    generatedDoc('docs/doctor.md', (current) => between(current, 'checks', checksTable())),
    generatedDoc('docs/languages.md', (current) => between(current, 'languages', languagesList())),
    generatedDoc('docs/look.md', (current) => between(current, 'colours', coloursTable())),
    generatedDoc('docs/test-mode.md', (current) => between(current, 'outcomes', outcomesTable())),
    generatedDoc('docs/threat-model.md', (current) => between(current, 'roads', roadsTable())),
    ...boardFiles.map(({ path, text }) => generatedDoc(path, () => text)),
  ];
}

function generatedDoc(path: string, render: (current: string) => string): GeneratedDoc {
  const current = readFileSync(join(root, path), 'utf8');
  return { path, current, expected: render(current) };
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`; throws when the markers are not there. */
function between(document: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [document.indexOf(start), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The document has no part between ${start} and ${end}`);
  return `${document.slice(0, from + start.length)}\n${notice}\n\n${content}\n\n${document.slice(to)}`;
}

/** A row for each permission, with the roles that have it. */
function rolesTable(): string {
  const rows = viewOf(permissions).map(({ name, words, moves_money }) => {
    const may = memberRoles.map((role) => (mayRole(role, name) ? 'yes' : ''));
    return [moves_money ? `**${words}**` : words, ...may];
  });
  return table(['may', ...memberRoles], rows);
}

function keyCallsTable(): string {
  const rows = actionViews.map(({ name, words, named_only, moves_money }) => {
    return [`\`${name}\``, words, moves_money ? 'yes' : '', named_only ? 'only where it is named' : ''];
  });
  return table(['right', 'a key with it may', 'moves money', 'in a key without a list'], rows);
}

function languagesList(): string {
  const english = new Intl.DisplayNames('en', { type: 'language' });
  return LOCALES.map((tag) => `- \`${tag}\` ${english.of(tag)}: ${nameOf(tag)}`).join('\n');
}

/** A row for each thing that each check may find. */
function checksTable(): string {
  const ofChecks = Object.entries(words).flatMap(([check, { findings }]) => rowsOf(check, findings));
  return table(
    ['check', 'finding', 'level', 'what is so', 'what to do'],
    [...ofChecks, ...rowsOf('any', unfinished)],
  );
}

const rowsOf = (check: string, findings: Readonly<Record<string, Words>>): string[][] =>
  Object.entries(findings).map(([finding, { level, what, todo = '' }]) => [
    ...[`\`${check}\``, `\`${finding}\``, level, what, todo],
  ]);

function outcomesTable(): string {
  const rows = outcomes.map((outcome) => {
    const { happens, ends, changes }: Scenario = scenarios[outcome];
    const decides = changes.amount === 'nothing' ? 'all' : Object.keys(changes).map(nameOfAspect).join(', ');
    return [`\`${outcome}\``, happens, ends, decides];
  });
  return table(['outcome', 'what happens', 'where it ends', 'decides'], rows);
}

function roadsTable(): string {
  const rows = roads.map(({ name, asks, approves, limit, factor }) => {
    return [name, asks, approves.says, limit.says, factor.says];
  });
  return table(['way', 'who asks', 'who approves', 'which limit', 'which second factor'], rows);
}

function nameOfAspect(aspect: string): string {
  return { first: 'beginning', last: 'end' }[aspect] ?? aspect;
}

function errorsPage(): string {
  const rows = errorTable
    .toSorted((a, b) => a.status - b.status || a.code - b.code)
    .map(({ status, message, slug, code, retryable }) => [
      `${status}`,
      `\`${message}\``,
      `\`${slug}\``,
      `${code}`,
      retryable ? 'yes' : 'no',
    ]);
  return `# Errors

${notice}

Every refusal of the API by its status, such as 400, 401, 403, 404, 409, 422 and 429: its text, and whether to try again.

A refused call answers with this body:

\`\`\`json
{
  "message": "amount must be a positive number",
  "data": null,
  "code": 4000,
  "error": "amount_not_positive",
  "request_id": "4f6c2a9e-5d0b-4e53-9a51-0c8a7f3b1d22"
}
\`\`\`

- \`message\` is for people, and exact: programs may match on it. Words in braces are filled in.
- \`error\` and \`code\` are for programs. They do not change.
- \`request_id\` names the call, and stands beside every fault in the gateway's log. Quote it when you ask the operator.
- \`details\`, a list of \`{ "field", "message" }\`, comes with it when several fields are wrong. \`message\` is then the first of them.

"Try again" says whether the same request may succeed later. Send it with the same \`Idempotency-Key\`, so that it takes
effect once; see [idempotency](idempotency.md). A 429 says in \`Retry-After\` how many seconds to wait. Every other refusal
needs a change first: of the request, of the key, or of what it is about.

${table(['status', 'message', 'error', 'code', 'try again'], rows)}
`;
}

function settingsTable(): string {
  const rows = settings.map(({ name, fallback, help }) => [
    `\`${name}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    help,
  ]);
  return table(['variable', 'default', 'meaning'], rows);
}

function main(args: string[]): void {
  const stale = generatedDocs().filter(({ current, expected }) => current !== expected);
  if (args.includes('--check')) {
    for (const { path } of stale) console.error(`${path} is stale: run node scripts/docs.ts`);
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  for (const { path, expected } of stale) writeFileSync(join(root, path), expected);
  console.log(
    stale.length === 0 ? 'The docs are up to date.' : `Wrote ${stale.map(({ path }) => path).join(', ')}.`,
  );
}

if (import.meta.main) main(process.argv.slice(2));
