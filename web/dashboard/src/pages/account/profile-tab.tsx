import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSession } from '../../api/session.ts';
import { setZone, useZone } from '../../format/time-zone.ts';
import { language, setLanguage } from '../../texts/language.ts';
import { type Language, languages } from '../../texts/languages.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
import { Select } from '../../ui/form/select.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { Switch } from '../../ui/form/switch.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { CloseAccount } from './close-account.tsx';
import { Memberships } from './memberships.tsx';
import { accountPath } from './queries.ts';

/** Name, address, how times are shown, and the person's businesses. */
export function ProfileTab(): ReactNode {
  return (
    <>
      <div className="grid gap-6 lg:grid-cols-2">
        <NameCard />
        <EmailCard />
      </div>
      <DisplayCard />
      <Memberships />
      <CloseAccount />
    </>
  );
}

function NameCard(): ReactNode {
  const { account } = useSession();
  const refresh = useRefresh();
  return (
    <Card title={t('Name')} description={t('Your teams see it next to your changes.')}>
      <Form
        label={t('Name')}
        onSend={async (values) => {
          await api(`${accountPath}/name`, { body: values });
          await refresh('session');
          toast(t('Name changed'));
        }}
      >
        <Input
          label={t('Your name')}
          name="name"
          autoComplete="name"
          maxLength={100}
          defaultValue={account.name}
          required
        />
        <div>
          <SubmitButton variant="quiet">{t('Save the name')}</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function EmailCard(): ReactNode {
  const { account, sends_mail: sendsMail } = useSession();
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Card
      title={t('E-mail address')}
      description={t('You sign in with it. A new address counts after you open the link that we send to it.')}
    >
      {sentTo !== undefined && (
        <Banner
          tone="paid"
          role="status"
          title={sendsMail ? t('Check your mail') : t('Ask an operator for the link')}
        >
          {sendsMail
            ? t('A link is on its way to {sentTo}. Until you open it, {email} stays your address.', {
                sentTo,
                email: account.email,
              })
            : t(
                'The link for {sentTo} waits among the messages of the operators, as there is no mail server. Until you open it, {email} stays your address.',
                { sentTo, email: account.email },
              )}
        </Banner>
      )}
      <Form
        label={t('E-mail address')}
        onSend={async (values) => {
          await api(`${accountPath}/email`, { body: values });
          setSentTo(values.email);
        }}
      >
        <Input
          label={t('Your address')}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={account.email}
          required
        />
        <div>
          <SubmitButton variant="quiet">{t('Change the address')}</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function DisplayCard(): ReactNode {
  const zone = useZone();
  return (
    <Card title={t('Language and times')} description={t('These settings are for this browser.')}>
      <Select
        label={t('Language')}
        choices={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        value={language}
        onChange={(event) => setLanguage(event.target.value as Language)}
      />
      <Switch
        label={t('Show times in UTC')}
        help={t('Otherwise they are in the time zone of this device.')}
        checked={zone === 'utc'}
        onChange={(utc) => setZone(utc ? 'utc' : 'local')}
      />
    </Card>
  );
}
