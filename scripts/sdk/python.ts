import type { Api, Argument, Call } from './model.ts';
import { allOf, isCreate, type Resource, resourcesOf } from './resources.ts';
import { type Field, type Model, pascal, type Type } from './schemas.ts';
import { lines, notice, sentence, snake, spread } from './words.ts';

const folder = 'sdk/python/florin';
const keywords = new Set(['from', 'class', 'in', 'is']);
const typing = ['Any', 'Iterator', 'List', 'Literal', 'Optional', 'Sequence', 'TypedDict', 'Union'];

/** The generated files of the Python SDK, by their paths. */
export function pythonFiles(api: Api): Record<string, string> {
  const files: Record<string, string> = {};
  const groups = Map.groupBy(api.models, ({ group }) => group);
  for (const [group, models] of groups) {
    // A text of several values is used where it stands, so that it comes first.
    const sorted = models.toSorted((a, b) => Number('values' in b) - Number('values' in a));
    const text = sorted.map((model) => modelText(model, api.inputs.has(model.name))).join('\n\n');
    files[`${folder}/models/${group}.py`] = moduleText(text, modelImports(group, text, groups));
  }
  const names = [...groups].map(
    ([group, models]) =>
      `from .${group} import (\n${models.map(({ name }) => `    ${name} as ${name},\n`).join('')})`,
  );
  files[`${folder}/models/__init__.py`] =
    `# ${notice}\n"""The types of what is sent and answered."""\n${names.join('\n')}\n`;
  const [root, ...resources] = resourcesOf(api.calls);
  for (const [group, all] of Map.groupBy(resources, (each) => each.group)) {
    const text = all.map(resourceText).join('\n\n');
    files[`${folder}/calls/${group}.py`] = moduleText(text, callImports(text, api));
  }
  if (root) files[`${folder}/calls/__init__.py`] = rootText(root, resources, api);
  return files;
}

function moduleText(text: string, imports: string[]): string {
  const words = typing.filter((name) => isUsed(name, text));
  const from = words.length > 0 ? [`from typing import ${words.join(', ')}`, ''] : [];
  return `# ${notice}\nfrom __future__ import annotations\n\n${[...from, ...imports].join('\n')}\n\n\n${text}`;
}

function modelImports(group: string, text: string, groups: Map<string, Model[]>): string[] {
  const numbers = ['Amount', 'Number'].filter((name) => isUsed(name, text));
  return [
    ...(numbers.length > 0 ? [`from .._json import ${numbers.join(', ')}`] : []),
    ...[...groups].flatMap(([other, models]) => {
      const used = models.map(({ name }) => name).filter((name) => isUsed(name, text));
      return other === group || used.length === 0 ? [] : [`from .${other} import ${used.join(', ')}`];
    }),
  ];
}

function callImports(text: string, api: Api): string[] {
  const used = api.models.map(({ name }) => name).filter((name) => isUsed(name, text));
  const pages = ['Page', 'every_item'].filter((name) => isUsed(name, text));
  const lost = isUsed('create_payment', text);
  return [
    ...(lost ? ['from .._lost_payment import CreateResult, create_payment'] : []),
    ...(pages.length > 0 ? [`from .._pages import ${pages.join(', ')}`] : []),
    `from .._sender import Resource${isUsed('Sender', text) ? ', Sender' : ''}`,
    ...(used.length > 0
      ? [spread('from ..models import (', used, ')').replace(/^(.*) \((\w.*)\)$/, '$1 $2')]
      : []),
  ];
}

