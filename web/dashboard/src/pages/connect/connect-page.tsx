import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Form, type FormValues } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { type Handover, handOver } from './handover.ts';
import { always, type Permission, permissionHelp, refunds, sorted } from './permissions.ts';
import { shopOf } from './search.ts';

const route = getRouteApi('/shell/connect');

/** A shop asks for a key of an integration: who asks, for what, and where the key goes. */
export function ConnectPage(): ReactNode {
  const { permissions = '', application = '', redirect } = route.useSearch();
  const shop = shopOf(redirect);
  const { known, unknown } = sorted(permissions.split(','));
  if (!shop || known.length === 0)
    return (
      <>
        <PageHeader title={t('Connect a shop')} />
        <Banner tone="lost" title={t('This link asks for nothing that can be given')}>
          {t('It needs permissions, and an https address of the shop. Start again in your shop.')}
        </Banner>
      </>
    );
  return (
    <>
      <PageHeader
        title={t('Connect a shop')}
        description={t('{application} asks for a key to one of your integrations.', {
          application: application || shop.url.host,
        })}
      />
      <Card className="max-w-2xl">
        <p className="text-sm">{t('The key is sent to')}</p>
        <p className="font-mono text-lg font-semibold wrap-anywhere">{shop.url.host}</p>
        <p className="text-sm text-quiet">
          {t('Go on only if you came from there yourself. The name above is what the shop says of itself.')}
        </p>
        {unknown.length > 0 && (
          <Banner tone="waiting" title={t('Not given, since Florin does not have it:')}>
            <span className="wrap-anywhere">{unknown.join(', ')}</span>
          </Banner>
        )}
        <Grant application={application || shop.url.host} asked={known} shop={shop} />
      </Card>
    </>
  );
}

type GrantProps = {
  application: string;
  asked: readonly Permission[];
  shop: NonNullable<ReturnType<typeof shopOf>>;
};

/** Which integration and mode, and what of it. */
function Grant({ application, asked, shop }: GrantProps): ReactNode {
  const stores = useStores(shop.isLocal);
  const [chosen, setChosen] = useState<readonly Permission[]>(asked.filter((name) => name !== refunds));

  async function connect({ store = '' }: FormValues): Promise<void> {
    const body = { application, redirect: shop.url.href, permissions: chosen };
    handOver(await api<Handover>(`/console/integrations/${store}/pairings`, { body }));
  }

  if (stores.length === 0)
    return (
      <Banner tone="waiting" title={t('You may create keys for no integration')}>
        {t('Ask an owner or a developer of the business.')}
      </Banner>
    );
  return (
    <Form onSend={connect}>
      <Select label={t('Integration')} name="store" choices={stores} required />
      <fieldset className="grid min-w-0 gap-1">
        <legend className="mb-1.5 text-sm font-semibold">{t('What it may do')}</legend>
        {asked.map((name) => (
          <Checkbox
            key={name}
            className="min-w-0"
            name="permissions"
            value={name}
            label={permissionHelp[name]}
            help={<span className="font-mono wrap-anywhere">{name}</span>}
            disabled={name === always}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              setChosen(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
            }
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap justify-end gap-2">
        <SubmitButton disabled={chosen.every((name) => name === always)}>
          {t('Connect and go back to the shop')}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** The integrations that this person may make keys for, each in its modes; test mode first. */
function useStores(isLocal: boolean): { value: string; label: string }[] {
  const { merchants } = useSession();
  return merchants
    .filter(({ permissions }) => permissions.includes('manage keys'))
    .flatMap((merchant) =>
      merchant.integrations.flatMap(({ id, name, approval }) => [
        { value: `${id}/test`, label: t('{name}, test mode', { name }) },
        ...(approval === 'approved' && !isLocal
          ? [{ value: `${id}/live`, label: t('{name}, live mode', { name }) }]
          : []),
      ]),
    );
}
