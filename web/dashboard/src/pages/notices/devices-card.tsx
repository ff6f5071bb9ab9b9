import { BellRing, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { allowHere, type PushState, pushState, removeDevice } from './push.ts';
import { type NoticePerson, personPath } from './queries.ts';

const changes = [personPath, '/console/integrations'];

/** The browsers that show notices, also while the dashboard is closed. */
export function DevicesCard({ person }: { person: NoticePerson }): ReactNode {
  return (
    <Card
      title={t('Web push')}
      description={t('Your devices show notices also while the dashboard is closed.')}
    >
      <ThisDevice state={pushState(person)} />
      {person.devices.length === 0 ? (
        <p className="text-sm text-quiet">{t('No device shows notices.')}</p>
      ) : (
        <ul className="-mb-2 divide-y divide-line">
          {person.devices.map((device) => (
            <DeviceRow key={device.id} {...device} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ThisDevice({ state }: { state: PushState }): ReactNode {
  const [isRefused, setRefused] = useState(false);
  const allow = useAct(async () => setRefused(!(await allowHere())), { changes });
  if (state === 'unsupported') {
    return (
      <Banner>
        {t(
          'This browser shows no notices. On an iPhone or iPad, add Florin to the home screen first, and open it from there.',
        )}
      </Banner>
    );
  }
  if (state === 'denied' || isRefused) {
    return (
      <Banner tone="waiting">
        {t('You refused notices on this device. Allow them in the settings of the browser for this site.')}
      </Banner>
    );
  }
  if (state === 'on') return <p className="text-sm">{t('This device shows notices.')}</p>;
  return (
    <div>
      <Button size="small" pending={allow.isPending} onClick={() => allow.mutate()}>
        <BellRing size={16} aria-hidden /> {t('Allow notices on this device')}
      </Button>
    </div>
  );
}

function DeviceRow({ id, label, created_at }: NoticePerson['devices'][number]): ReactNode {
  const remove = useAct(() => removeDevice(id), { changes, done: t('Device removed') });
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="grid min-w-0 flex-1">
        <span className="truncate font-semibold">{label}</span>
        <span className="text-sm text-quiet">
          {rich('Allowed {time}', { time: <Time at={created_at} /> })}
        </span>
      </div>
      <IconButton icon={Trash2} label={t('Remove {name}', { name: label })} onClick={() => remove.mutate()} />
    </li>
  );
}
