import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { OpenApi } from '../../src/api/document/document.ts';
import { inlined } from '../../src/api/document/inline.ts';
import { answers } from '../../src/kit/http/answers.ts';
import { closed } from '../support/answer-check.ts';
import type { RunningApp } from '../support/running.ts';
import type { Schema } from './from-schema.ts';

type Parameter = { name: string; in: string; schema: Schema };
type Content = { content: { 'application/json': { schema: Schema } } };
type Operation = { parameters?: Parameter[]; requestBody?: Content; responses: Record<string, Content> };

/** A call, and what its answers must look like. */
export type Call = {
  method: string;
  /** With its parameters in braces or after colons. */
  path: string;
  query: readonly Parameter[];
  body: Schema | null;
  /** Null: the call sends a file, or no schema says what it sends. */
  checks: Checks | null;
};

type Check = ReturnType<typeof Compile>;
export type Checks = { ok: Check; refused: Check };

const compiled = (schema: unknown): Check => Compile(closed(schema) as TSchema);

/** Every call of the gateway's own OpenAPI document. */
export async function documentedCalls(app: RunningApp): Promise<Call[]> {
  const text = await (await fetch(`${app.baseUrl}/openapi.json`)).text();
  const { paths } = inlined(JSON.parse(text) as OpenApi) as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters.filter((each) => each.in === 'query'),
      body: requestBody?.content['application/json'].schema ?? null,
      checks: {
        ok: compiled(responses['200']?.content['application/json'].schema),
        refused: compiled(responses['4XX']?.content['application/json'].schema),
      },
    })),
  );
}

/** Every call of the dashboard. */
export function consoleCalls(app: RunningApp): Call[] {
  return app.consoleRoutes.map(({ method, url, answer }) => {
    const schemas = answer && answers(answer);
    const checks = schemas && { ok: compiled(schemas[200]), refused: compiled(schemas['4xx']) };
    return { method: `${method}`, path: url, query: [], body: null, checks };
  });
}

/** The other routes whose addresses begin so. */
export function otherCalls(app: RunningApp, prefix: string): Call[] {
  return app.routes
    .filter(({ url, method }) => url.startsWith(prefix) && method !== 'HEAD')
    .map(({ method, url }) => ({ method, path: url, query: [], body: null, checks: null }));
}
