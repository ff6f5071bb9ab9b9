import { type ReactNode, useState } from 'react';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { Slider } from '../../../ui/form/slider.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { type Chaos, type FaultKind, faultKinds } from '../types/chaos.ts';
import type { Endpoint } from '../types/endpoint.ts';
import { ChaosBadge } from './badge.tsx';
import {
  activeKinds,
  chaosPresets,
  chaosWords,
  holding,
  maxDelaySeconds,
  noChaos,
  useChaos,
  useSetChaos,
} from './chaos.ts';

/** What goes wrong on purpose with the deliveries of a test endpoint, and how often. */
export function ChaosDrawer({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }): ReactNode {
  const saved = useChaos(endpoint.id);
  const set = useSetChaos(endpoint.id);
  const [changed, setChanged] = useState<Chaos>();
  const chaos = changed ?? (saved.data && { ...noChaos, ...saved.data });
  const save = (next: Chaos): void => set.mutate(next, { onSuccess: onClose });
  return (
    <Drawer
      open
      onClose={onClose}
      title={t('Chaos')}
      aside={<ChaosBadge chaos={saved.data ?? null} />}
      footer={
        chaos && (
          <>
            <Button onClick={onClose}>{t('Back')}</Button>
            <Button
              variant="primary"
              pending={set.isPending}
              disabled={changed === undefined}
              onClick={() => save(chaos)}
            >
              {actOf(changed)}
            </Button>
          </>
        )
      }
    >
      {chaos ? (
        <Settings endpoint={endpoint} chaos={chaos} onChange={setChanged} />
      ) : saved.isError ? (
        <ErrorState error={saved.error} onRetry={() => saved.refetch()} />
      ) : (
        <SkeletonRows rows={7} />
      )}
    </Drawer>
  );
}

function actOf(changed: Chaos | undefined): string {
  if (changed === undefined) return t('Save');
  return activeKinds(changed).length === 0 ? t('Turn chaos off') : t('Let it happen');
}

type SettingsProps = { endpoint: Endpoint; chaos: Chaos; onChange: (chaos: Chaos) => void };

function Settings({ endpoint, chaos, onChange }: SettingsProps): ReactNode {
  return (
    <>
      <div className="grid gap-1">
        <p className="font-mono text-sm wrap-anywhere">{endpoint.url}</p>
        <p className="text-sm text-pretty text-quiet">
          {t(
            'What the internet does to webhooks once a month, done to this test endpoint now. Every event still arrives in the end, rightly signed; each step is in the delivery log.',
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {chaosPresets.map((preset) => (
          <Button
            key={preset.name}
            size="small"
            aria-pressed={isSame(preset.chaos, chaos)}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
            onClick={() => onChange(preset.chaos)}
          >
            {preset.name}
          </Button>
        ))}
      </div>
      <ul className="grid gap-3">
        {faultKinds.map((kind) => (
          <li key={kind} className="min-w-0">
            <Kind kind={kind} chaos={chaos} onChange={onChange} />
          </li>
        ))}
      </ul>
      {holding.some((kind) => chaos[kind] > 0) && (
        <Slider
          label={t('How long a delivery is held back')}
          help={t('By the test clock, so that you can advance it.')}
          min={1}
          max={maxDelaySeconds}
          value={chaos.delay_seconds}
          text={secondsText(chaos.delay_seconds)}
          onChange={(delay_seconds) => onChange({ ...chaos, delay_seconds })}
        />
      )}
      <Banner>
        {t(
          'Live endpoints never have chaos. What it does counts neither against the endpoint’s health nor towards turning it off.',
        )}
      </Banner>
    </>
  );
}

/** How often a kind happens that was just turned on. */
const firstPercent = 20;

type KindProps = { kind: FaultKind; chaos: Chaos; onChange: (chaos: Chaos) => void };

function Kind({ kind, chaos, onChange }: KindProps): ReactNode {
  const { title, does, good } = chaosWords[kind];
  const percent = chaos[kind];
  return (
    <div className="grid gap-3 rounded-xl border border-line bg-surface p-4">
      <Switch
        label={title}
        help={does}
        checked={percent > 0}
        onChange={(isOn) => onChange({ ...chaos, [kind]: isOn ? firstPercent : 0 })}
      />
      {percent > 0 && (
        <Slider
          label={t('{title}, of 100 attempts', { title })}
          labelHidden
          min={1}
          max={100}
          value={percent}
          text={`${percent}%`}
          onChange={(next) => onChange({ ...chaos, [kind]: next })}
        />
      )}
      <p className="text-sm text-quiet">
        <strong className="font-semibold text-ink">{t('A good receiver:')}</strong> {good}
      </p>
    </div>
  );
}

function secondsText(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function isSame(preset: Chaos, chaos: Chaos): boolean {
  return faultKinds.every((kind) => preset[kind] === chaos[kind]);
}
