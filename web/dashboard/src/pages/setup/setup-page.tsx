import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { NewPassword } from '../../ui/form/new-password.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useEnter } from '../sign-in/enter.ts';
import { becomeOperator, tokenOfLink, useSetupLink } from './queries.ts';
import { Restore } from './restore.tsx';

/** The first run of an installation, by its link: a backup is restored, or the first operator begins. */
export function SetupPage(): ReactNode {
  return (
    <>
      <PageHeader title={t('Set up Florin')} />
      {tokenOfLink() === '' ? (
        <Banner tone="waiting">
          {t(
            'Open the whole link that the gateway printed. florin setup-link prints a new one on the server.',
          )}
        </Banner>
      ) : (
        <ByLink />
      )}
    </>
  );
}

function ByLink(): ReactNode {
  const link = useSetupLink();
  const [way, setWay] = useState<'restore' | 'new'>('restore');
  const [isRestoring, setRestoring] = useState(false);
  if (link.isPending) return <Skeleton className="h-32 w-full" />;
  if (link.isError && !isRestoring)
    return <ErrorState error={link.error} onRetry={() => void link.refetch()} />;
  return (
    <>
      {!isRestoring && (
        <p className="text-sm text-quiet">
          {t('Nobody runs this installation yet. Whoever has the link of this page can do that.')}
        </p>
      )}
      {!isRestoring && (
        <RadioGroup
          name="way"
          label={t('How do you begin?')}
          value={way}
          onChange={setWay}
          choices={[
            {
              value: 'restore',
              label: t('Restore from a backup'),
              help: t('Everything is as it was when the backup was made.'),
            },
            {
              value: 'new',
              label: t('Begin new'),
              help: t('You become the operator of an empty installation.'),
            },
          ]}
        />
      )}
      {way === 'restore' ? <Restore onBegun={() => setRestoring(true)} /> : <FirstOperator />}
    </>
  );
}

/** Makes the operator, who is signed in at once and sets a second factor up next. */
function FirstOperator(): ReactNode {
  const enter = useEnter();
  return (
    <Form
      label={t('Begin new')}
      onSend={async (values) => {
        await becomeOperator(values);
        enter('/operator/overview');
      }}
    >
      <Input label={t('Your name')} name="name" autoComplete="name" maxLength={100} required />
      <Input
        label={t('E-mail address')}
        name="email"
        type="email"
        autoComplete="username"
        maxLength={254}
        required
      />
      <NewPassword name="password" />
      <SubmitButton size="large">{t('Become the operator')}</SubmitButton>
    </Form>
  );
}
