import type { Key } from '../../../../../../gateway/src/identity/console/answers/keys.ts';
import { type Page, useRead } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';

/** The last four characters of the mode's signing key, once they are known. */
export function useKeyHint(): string | undefined {
  const keys = useRead<Page<Key>>(useScope().path('/keys'));
  return keys.data?.items.find(({ kind, valid_until }) => kind === 'signing' && valid_until === null)?.hint;
}
