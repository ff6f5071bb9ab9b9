import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Copy } from '../../ui/button/copy.tsx';
import { Drawer } from '../../ui/dialog/drawer.tsx';
import { Id } from '../../ui/display/code.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { JsonView } from '../../ui/display/json-view.tsx';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { curlOf } from './curl.ts';
import { tookText } from './durations.ts';
import { type LoggedExchange, useRequest } from './queries.ts';
import { StatusCode } from './status-code.tsx';

/** One request with what was sent and what was answered. */
export function RequestDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const request = useRequest(id);
  const { data } = request;
  return (
    <Drawer
      open
      onClose={onClose}
      title={
        <span className="font-mono text-base">{data ? `${data.method} ${data.route}` : t('Request')}</span>
      }
      aside={data && <StatusCode status={data.status} />}
      footer={
        data && (
          <Copy
            text={curlOf(data, location.origin)}
            what={t('as curl')}
            label={t('Copy as curl')}
            variant="quiet"
            size="medium"
          />
        )
      }
    >
      <Loaded query={request} rows={6}>
        {(found) => <Exchange request={found} />}
      </Loaded>
    </Drawer>
  );
}

function Exchange({ request }: { request: LoggedExchange }): ReactNode {
  const { mode } = useScope();
  const { payment_reference: reference, error } = request;
  return (
    <>
      <DefinitionList
        facts={[
          [
            t('Path'),
            <span key="path" className="font-mono">
              {request.path}
            </span>,
          ],
          [t('When'), <Time key="at" at={request.at} exact />],
          [t('Took'), tookText(request.duration_ms)],
          [
            t('Error'),
            error !== null ? (
              <span key="error" className="font-mono">
                {error}
              </span>
            ) : null,
          ],
          [t('Payment'), reference !== null ? <PaymentLink key="payment" reference={reference} /> : null],
          [
            t('Key'),
            <span key="key" className="font-mono">{`sk_${mode}_…${request.key.hint ?? '????'}`}</span>,
          ],
          [t('From address'), request.address],
          [t('Request ID'), <Id key="id" text={request.request_id} what={t('the request ID')} />],
        ]}
      />
      <Body label={t('Request body')} text={request.request_body} wasCut={request.request_cut} />
      <Body label={t('Response body')} text={request.response_body} wasCut={request.response_cut} />
    </>
  );
}

function Body({ label, text, wasCut }: { label: string; text: string | null; wasCut: boolean }): ReactNode {
  if (text === null) return <p className="text-sm text-quiet">{t('{label}: none', { label })}</p>;
  return (
    <div className="grid gap-1.5">
      <JsonView text={text} label={label} />
      {wasCut && <p className="text-sm text-quiet">{t('Only the first 8 KiB are kept.')}</p>}
    </div>
  );
}
