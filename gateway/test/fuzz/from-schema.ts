import { oddNumber, oddText, oddValue, urls } from './odd.ts';
import type { Random } from './random.ts';

export type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
};

/** How a value of a name may look where no schema says it, by what the name contains. */
const byName: readonly [RegExp, (random: Random) => unknown][] = [
  [
    /amount|price|expected|minimum|adjustment/,
    (random) => random.pick([25, '25', '0.5', 1, 3, '1000000', oddNumber(random)]),
  ],
  [/asset/, (random) => random.pick(['usdc-base', 'pi', 'usdt-bep20', 'csk-bep20', 'usdc-erc20'])],
  [/currency/, (random) => random.pick(['USDC', 'PI', 'USDT', 'CSK', 'usdc-base'])],
  [/url|link/, (random) => random.pick(urls)],
  [
    /email/,
    (random) => random.pick(['ada@example.com', 'owner@example.com', `a${random.int(1e6)}@example.com`]),
  ],
  [
    /password/,
    (random) => random.pick(['correct horse battery', 'short', `a long enough one ${random.int(1e6)}`]),
  ],
  [/username/, (random) => random.pick(['ada', 'ADA', 'nobody', 'john_doe'])],
  [/role/, (random) => random.pick(['owner', 'developer', 'finance', 'support', 'viewer'])],
  [/events|types/, () => ['payment_completed', 'payment_failed']],
  [
    /outcome/,
    (random) =>
      random.pick(['success', 'failure', 'underpaid', 'overpaid', 'split', 'late', 'dispute', 'slow']),
  ],
  [/^to$|address/, (random) => random.pick(['test_wallet', `0x${'ab'.repeat(20)}`, 'x'])],
  [
    /seconds|days|bps|limit|hours|number|count|every/,
    (random) => random.pick([0, 1, 10, 60, 100, oddNumber(random)]),
  ],
  [/actions/, (random) => [random.pick(['create payments', 'make payouts', 'fund users', 'read payments'])]],
  [
    /^from$|^to$|since|until|_at$|day|date/,
    (random) => random.pick(['2026-01-01', '2026-11-20T18:00:00Z', '9999-12-31']),
  ],
  [/code/, (random) => `${100_000 + random.int(900_000)}`],
  [/live|test|dry|enabled|confirm|is_/, (random) => random.chance(0.5)],
];

/** A value that may be taken for a field of this name. */
export function valueFor(name: string, random: Random): unknown {
  if (random.chance(0.25)) return oddValue(random);
  const hint = byName.find(([pattern]) => pattern.test(name));
  return hint ? hint[1](random) : oddText(random);
}

/** A value of the schema, and in the share `oddness` of its parts another one. */
export function fromSchema(schema: Schema, random: Random, oddness: number, name = ''): unknown {
  if (random.chance(oddness)) return random.chance(0.5) ? valueFor(name, random) : oddValue(random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return fromSchema(random.pick(schema.anyOf), random, oddness, name);
  switch (schema.type) {
    case 'object':
      return objectOf(schema, random, oddness);
    case 'array':
      return Array.from({ length: random.int(3) }, () =>
        fromSchema(schema.items ?? {}, random, oddness, name),
      );
    case 'integer':
    case 'number':
      return numberOf(schema, random, name);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return textOf(schema, random, name);
  }
}

function objectOf(schema: Schema, random: Random, oddness: number): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  const fields: [string, unknown][] = [];
  const asked = schema.properties?.price ? askedFields(random) : new Map<string, boolean>();
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const isThere =
      asked.get(name) ?? (required.has(name) ? !random.chance(oddness / 3) : random.chance(0.3));
    if (isThere) fields.push([name, fromSchema(part, random, oddness, name)]);
  }
  if (random.chance(oddness)) fields.push([oddText(random), oddValue(random)]);
  return Object.fromEntries(fields);
}

/** What asks an amount or a price mostly has one of them, and a currency. */
function askedFields(random: Random): Map<string, boolean> {
  const isPrice = random.chance(0.4);
  const isBoth = random.chance(0.05);
  return new Map([
    ['amount', !isPrice || isBoth],
    ['price', isPrice || isBoth],
    ['currency', random.chance(isPrice ? 0.5 : 0.95)],
    ['currencies', isPrice && random.chance(0.3)],
  ]);
}

function numberOf({ type, minimum = 0, maximum = 1000 }: Schema, random: Random, name: string): number {
  if (/amount|price/.test(name)) return random.pick([1, 2.5, 10, 25, 12.25, 100]);
  const whole = minimum + random.int(Math.min(maximum - minimum, 1000) + 1);
  return type === 'integer' ? whole : whole + random.pick([0, 0.5]);
}

function textOf({ format, pattern }: Schema, random: Random, name: string): unknown {
  if (format === 'uri') return random.pick(urls);
  if (pattern?.startsWith('^[A-Za-z0-9._')) return `R-${random.int(1e9)}`;
  if (pattern === '^[A-Z]{3}$') return random.pick(['EUR', 'EUR', 'USD', 'JPY', 'KWD', 'XAU', 'EURO']);
  if (format === 'uuid') return random.pick(['00000000-0000-7000-8000-000000000000', 'x']);
  if (format === 'date-time') return new Date(1.7e12 + random.int(1e9) * 100).toISOString();
  return valueFor(name, random);
}
