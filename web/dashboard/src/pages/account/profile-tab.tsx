import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSession } from '../../api/session.ts';
import { setZone, useZone } from '../../format/time-zone.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Input } from '../../ui/form/input.tsx';
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
      <TimesCard />
      <Memberships />
      <CloseAccount />
    </>
  );
}

function NameCard(): ReactNode {
  const { account } = useSession();
  const refresh = useRefresh();
  return (
    <Card title="Name" description="Your teams see it next to your changes.">
      <Form
        label="Name"
        onSend={async (values) => {
          await api(`${accountPath}/name`, { body: values });
          await refresh('session');
          toast('Name changed');
        }}
      >
        <Input
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={100}
          defaultValue={account.name}
          required
        />
        <div>
          <SubmitButton variant="quiet">Save the name</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function EmailCard(): ReactNode {
  const { account } = useSession();
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Card
      title="E-mail address"
      description="You sign in with it. A new address counts after you open the link that we send to it."
    >
      {sentTo !== undefined && (
        <Banner tone="paid" role="status" title="Check your mail">
          A link is on its way to {sentTo}. Until you open it, {account.email} stays your address.
        </Banner>
      )}
      <Form
        label="E-mail address"
        onSend={async (values) => {
          await api(`${accountPath}/email`, { body: values });
          setSentTo(values.email);
        }}
      >
        <Input
          label="Your address"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={account.email}
          required
        />
        <div>
          <SubmitButton variant="quiet">Change the address</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function TimesCard(): ReactNode {
  const zone = useZone();
  return (
    <Card title="Times">
      <Switch
        label="Show times in UTC"
        help="Otherwise they are in the time zone of this device. This setting is for this browser."
        checked={zone === 'utc'}
        onChange={(utc) => setZone(utc ? 'utc' : 'local')}
      />
    </Card>
  );
}
