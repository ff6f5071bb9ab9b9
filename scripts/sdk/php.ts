import type { Api, Argument, Call } from './model.ts';
import { allOf, isCreate, type Resource, resourcesOf } from './resources.ts';
import { type Model, pascal, type Type } from './schemas.ts';
import { camel, lines, notice, sentence, spread } from './words.ts';

const folder = 'sdk/php/src';
const head = `<?php\n\n// ${notice}\n\ndeclare(strict_types=1);\n\n`;

/** The generated files of the PHP SDK, by their paths. */
export function phpFiles(api: Api): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [group, models] of Map.groupBy(api.models, (model) => model.group))
    files[`${folder}/Types/${pascal(group)}.php`] = typesText(group, models, api);
  const [root, ...resources] = resourcesOf(api.calls);
  for (const resource of resources)
    files[`${folder}/Calls/${className(resource.place)}.php`] = resourceText(resource, api);
  if (root) files[`${folder}/Calls/Calls.php`] = rootText(root, api);
  return files;
}

const className = (place: string[]): string => `${pascal(place.join('.'))}Calls`;

/** What a number is: a text is sent without a float between, and answers have what PHP reads. */
function numberText(api: Api, model: string): string {
  const sent = api.inputs.has(model) ? ['string', 'int'] : ['int'];
  return [...sent, ...(api.answers.has(model) || !api.inputs.has(model) ? ['float'] : [])].join('|');
}

/** The type of PHPStan and Psalm; `numbers` is what stands for a number. */
function typeText(type: Type, numbers: string): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return numbers;
    case 'decimal':
      return 'string|int';
    case 'boolean':
      return 'bool';
    case 'nothing':
      return 'null';
    case 'choice':
      return type.values.map((value) => `'${value}'`).join('|');
    case 'model':
      return type.name;
    case 'list':
      return `list<${typeText(type.of, numbers)}>`;
    case 'page':
      return `array{items: list<${typeText(type.of, numbers)}>, next_cursor: string|null}`;
    case 'nullable':
      return `${typeText(type.of, numbers)}|null`;
    case 'oneOrList':
      return `${typeText(type.of, numbers)}|list<${typeText(type.of, numbers)}>`;
  }
}

/** The native type, which every version has. */
function nativeText(type: Type, models: Model[]): string {
  const found = type.kind === 'model' ? models.find(({ name }) => name === type.name) : undefined;
  if (found) return 'values' in found ? 'string' : 'array';
  if (type.kind === 'integer') return 'int';
  if (type.kind === 'nothing') return 'void';
  if (type.kind === 'nullable') return `?${nativeText(type.of, models)}`;
  return type.kind === 'list' || type.kind === 'page' ? 'array' : 'string';
}

function typesText(group: string, models: Model[], api: Api): string {
  const texts = models.map((model) => modelText(model, api));
  const imports = importsOf(texts.join('\n'), api, group);
  return `${head}namespace Florin\\Types;\n\n/**\n * The types of what is sent and answered: ${group.replaceAll('_', ' ')}.\n *\n${imports}${texts.join(' *\n')} */\nfinal class ${pascal(group)}\n{\n}\n`;
}

function modelText(model: Model, api: Api): string {
  const doc = lines(model.doc, ' * ').map((line) => `${line}\n`);
  const start = `${doc.join('')} * @phpstan-type ${model.name} `;
  if ('values' in model) return `${start}${model.values.map((value) => `'${value}'`).join('|')}\n`;
  const numbers = numberText(api, model.name);
  const fields = model.fields.map(
    ({ name, type, isRequired }) => ` *     ${name}${isRequired ? '' : '?'}: ${typeText(type, numbers)},\n`,
  );
  return `${start}array{\n${fields.join('')} * }\n`;
}

/** The imports of the types that a text uses and that are of other groups. */
function importsOf(text: string, api: Api, own: string): string {
  const code = text.replaceAll(/'[^']*'/g, '');
  const used = api.models.filter(
    ({ name, group }) => group !== own && new RegExp(`(?:: |<|\\||@\\w+ )${name}\\b`).test(code),
  );
  const found = used.map(
    ({ name, group }) => ` * @phpstan-import-type ${name} from \\Florin\\Types\\${pascal(group)}\n`,
  );
  return found.length === 0 ? '' : `${found.join('')} *\n`;
}

function classText(doc: string, declaration: string, body: string, api: Api): string {
  const imports = importsOf(body, api, '').replace(/ \*\n$/, '');
  const between = imports === '' ? '' : ' *\n';
  const uses = [
    'FlorinException',
    'Internal\\CallGroup',
    ...(body.includes('Sender $') ? ['Internal\\Sender'] : []),
  ];
  const used = uses.map((name) => `use Florin\\${name};\n`).join('');
  return `${head}namespace Florin\\Calls;\n\n${used}\n/**\n * ${doc}\n${between}${imports} */\n${declaration}\n{\n${body}}\n`;
}

