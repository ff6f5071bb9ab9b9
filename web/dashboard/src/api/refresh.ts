import { useQueryClient } from '@tanstack/react-query';

/** Makes every read of these paths, and of what lies below them, stale; `session` is the session's own. */
export function useRefresh(): (...paths: string[]) => Promise<void> {
  const client = useQueryClient();
  return (...paths) =>
    client.invalidateQueries({
      predicate: ({ queryKey: [key] }) =>
        typeof key === 'string' && paths.some((path) => key === path || key.startsWith(`${path}/`)),
    });
}
