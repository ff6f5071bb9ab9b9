import { exampleOf } from '../../gateway/src/api/document/examples.ts';
import { literal, php, python } from '../../gateway/src/api/site/literals.ts';
import { goValue } from './go-values.ts';
import type { Api, Argument, Call } from './model.ts';
import { pascal } from './schemas.ts';
import { snake } from './words.ts';

const path = 'gateway/src/api/site/sdk-samples.json';

/** A call in each language that has no sample of its own in the gateway. */
type Samples = { Python: string; PHP: string; Go: string };

/** The samples of the reference, by call: with this address and key, which the site replaces. */
export function sampleFiles(api: Api): Record<string, string> {
  const samples = api.calls.map((call): [string, Samples] => {
    const name = `${call.method} ${call.template}`;
    const values = valuesOf(call, name);
    return [name, { Python: inPython(call, values), PHP: inPhp(call, values), Go: inGo(call, values, api) }];
  });
  return { [path]: `${JSON.stringify(Object.fromEntries(samples), null, 2)}\n` };
}

/** An argument with the value that the example of the call has for it; numbers are texts, as the SDKs take them. */
type Given = { argument: Argument; value: unknown };

function valuesOf(call: Call, name: string): Given[] {
  const example = exampleOf(name);
  if (!example) throw new Error(`${name} has no example`);
  const query = Object.entries(example.query ?? {}).map(([key, value]) => [
    key,
    key === 'limit' ? (JSON.parse(value) as number) : value,
  ]);
  const whole = { path: example.path, query: Object.fromEntries(query), body: example.body ?? {} };
  const given = call.arguments.map((argument): Given => {
    const { from, name: field } = argument;
    if (from === 'path') return { argument, value: whole.path[field] };
    if (from === 'query' || from === 'body')
      return { argument, value: withTexts(whole[from], call.numbers, '') };
    const source: Record<string, unknown> = from === 'queryField' ? whole.query : whole.body;
    return { argument, value: source[field] };
  });
  return given;
}

/** What stands at these paths as a text. */
export function withTexts(value: unknown, numbers: readonly string[], at: string): unknown {
  if (numbers.includes(at) && typeof value === 'number') return `${value}`;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, numbers, `${at}[]`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    withTexts(each, numbers, at === '' ? name : `${at}.${name}`),
  ]);
  return Object.fromEntries(entries);
}

/** The arguments, without those at the end that say nothing. */
function told(values: Given[]): Given[] {
  const last = values.at(-1);
  const isEmpty = last?.argument.isOptional && Object.keys(last.value ?? {}).length === 0;
  return isEmpty ? values.slice(0, -1) : values;
}

function inPython(call: Call, values: Given[]): string {
  const given = told(values).map(({ value }) => literal(value, python));
  const key = call.isWrite ? ["idempotency_key='order-1001'"] : [];
  const target = ['florin', ...[...call.place, call.verb].map(snake)].join('.');
  return `from florin import Client

florin = Client(secret_key='sk_test_YOUR_KEY', base_url='https://pay.example.com')
${call.answer.kind === 'nothing' ? '' : 'data = '}${target}(${[...given, ...key].join(', ')})`;
}

function inPhp(call: Call, values: Given[]): string {
  const isList = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
  const all = call.isWrite ? values : told(values);
  const given = all.map(({ value }) => (isList(value) ? '[]' : literal(value, php)));
  const key = call.isWrite ? ["'order-1001'"] : [];
  const target = ['$florin', ...call.place, call.verb].join('->');
  return `<?php
$florin = new Florin\\Client([
  'secret_key' => 'sk_test_YOUR_KEY',
  'base_url' => 'https://pay.example.com',
]);
${call.answer.kind === 'nothing' ? '' : '$data = '}${target}(${[...given, ...key].join(', ')});`;
}

function inGo(call: Call, values: Given[], api: Api): string {
  const given = values.map(({ argument, value }) => goValue(argument.type, value, api, 1));
  const key = call.isWrite ? ['florin.IdempotencyKey("order-1001")'] : [];
  const target = ['client', ...[...call.place, call.verb].map(pascal)].join('.');
  const made = `${target}(${['context.Background()', ...given, ...key].join(', ')})`;
  const isSilent = call.answer.kind === 'nothing';
  return `package main

import (
	"context"
${isSilent ? '' : '\t"fmt"\n'}	"log"

	florin "florin.example/sdk"
)

func main() {
	client, err := florin.NewClient(florin.Options{
		SecretKey: "sk_test_YOUR_KEY",
		BaseURL:   "https://pay.example.com",
	})
	if err != nil {
		log.Fatal(err)
	}
	${isSilent ? 'err =' : 'data, err :='} ${made}
	if err != nil {
		log.Fatal(err)
	}
${isSilent ? '' : '\tfmt.Println(data)\n'}}`;
}
