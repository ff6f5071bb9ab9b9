import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { reportKeyCopied } from '../../api/key-copied.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { useTestSecrets } from '../../api/test-key.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { SecretOnce } from '../../ui/dialog/secret-once.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { KeySnippet } from '../integrations/key-snippet.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeysTable } from './keys-table.tsx';
import { type Key, useKeyChoices, useKeys } from './queries.ts';
import { RollDialog } from './roll-dialog.tsx';
import { SigningBanner } from './signing-banner.tsx';
import { callsOf, whyNotMade } from './withheld.ts';

const readAgain = t('Who manages keys can copy it again from this list.');

type Open = { what: 'make' } | { what: 'roll' | 'revoke'; key: Key } | null;

/** The keys of one mode, and how to replace them without an outage. */
export function KeysTab(): ReactNode {
  const { integrationId, mode, path } = useScope();
  const may = useMay('manage keys');
  const refresh = useRefresh();
  const keys = useKeys();
  const known = useKeyChoices();
  const [open, setOpen] = useState<Open>(null);
  const items = useTestSecrets().data?.items ?? [];
  const secrets = new Map(items.map((each) => [each.id, each.secret_key]));
  const [secret, setSecret] = useState<string | null>(null);
  const changed = () => refresh(path('/keys'));
  const close = () => setOpen(null);

  async function show(made: Promise<{ secret_key: string }>): Promise<void> {
    setSecret((await made).secret_key);
    close();
    await changed();
  }
  const makeSigning = () => show(api(path('/keys/signing'), { body: {} }));

  if (keys.isPending || known.isPending) return <SkeletonRows rows={3} />;
  if (keys.isError) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />;
  if (known.isError) return <ErrorState error={known.error} onRetry={() => void known.refetch()} />;
  const choices = known.data;
  const { items: listed } = keys.data;
  const hasSigning = listed.some(({ kind, valid_until }) => kind === 'signing' && valid_until === null);
  return (
    <Section
      title={mode === 'live' ? t('Live keys') : t('Test keys')}
      description={t(
        'Webhooks are signed with the signing key, which may do everything but: {calls}. A restricted key does only what you allow.',
        { calls: callsOf(choices.actions.filter(({ named_only }) => named_only)) },
      )}
      actions={
        may && (
          <Button variant={hasSigning ? 'primary' : 'quiet'} onClick={() => setOpen({ what: 'make' })}>
            <Plus size={16} aria-hidden /> {t('Restricted key')}
          </Button>
        )
      }
    >
      {!may && <Banner>{t('Your role may see the keys, but not change them.')}</Banner>}
      <SigningBanner keys={listed} may={may} onChanged={changed} />
      {!hasSigning && <FirstSigningKey may={may} whyNot={whyNotMade(choices, null)} onMake={makeSigning} />}
      {listed.length > 0 && (
        <KeysTable
          keys={listed}
          may={may}
          choices={choices}
          secrets={secrets}
          onRoll={(key) => setOpen({ what: 'roll', key })}
          onRevoke={(key) => setOpen({ what: 'revoke', key })}
        />
      )}
      <KeyDialog open={open?.what === 'make'} onClose={close} onMade={show} />
      <RollDialog keyToRoll={open?.what === 'roll' ? open.key : null} onClose={close} onRolled={show} />
      <RevokeDialog
        keyToRevoke={open?.what === 'revoke' ? open.key : null}
        {...{ onClose: close, changed }}
      />
      <SecretOnce
        secret={secret}
        title={t('Your {mode} secret key', { mode: ofGateway(mode) })}
        again={mode === 'test' ? readAgain : undefined}
        onClose={() => setSecret(null)}
        onCopied={() => void reportKeyCopied(integrationId, mode)}
      >
        <KeySnippet mode={mode} secret={secret} />
      </SecretOnce>
    </Section>
  );
}

type FirstKeyProps = { may: boolean; whyNot: string | undefined; onMake: () => Promise<void> };

function FirstSigningKey({ may, whyNot, onMake }: FirstKeyProps): ReactNode {
  const { mode } = useScope();
  const [open, setOpen] = useState(false);
  return (
    <>
      <EmptyState
        icon={KeyRound}
        title={t('There is no {mode} signing key yet', { mode: ofGateway(mode) })}
        action={
          may && (
            <Button variant="primary" disabled={whyNot !== undefined} onClick={() => setOpen(true)}>
              {t('Create the {mode} key', { mode: ofGateway(mode) })}
            </Button>
          )
        }
      >
        {mode === 'live'
          ? t(
              'You can make it before live mode is approved. Until then its payments are refused, and nothing is charged.',
            )
          : t('It makes payments, and webhooks are signed with it.')}
        {may && whyNot !== undefined && ` ${t('It may fund users.')} ${whyNot}`}
      </EmptyState>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('Create the {mode} signing key', { mode: ofGateway(mode) })}
        action={t('Create it')}
        onConfirm={onMake}
      >
        {mode === 'test'
          ? readAgain
          : t('It is shown only once. Be ready to copy it into your server’s secret store.')}
      </ConfirmDialog>
    </>
  );
}

type RevokeProps = { keyToRevoke: Key | null; onClose: () => void; changed: () => Promise<void> };

function RevokeDialog({ keyToRevoke, onClose, changed }: RevokeProps): ReactNode {
  const { path } = useScope();
  return (
    <ConfirmDialog
      open={keyToRevoke !== null}
      onClose={onClose}
      title={t('Revoke {name}', { name: keyToRevoke?.name ?? t('the old key') })}
      action={t('Revoke it now')}
      danger
      onConfirm={async () => {
        await api(path(`/keys/${keyToRevoke?.id}/revoke`), { body: {} });
        await changed();
      }}
    >
      <p>
        {rich('From now on every call with {span} is refused. You cannot undo this.', {
          span: <span className="font-mono">{keyToRevoke?.hint}</span>,
        })}
      </p>
    </ConfirmDialog>
  );
}
