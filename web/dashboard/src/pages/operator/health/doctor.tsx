import { CircleCheck, Stethoscope } from 'lucide-react';
import type { ReactNode } from 'react';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner, type BannerTone } from '../../../ui/feedback/banner.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Card, Section } from '../../../ui/layout/card.tsx';
import { type DoctorFinding, useCheckNow, useDoctor } from './queries.ts';

/** What the doctor found last: the gravest first, each with what to do, then what is in order. */
export function Doctor(): ReactNode {
  const report = useDoctor();
  return (
    <Loaded query={report} rows={8}>
      {(newest) =>
        newest === null ? (
          <EmptyState icon={Stethoscope} title={t('Nothing was looked at yet')} action={<CheckNow />}>
            {t(
              'Addresses, certificates, the database, networks and all else are looked at once a day, or now.',
            )}
          </EmptyState>
        ) : (
          <Section
            title={t('Doctor')}
            description={rich('Looked at {time}, in {seconds} s', {
              time: <Time at={newest.at} />,
              seconds: (newest.took_ms / 1000).toFixed(1),
            })}
            actions={<CheckNow />}
          >
            {newest.findings.filter(isOpen).map((finding) => (
              <OpenFinding key={keyOf(finding)} finding={finding} />
            ))}
            <InOrder findings={newest.findings.filter((finding) => !isOpen(finding))} />
          </Section>
        )
      }
    </Loaded>
  );
}

function CheckNow(): ReactNode {
  const { mutate, isPending } = useCheckNow();
  return (
    <Button variant="primary" pending={isPending} onClick={() => mutate()}>
      {t('Check now')}
    </Button>
  );
}

const isOpen = ({ level }: DoctorFinding): boolean => level !== 'ok';
const keyOf = ({ check, finding, detail }: DoctorFinding): string => `${check} ${finding} ${detail ?? ''}`;

const tones: Record<Exclude<DoctorFinding['level'], 'ok'>, BannerTone> = {
  fault: 'lost',
  warning: 'waiting',
  unknown: 'info',
};

function OpenFinding({
  finding: { level, about, what, todo, detail },
}: {
  finding: DoctorFinding;
}): ReactNode {
  if (level === 'ok') return null;
  return (
    <Banner tone={tones[level]} title={`${ofGateway(about)}: ${ofGateway(what)}`}>
      {detail !== null && <p className="wrap-anywhere">{detail}</p>}
      {todo !== null && <p className="text-quiet wrap-anywhere">{ofGateway(todo)}</p>}
    </Banner>
  );
}

function InOrder({ findings }: { findings: readonly DoctorFinding[] }): ReactNode {
  if (findings.length === 0) return null;
  return (
    <Card title={t('In order')}>
      <ul className="grid gap-3 text-sm">
        {findings.map((finding) => (
          <li key={keyOf(finding)} className="flex gap-3">
            <CircleCheck size={18} aria-hidden className="shrink-0 text-paid" />
            <span className="grid min-w-0">
              <span>
                <strong className="font-semibold">{ofGateway(finding.about)}</strong>{' '}
                {ofGateway(finding.what)}
              </span>
              {finding.detail !== null && <span className="text-quiet wrap-anywhere">{finding.detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
