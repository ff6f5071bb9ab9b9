import type { Api } from './model.ts';
import { pascal, type Type } from './schemas.ts';

/** `payment_id` as `PaymentID`. */
export const fieldName = (name: string): string =>
  pascal(name).replace(/(?:Id|Url)(?=$|[A-Z])/g, (word) => word.toUpperCase());

/** Whether a type is an object with fields, which is pointed to where it may be absent. */
export function isObject(type: Type, api: Api): boolean {
  const found = type.kind === 'model' ? api.models.find(({ name }) => name === type.name) : undefined;
  return found !== undefined && 'fields' in found;
}

/** The Go of a type. */
export function goType(type: Type, api: Api): string {
  switch (type.kind) {
    case 'text':
    case 'choice':
    case 'decimal':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'json.Number';
    case 'boolean':
      return 'bool';
    case 'nothing':
      return 'struct{}';
    case 'model':
      return type.name;
    case 'list':
      return `[]${goType(type.of, api)}`;
    case 'page':
      return `Page[${goType(type.of, api)}]`;
    case 'nullable':
      return `*${goType(type.of, api)}`;
    case 'oneOrList':
      return `OneOrMore[${goType(type.of, api)}]`;
  }
}
