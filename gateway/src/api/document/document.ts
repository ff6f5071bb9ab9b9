import type { FastifySchema, RouteOptions } from 'fastify';
import type { Name } from '../../kit/http/answers.ts';

/** A schema, as far as the gateway's document uses JSON Schema. */
export type Schema = {
  $ref?: string;
  type?: string;
  description?: string;
  format?: string;
  default?: unknown;
  enum?: (string | number | boolean)[];
  const?: string | number | boolean;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
};

export type Content = { content: { 'application/json': { schema: Schema; example?: unknown } } };

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
};

type Response = Content & { description: string; headers?: Record<string, unknown> };

/** One call of the document, or one webhook. */
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: object[];
  /** What a key must be allowed to do for it. */
  'x-key-action'?: string;
  /** Money leaves by this call, or changes hands. */
  'x-moves-money'?: boolean;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: { 200: Response } & Record<string, Response>;
};

type Named<Part> = Record<string, Part>;

/** The gateway's OpenAPI document, as `GET /openapi.json` answers it. */
export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: object[];
  tags: { name: string; description: string }[];
  paths: Named<Named<Operation>>;
  webhooks: Named<{ post: Operation }>;
  components: { schemas: Named<Schema>; securitySchemes: object } & Named<object>;
};

/** A call of the API as its slice declares it; what the document says of it stands in its schema. */
export type ApiRoute = Pick<RouteOptions, 'method' | 'url'> & { schema: FastifySchema };

/** A schema that has a name, without the names of its parts; `tag` is the group of the first call that has it. */
export type NamedSchema = Name & { schema: Schema; tag: string };

/** The document, and what the routes say for the SDK alone. */
export type ApiDescription = {
  document: OpenApi;
  /** The call of the SDK for each call such as `PUT /payment/create`. */
  sdkCalls: Readonly<Record<string, string>>;
  types: readonly NamedSchema[];
};
