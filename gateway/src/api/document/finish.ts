import type { Content, NamedSchema, OpenApi, Operation } from './document.ts';
import { type Example, exampleOf } from './examples.ts';
import { nameSchemas } from './name-schemas.ts';
import { parametersOf, responsesOf, sharedParts } from './shared.ts';
import { tags } from './tags.ts';
import { describeWebhooks } from './webhooks.ts';

/**
 * Completes what is made from the schemas of the routes: examples, the headers that calls share, the webhooks, and names for
 * schemas. A route without an `operationId` is reported by the linters.
 */
export function finishDocument(made: OpenApi, types: readonly NamedSchema[]): OpenApi {
  const { schemas, parameters, webhooks } = describeWebhooks();
  const paths = Object.entries(made.paths).map(([path, methods]) => {
    const finished = Object.entries(methods).map(([method, operation]) => [
      method,
      finishCall(`${method.toUpperCase()} ${path}`, operation),
    ]);
    return [path, Object.fromEntries(finished)];
  });
  const components = {
    ...made.components,
    schemas,
    parameters: { ...sharedParts.parameters, ...parameters },
    headers: sharedParts.headers,
  };
  return nameSchemas(
    { ...made, tags: [...tags], paths: Object.fromEntries(paths), webhooks, components },
    types,
  );
}

function finishCall(name: string, operation: Operation): Operation {
  const { parameters: _, responses: __, requestBody, ...rest } = operation;
  const example = exampleOf(name);
  const isWrite = !name.startsWith('GET ');
  const responses = responsesOf(operation, isWrite);
  return {
    ...rest,
    parameters: parametersOf(operation, isWrite) as Operation['parameters'],
    responses: { ...responses, 200: withExample(responses[200], example?.answer) },
    ...(requestBody && { requestBody: withExample(requestBody, example?.body) }),
  } as Operation;
}

function withExample<Of extends Content>(of: Of, example: Example['answer'] | undefined): Of {
  const media = of.content['application/json'];
  if (example === undefined) return of;
  return { ...of, content: { 'application/json': { ...media, example } } };
}
