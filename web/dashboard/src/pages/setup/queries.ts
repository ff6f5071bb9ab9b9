import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  RestorePlace,
  RestoreProgress,
  RestoreStart,
  UploadedPiece,
} from '../../../../../gateway/src/operations/first-run/answers.ts';
import { isRefusal } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';

const root = '/console/auth/setup';
const lookAgainMs = 500;

/** The token of the link, which the browser keeps after the # and sends in no address. */
export const tokenOfLink = (): string => location.hash.slice(1);

const send = <T>(path: string, body: object = {}): Promise<T> =>
  api<T>(`${root}${path}`, { body, setupToken: tokenOfLink() });

/** Whether the link is good. */
export const useSetupLink = () =>
  useQuery({ queryKey: [root], queryFn: () => send<{ expires_at: string }>(''), retry: false });

export const becomeOperator = (person: Record<string, string>) => send('/operator', person);

export const useRestoreTerms = (): UseQueryResult<RestoreStart> =>
  useQuery({ queryKey: [`${root}/restore/terms`], queryFn: () => send<RestoreStart>('/restore/terms') });

/** A bucket may take seconds to answer: the page does not wait for it. */
export const useRestorePlace = () =>
  useQuery({ queryKey: [`${root}/restore/place`], queryFn: () => send<RestorePlace>('/restore/place') });

/** Sends a file in pieces; returns its name on the server. */
export async function sendFile(
  file: File,
  pieceBytes: number,
  onProgress: (bytes: number) => void,
): Promise<string> {
  let sent: UploadedPiece = { file: '', bytes: 0 };
  do {
    const bytes = new Uint8Array(await file.slice(sent.bytes, sent.bytes + pieceBytes).arrayBuffer());
    const body = { file: sent.file || null, at: sent.bytes, piece: base64Of(bytes) };
    sent = await send<UploadedPiece>('/restore/piece', body);
    onProgress(sent.bytes);
  } while (sent.bytes < file.size);
  return sent.file;
}

/** In parts: a call takes only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  const part = 32_768;
  let text = '';
  for (let at = 0; at < bytes.length; at += part)
    text += String.fromCharCode(...bytes.subarray(at, at + part));
  return btoa(text);
}

export const beginRestore = (order: {
  file: string | null;
  path: string | null;
  master_key: string | null;
  identity: string | null;
}) => send('/restore', order);

/**
 * How far the restore is. When the gateway has begun again on the restored database it knows no link any more; while it begins, it
 * gives no answer.
 */
export const useRestoreProgress = () =>
  useQuery({
    queryKey: [`${root}/restore/state`],
    queryFn: async (): Promise<RestoreProgress> => {
      try {
        return await send<RestoreProgress>('/restore/state');
      } catch (error) {
        if (!isRefusal(error, 'setup_link_ended')) throw error;
        return { state: 'done', progress: null, fault: null, done: null };
      }
    },
    retry: true,
    retryDelay: lookAgainMs,
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'done' || data?.state === 'failed' ? false : lookAgainMs,
  });
