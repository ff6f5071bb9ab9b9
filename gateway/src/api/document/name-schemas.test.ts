import { type TSchema, Type } from 'typebox';
import { expect, test } from 'vitest';
import { answers, named } from '../../kit/http/answers.ts';
import { takeNames } from './name-schemas.ts';

const routeOf = (data: TSchema) => ({
  method: 'GET' as const,
  url: '/things',
  schema: { tags: ['Things'], response: answers(data) },
});

test('names are taken out of schemas, those of parts before those of the whole', () => {
  const Part = Type.Object({ size: Type.Integer() }, named('Part', 'A part.'));
  const Whole = Type.Object({ part: Part }, named('Whole', 'All of it.'));
  const { plain, types } = takeNames([routeOf(Whole), routeOf(Part)]);
  expect(JSON.stringify(plain)).not.toContain('x-named');
  expect(types.map(({ name, doc, tag }) => [name, doc, tag])).toEqual([
    ['Part', 'A part.', 'Things'],
    ['Whole', 'All of it.', 'Things'],
    ['Refusal', 'The body of every refused request.', 'Things'],
  ]);
  expect(types[0]?.schema).toEqual({
    type: 'object',
    required: ['size'],
    properties: { size: { type: 'integer' } },
  });
});

test('what stands at one place of a schema is no part of it', () => {
  const called = named('Size', 'How large it is.');
  const first = routeOf(Type.Integer({ ...called, description: 'Of the first.' }));
  const second = routeOf(Type.Integer({ ...called, default: 1 }));
  expect(takeNames([first, second]).types.map(({ name }) => name)).toEqual(['Size', 'Refusal']);
});

test('two schemas of one name are an error', () => {
  const called = named('Size', 'How large it is.');
  const routes = [routeOf(Type.Integer(called)), routeOf(Type.String(called))];
  expect(() => takeNames(routes)).toThrow('Two schemas are named Size');
});
