import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client.ts';
import { isOnOwnMachine } from '../../../api/own-machine.ts';
import { useRefresh } from '../../../api/refresh.ts';
import { type Mode, useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Form, type FormValues } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/form/input.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { SecretDialog } from '../secrets/secret-dialog.tsx';
import type { Endpoint, EndpointInput, EndpointWithSecret } from '../types/endpoint.ts';
import { eventTypes } from '../types/event-types.ts';
import { EventChoice } from './event-choice.tsx';
import { type HeaderRow, HeadersField } from './headers-field.tsx';

export type EndpointDrawerProps = {
  /** Absent for a new one. */
  endpoint: Endpoint | undefined;
  open: boolean;
  onClose: () => void;
};

/** Adds an endpoint, or changes everything that a person sets of one. */
export function EndpointDrawer({ endpoint, open, onClose }: EndpointDrawerProps): ReactNode {
  const [made, setMade] = useState<EndpointWithSecret>();
  return (
    <>
      <Drawer
        open={open}
        onClose={onClose}
        title={endpoint ? t('Edit the endpoint') : t('Create an endpoint')}
      >
        <EndpointForm key={endpoint?.id} endpoint={endpoint} onMade={setMade} onClose={onClose} />
      </Drawer>
      {made && (
        <SecretDialog secret={made.secret} onClose={() => setMade(undefined)}>
          <p>
            {rich(
              'Events are sent to the endpoint from now on. Your server checks {code} with this secret; you can look at it again here at any time.',
              { code: <code className="font-mono">webhook-signature</code> },
            )}
          </p>
        </SecretDialog>
      )}
    </>
  );
}

function EndpointForm({
  endpoint,
  onMade,
  onClose,
}: {
  endpoint: Endpoint | undefined;
  onMade: (made: EndpointWithSecret) => void;
  onClose: () => void;
}): ReactNode {
  const { mode, path } = useScope();
  const refresh = useRefresh();
  const [headers, setHeaders] = useState<HeaderRow[]>(() => rowsOf(endpoint));

  async function send(values: FormValues): Promise<void> {
    const body = inputOf(values, headers, endpoint);
    if (endpoint) {
      await api(path(`/webhooks/${endpoint.id}`), { method: 'PUT', body });
      toast(t('Endpoint changed'));
    } else onMade(await api<EndpointWithSecret>(path('/webhooks'), { body }));
    onClose();
    await refresh(path('/webhooks'));
  }

  return (
    <Form onSend={send} className="grid gap-6">
      <Input
        label={t('Address')}
        name="url"
        type="url"
        code
        required
        maxLength={2048}
        defaultValue={endpoint?.url}
        placeholder="https://shop.example.com/webhooks/florin"
        help={placeHelp(mode)}
      />
      <Input
        label={t('Description')}
        name="description"
        required={false}
        maxLength={200}
        defaultValue={endpoint?.description}
      />
      {endpoint?.format !== 'greenfield' && <EventChoice chosen={endpoint?.events} />}
      <HeadersField rows={headers} onChange={setHeaders} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t('Back')}</Button>
        <SubmitButton>{endpoint ? t('Save') : t('Create the endpoint')}</SubmitButton>
      </div>
    </Form>
  );
}

/** Where an endpoint may be: contract.md#webhooks. */
function placeHelp(mode: Mode): string {
  if (mode === 'live') return t('On the public internet, by https. Redirects are not followed.');
  return isOnOwnMachine()
    ? t('On the public internet or on this computer. Redirects are not followed.')
    : t('On the public internet. Redirects are not followed.');
}

function rowsOf(endpoint: Endpoint | undefined): HeaderRow[] {
  return (endpoint?.headers ?? []).map(({ name }) => ({
    key: crypto.randomUUID(),
    name,
    value: '',
    known: true,
  }));
}

/** The shop chooses the events of an endpoint that it made. */
function inputOf(
  values: FormValues,
  headers: readonly HeaderRow[],
  endpoint: Endpoint | undefined,
): EndpointInput {
  const isShops = endpoint?.format === 'greenfield';
  return {
    url: values.url ?? '',
    description: values.description ?? '',
    events: isShops ? endpoint.events : eventTypes.filter((type) => values[`event ${type}`] !== undefined),
    headers: headers
      .filter(({ name }) => name !== '')
      .map(({ name, value }) => (value === '' ? { name } : { name, value })),
  };
}
