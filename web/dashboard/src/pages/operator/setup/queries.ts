import { useQuery } from '@tanstack/react-query';
import type {
  AddressSeen,
  EndpointTried,
  Setup,
  SetupChain,
  ShownMasterKey,
} from '../../../../../../gateway/src/operations/first-run/answers.ts';
import { api } from '../../../api/client.ts';

export type { AddressSeen, EndpointTried, Setup, SetupChain };
export type Step = Setup['steps'][number];

const root = '/console/operator/setup';
/** What changes when a step is done: the list, and what waits for an operator. */
export const changes = [root, '/console/operator/attention'];

export const useSetup = () =>
  useQuery({ queryKey: [root], queryFn: ({ signal }) => api<Setup>(root, { signal }) });

export const sayDone = (step: Step['step']) => api(`${root}/${step}/done`, { method: 'POST' });

/** The call goes by the address in the browser's bar, as every call of the dashboard does. */
export const showAddress = () => api<AddressSeen>(`${root}/address`, { body: { origin: location.origin } });

export const sendCode = () => api<{ to: string }>(`${root}/mail`, { method: 'POST' });
export const proveMail = (code: string) => api(`${root}/mail/code`, { body: { code } });

export const showKey = () => api<ShownMasterKey>(`${root}/master-key/show`, { method: 'POST' });
export const proveKey = (begins: string) => api(`${root}/master-key/kept`, { body: { begins } });

export const tryEndpoint = (which: { chain: number; at: number } | { url: string }) =>
  api<EndpointTried>(`${root}/try-endpoint`, { body: which });
