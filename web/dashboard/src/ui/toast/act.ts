import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error.ts';
import { useRefresh } from '../../api/refresh.ts';
import { type Words, wordsOf } from './done.ts';
import { toast } from './toast.ts';

export type ActOptions<Result> = {
  /** Paths whose reads are stale afterwards, with everything below them. */
  changes?: string[];
  /** What the toast says when it worked; none is shown without it. */
  done?: Words<Result>;
};

/**
 * A change made by a button rather than by a form: runs `act`, then reads again what it changed.
 * A refusal is shown as a toast.
 */
export function useAct<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  { changes = [], done }: ActOptions<Result> = {},
): UseMutationResult<Result, unknown, Input> {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: act,
    onSuccess: async (result) => {
      if (done) toast(wordsOf(done, result));
      await refresh(...changes);
    },
    onError: (error) => toast(messageOf(error), 'lost'),
  });
}
