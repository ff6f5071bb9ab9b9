import { callTexts } from './calls.ts';
import type { Content, NamedSchema, OpenApi, Operation } from './document.ts';
import { type Example, exampleOf } from './examples.ts';
import { nameSchemas } from './name-schemas.ts';
import { parametersOf, responsesOf, sharedParts } from './shared.ts';
import { tags as groups } from './tags.ts';
import { describeWebhooks } from './webhooks.ts';

/**
 * Completes what is made from the schemas of the routes: ids, descriptions, examples, the headers that calls share, the
 * webhooks, and names for schemas. A call that has no line in `callTexts` stays without an id, which the linters report.
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
    { ...made, tags: [...groups], paths: Object.fromEntries(paths), webhooks, components },
    types,
  );
}

function finishCall(name: string, operation: Operation): Operation {
  const text = callTexts[name];
  const example = exampleOf(name);
  const isWrite = !name.startsWith('GET ');
  const {
    operationId,
    summary,
    tags,
    description,
    parameters: _,
    requestBody,
    responses: __,
    ...rest
  } = operation;
  const responses = responsesOf(operation, isWrite);
  const about = text?.about ?? description;
  return {
    operationId: operationId ?? text?.id,
    summary,
    tags,
    ...(about && { description: about }),
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