function resourceText(resource: Resource, api: Api): string {
  const { place, calls } = resource;
  const body = [...childrenText(resource), ...calls.flatMap((call) => callTexts(call, api))].join('\n');
  return classText(
    `The calls of \`${place.join('->')}\`.`,
    `final class ${className(place)} extends CallGroup`,
    body,
    api,
  );
}

function rootText(root: Resource, api: Api): string {
  const body = [...childrenText(root), ...root.calls.flatMap((call) => callTexts(call, api))].join('\n');
  return classText('Every call of the merchant API, by place.', 'class Calls extends CallGroup', body, api);
}

function childrenText({ place, children }: Resource): string[] {
  if (children.length === 0) return [];
  const kinds = children.map((child) => [child, className([...place, child])] as const);
  const declared = kinds.map(([child, kind]) => `    public ${kind} $${child};\n`);
  const made = kinds.map(([child, kind]) => `        $this->${child} = new ${kind}($sender);\n`);
  return [
    declared.join(''),
    `    public function __construct(Sender $sender)\n    {\n        parent::__construct($sender);\n${made.join('')}    }\n`,
  ];
}

function callTexts(call: Call, api: Api): string[] {
  return [callText(call, api), ...(call.isPaged ? [allText(call, api)] : [])];
}

function parameter({ name, type, isOptional }: Argument, api: Api): string {
  return `${nativeText(type, api.models)} $${camel(name)}${isOptional ? ' = []' : ''}`;
}

/** A documented function; a definition has no comma at its end before PHP 8. */
function functionText(call: Call, { verb, summary, answer, native, given, body }: Written): string {
  const documented = call.arguments
    .filter(({ type }) => type.kind === 'model')
    .map(({ name, type }) => `     * @param ${typeText(type, 'string|int')} $${camel(name)}\n`);
  const returned = native === 'void' ? '' : `     * @return ${answer}\n`;
  const doc = `    /**\n     * ${sentence(summary)}\n     *\n${documented.join('')}${returned}     * @throws FlorinException\n     */\n`;
  const declared = spread(`    public function ${verb}(`, given, `): ${native}`).replace(
    /,(\n *\).*)$/,
    '$1',
  );
  const open = declared.includes('\n') ? ' {' : '\n    {';
  return `${doc}${declared}${open}\n${body}    }\n`;
}

type Written = {
  verb: string;
  summary: string;
  answer: string;
  native: string;
  given: string[];
  body: string;
};

function callText(call: Call, api: Api): string {
  const made = isCreate(call);
  const answer = typeText(call.answer, 'int|float') + (made ? '&array{replayed: bool}' : '');
  const native = nativeText(call.answer, api.models);
  const key = call.isWrite ? ['?string $idempotencyKey = null'] : [];
  const given = [...call.arguments.map((each) => parameter(each, api)), ...key];
  const sends = `        ${native === 'void' ? '' : 'return '}$this->${made ? 'createPayment' : 'call'}(`;
  const body = `${spread(sends, sentOf(call), ');')}\n`;
  return functionText(call, { verb: call.verb, summary: call.summary, answer, native, given, body });
}

/** The name of the call and its parts. */
function sentOf({ method, template, arguments: given, isWrite, numbers }: Call): string[] {
  const path = given.filter(({ from }) => from === 'path').map(({ name }) => `$${camel(name)}`);
  const parts = [
    ...(path.length > 0 ? [`'path' => [${path.join(', ')}]`] : []),
    ...given.flatMap(({ name, from }) => {
      if (from === 'path') return [];
      if (from === 'body' || from === 'query') return [`'${from}' => $${camel(name)}`];
      return [`'${from.replace('Field', '')}' => ['${name}' => $${camel(name)}]`];
    }),
    ...(isWrite ? [`'key' => $idempotencyKey`] : []),
    ...(numbers.length > 0 ? [`'numbers' => [${numbers.map((each) => `'${each}'`).join(', ')}]`] : []),
  ];
  const call = `'${method} ${template}'`;
  if (parts.length === 0) return [call];
  return [call, spread('            [', parts, ']').trimStart()];
}

function allText(call: Call, api: Api): string {
  const item = call.answer.kind === 'page' ? typeText(call.answer.of, 'int|float') : 'mixed';
  const names = call.arguments.map(({ name, from }) => (from === 'query' ? '$page' : `$${camel(name)}`));
  const used = call.arguments.filter(({ from }) => from === 'path').map(({ name }) => `$${camel(name)}`);
  const captured = used.length > 0 ? ` use (${used.join(', ')})` : '';
  const body =
    `        return $this->everyItem(function (array $page)${captured} {\n` +
    `            return $this->${call.verb}(${names.join(', ')});\n        }, $filter);\n`;
  return functionText(call, {
    verb: allOf(call),
    summary: `${sentence(call.summary)} Fetches the next page only when it is needed`,
    answer: `\\Generator<int, ${item}>`,
    native: '\\Generator',
    given: call.arguments.map((each) => parameter(each, api)),
    body,
  });
}
