import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { securityChanges } from '../../gateway/src/identity/audit/audit-log.ts';
import { eventActions } from '../../gateway/src/identity/audit/security-log.ts';
import { actions, actionWords } from '../../gateway/src/identity/keys/actions.ts';
import { memberRoles, permissions, permissionWords } from '../../gateway/src/identity/roles.ts';
import { unfinished, words } from '../../gateway/src/operations/doctor/checks/finding.ts';
import type { CheckWords } from '../../gateway/src/operations/doctor/checks/words.ts';
import { errorTable } from '../error-table.ts';
import { childrenOf, type Node, nameOf, treeOf } from './syntax-tree.ts';

const root = join(import.meta.dirname, '../../gateway/src');

/**
 * The texts that the dashboard shows as the gateway sends them: refusals and their reasons, roles, permissions and
 * calls of keys with their words, what the doctor finds, and the audit log's texts for acts and subjects. `{name}` stands for a value that the gateway fills in.
 */
export function gatewayTexts(): Record<string, string> {
  const texts = new Set<string>(['test', 'live', 'operator', ...memberRoles]);
  for (const each of [...permissions, ...actions]) texts.add(each);
  for (const words of [permissionWords, actionWords].flatMap(Object.values)) texts.add(words);
  for (const text of doctorTexts()) texts.add(text);
  for (const { message } of errorTable) texts.add(message);
  for (const action of [...eventActions, ...Object.values(securityChanges).flat()]) texts.add(action);
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (/(?<!\.test)\.ts$/.test(name)) addTexts(treeOf(join(root, name)), texts);
  }
  return Object.fromEntries(
    [...texts]
      .filter(hasWords)
      .sort()
      .map((text) => [text, text]),
  );
}

/** What the doctor looks at, finds, and asks for. */
function doctorTexts(): string[] {
  const checks: readonly CheckWords[] = Object.values(words);
  const findings = [
    ...checks.flatMap((check) => Object.values(check.findings)),
    ...Object.values(unfinished),
  ];
  return [...checks.map(({ about }) => about), ...findings.flatMap(({ what, todo = what }) => [what, todo])];
}

// A text of placeholders only would match any text.
const hasWords = (text: string): boolean => /\p{L}{3}/u.test(text.replace(/\{\w+\}|, and /g, ''));

/** Adds each `action` and `why` of several words, the kind of each subject, and the texts about invalid fields. */
function addTexts(node: Node, texts: Set<string>, parent = ''): void {
  const key = node.type === 'Property' ? nameOf(node.key) : parent;
  if (node.type === 'Property') {
    const text = textOf(node.value as Node);
    if (/^(action|why)$/.test(key) && text?.includes(' ')) texts.add(text);
    if (key === 'kind' && parent === 'subject' && text) texts.add(text);
  }
  if (node.type === 'CallExpression' && nameOf(node.callee) === 'invalid') {
    const [, why] = node.arguments as Node[];
    const text = why && textOf(why);
    if (text) texts.add(text);
  }
  for (const child of childrenOf(node)) addTexts(child, texts, key);
}

/** A text of the source, with filled-in values as `{name}`. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const names = (node.expressions as Node[]).map((each, at) => nameOf(each.property ?? each) || `value${at}`);
  return (node.quasis as { value: { cooked: string } }[])
    .map(({ value }, at) => `${value.cooked}${names[at] === undefined ? '' : `{${names[at]}}`}`)
    .join('');
}