/** Whether code has a name, outside of its comments. */
function isUsed(name: string, text: string): boolean {
  const code = text.replaceAll(/"""[\s\S]*?"""|^\s*#.*$|"[^"]*"/gm, '');
  return new RegExp(`\\b${name}\\b`).test(code.replaceAll(/^ {4}\w+: /gm, ''));
}

function typeText(type: Type, isInput: boolean): string {
  switch (type.kind) {
    case 'text':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return isInput ? 'Amount' : 'Number';
    case 'decimal':
      return 'Amount';
    case 'boolean':
      return 'bool';
    case 'nothing':
      return 'None';
    case 'choice':
      return `Literal[${type.values.map((value) => `"${value}"`).join(', ')}]`;
    case 'model':
      return type.name;
    case 'list':
      return `${isInput ? 'Sequence' : 'List'}[${typeText(type.of, isInput)}]`;
    case 'page':
      return `Page[${typeText(type.of, isInput)}]`;
    case 'nullable':
      return `Optional[${typeText(type.of, isInput)}]`;
    case 'oneOrList':
      return `Union[${typeText(type.of, isInput)}, Sequence[${typeText(type.of, isInput)}]]`;
  }
}

function modelText(model: Model, isInput: boolean): string {
  const { name, doc } = model;
  if ('values' in model) {
    const comment = lines(doc, '# ').map((line) => `${line}\n`);
    const values = model.values.map((value) => `    "${value}",\n`).join('');
    return `${comment.join('')}${name} = Literal[\n${values}]\n`;
  }
  const { fields } = model;
  if (fields.some((field) => keywords.has(field.name))) return functionText(model, fields, isInput);
  const quoted = docText(doc);
  const body = (chosen: Field[]) => chosen.map((field) => fieldText(field, isInput)).join('');
  const required = fields.filter((field) => field.isRequired);
  const optional = fields.filter((field) => !field.isRequired);
  const classText = (head: string, chosen: Field[]) => `class ${head}:\n${quoted.join('')}${body(chosen)}`;
  if (optional.length === 0) return classText(`${name}(TypedDict)`, required);
  if (required.length === 0) return classText(`${name}(TypedDict, total=False)`, optional);
  const base = `class _${name}Required(TypedDict):\n${body(required)}`;
  return `${base}\n\n${classText(`${name}(_${name}Required, total=False)`, optional)}`;
}

/** A docstring. */
function docText(doc: string): string[] {
  if (doc === '') return [];
  const [first = '', ...more] = lines(doc, '    ', 96).map((line) => line.trim());
  const rest = more.map((line) => `    ${line}\n`);
  return [`    """${first}${rest.length === 0 ? '' : `\n${rest.join('')}    `}"""\n\n`];
}

function fieldText({ name, doc, type }: Field, isInput: boolean): string {
  const comment = lines(doc, '    # ').map((line) => `${line}\n`);
  return `${comment.join('')}    ${name}: ${typeText(type, isInput)}\n`;
}

/** A type with a field that is a word of Python. */
function functionText({ name, doc }: Model, fields: Field[], isInput: boolean): string {
  const isWhole = fields.every(({ isRequired }) => isRequired);
  if (!isWhole && fields.some(({ isRequired }) => isRequired))
    throw new Error(`${name} has required fields and others`);
  const total = isWhole ? '' : '    total=False,\n';
  const entries = fields.map((field) => {
    const comment = lines(field.doc, '        # ').map((line) => `${line}\n`);
    return `${comment.join('')}        "${field.name}": ${typeText(field.type, isInput)},\n`;
  });
  const comment = lines(doc, '# ').map((line) => `${line}\n`);
  return `${comment.join('')}${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('')}    },\n${total})\n`;
}

const className = ({ place }: Resource): string => `${pascal(place.join('.'))}Calls`;

function resourceText(resource: Resource): string {
  const head = `class ${className(resource)}(Resource):\n    """The calls of \`${resource.place.map(snake).join('.')}\`."""\n`;
  return head + childrenText(resource) + resource.calls.map(callText).join('');
}

function childrenText({ place, children }: Resource): string {
  if (children.length === 0) return '';
  const made = children.map(
    (child) => `        self.${snake(child)} = ${pascal([...place, child].join('.'))}Calls(sender)\n`,
  );
  return `\n    def __init__(self, sender: Sender) -> None:\n        super().__init__(sender)\n${made.join('')}`;
}

function rootText(root: Resource, resources: Resource[], api: Api): string {
  const text = `class Calls(Resource):\n    """Every call of the merchant API, by place."""\n${childrenText(root)}${root.calls.map(callText).join('')}`;
  const firsts = resources.filter(({ place }) => place.length === 1);
  const imports = [...Map.groupBy(firsts, ({ group }) => group)].map(
    ([group, all]) => `from .${group} import ${all.map(className).join(', ')}`,
  );
  return moduleText(text, [...callImports(text, api), ...imports]);
}

function parameter({ name, from, type, isOptional }: Argument): string {
  const written = typeText(type, from !== 'path');
  return isOptional ? `${name}: Optional[${written}] = None` : `${name}: ${written}`;
}

function callText(call: Call): string {
  const given = ['self', ...call.arguments.map(parameter)];
  const key = call.isWrite ? ['*', 'idempotency_key: Optional[str] = None'] : [];
  const answer = isCreate(call) ? 'CreateResult' : typeText(call.answer, false);
  const head = spread(`    def ${snake(call.verb)}(`, [...given, ...key], `) -> ${answer}:`);
  return `\n${head}\n        """${sentence(call.summary)}"""\n${bodyOf(call, answer)}\n${call.isPaged ? allText(call) : ''}`;
}

function bodyOf(call: Call, answer: string): string {
  const sent = sentOf(call);
  if (isCreate(call)) return spread('        return create_payment(', ['self._sender', ...sent], ')');
  if (call.answer.kind === 'page') return spread('        return self._page(', sent, ')');
  if (call.answer.kind === 'nothing') return spread('        self._call(', sent, ')');
  return `${spread(`        data: ${answer} = self._call(`, sent, ')')}\n        return data`;
}

/** The arguments of the function that sends. */
function sentOf({ method, template, arguments: given, isWrite, numbers }: Call): string[] {
  const part = ({ name, from, isOptional }: Argument): string => {
    if (from === 'path') return name;
    if (from === 'body') return `body=${isOptional ? `${name} or {}` : name}`;
    if (from === 'query') return `query=${name}`;
    return `${from === 'bodyField' ? 'body' : 'query'}={"${name}": ${name}}`;
  };
  const listed = numbers.map((path) => `"${path}",`);
  return [
    `"${method} ${template}"`,
    ...given.map(part),
    ...(isWrite ? ['key=idempotency_key'] : []),
    ...(numbers.length > 0 ? [`numbers=(${listed.join(' ').replace(/(?<=,.*),$/, '')})`] : []),
  ];
}

function allText(call: Call): string {
  const item = call.answer.kind === 'page' ? typeText(call.answer.of, false) : 'Any';
  const given = ['self', ...call.arguments.map(parameter)];
  const names = call.arguments.map(({ name, from }) => (from === 'query' ? 'page' : name)).join(', ');
  return [
    `\n${spread(`    def ${snake(allOf(call))}(`, given, `) -> Iterator[${item}]:`)}`,
    `        """${sentence(call.summary)} Fetches the next page only when it is needed."""`,
    `        return every_item(lambda page: self.${snake(call.verb)}(${names}), filter)\n`,
  ].join('\n');
}
