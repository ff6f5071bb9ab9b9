import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Key, TestSecrets } from '../../../../gateway/src/identity/console/answers/keys.ts';
import { api } from './client.ts';
import { type Page, useRead } from './list.ts';
import { useMay, useScope } from './scope.ts';

/** The secrets of the test keys, for who manages keys; in live mode they cannot be read. */
export function useTestSecrets(): UseQueryResult<TestSecrets> {
  const { mode, path } = useScope();
  const may = useMay('manage keys');
  return useQuery({
    queryKey: [path('/keys/secrets')],
    queryFn: ({ signal }) => api<TestSecrets>(path('/keys/secrets'), { signal }),
    enabled: may && mode === 'test',
  });
}

export type OwnKey = {
  /** The key itself where it may be shown, else as much of it as may: `sk_live_…1a2b`. */
  shown: string;
  /** Whether `shown` is the whole key. */
  isWhole: boolean;
};

/** The mode's signing key, so that what is copied runs where it can be read again. */
export function useOwnKey(): OwnKey {
  const { mode, path } = useScope();
  const keys = useRead<Page<Key>>(path('/keys')).data?.items;
  const secrets = useTestSecrets().data?.items;
  const signing = keys?.find(({ kind, valid_until }) => kind === 'signing' && valid_until === null);
  const secret = secrets?.find(({ id }) => id === signing?.id)?.secret_key;
  return { shown: secret ?? signing?.hint ?? `sk_${mode}_…`, isWhole: secret !== undefined };
}

/** The key within a command: the test key itself, else the variable that holds it. */
export function useKeyWord(): string {
  const { shown, isWhole } = useOwnKey();
  return isWhole ? shown : '$FLORIN_SECRET_KEY';
}
