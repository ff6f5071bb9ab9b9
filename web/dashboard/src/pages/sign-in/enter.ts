import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';

/** Goes into the dashboard after a sign-in: to this address of the app, else to where the person was last. */
export function useEnter(): (next?: string) => void {
  const router = useRouter();
  const queries = useQueryClient();
  return (next = '/') => {
    // Whatever was read before belongs to whoever was signed in before.
    queries.clear();
    router.history.push(`${router.basepath}${next}`);
  };
}
