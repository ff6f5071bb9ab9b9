import { type ChangeEvent, type ReactNode, useRef } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { toast } from '../../ui/toast/toast.ts';
import { IntegrationMark } from '../integrations/integration-mark.tsx';
import type { Settings } from './queries.ts';

const maxBytes = 100 * 1024;

/** The picture next to the shop's name on the page where customers pay. */
export function LogoCard({ settings, may }: { settings: Settings; may: boolean }): ReactNode {
  const { integrationPath } = useScope();
  const picker = useRef<HTMLInputElement>(null);
  const path = integrationPath('/logo');
  const changes = [integrationPath(''), 'session'];
  const save = useAct((image: string) => api(path, { method: 'PUT', body: { image } }), {
    changes,
    done: t('Logo saved'),
  });
  const remove = useAct(() => api(path, { method: 'DELETE', body: {} }), {
    changes,
    done: t('Logo removed'),
  });

  async function choose(event: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = event.target.files?.[0];
    if (!file) return;
    if (file.size > maxBytes) toast(t('This picture has more than 100 KB. Choose a smaller one.'), 'lost');
    else save.mutate(await base64Of(file));
    if (picker.current) picker.current.value = '';
  }

  return (
    <Card
      title={t('Logo')}
      description={t(
        'It is shown where customers pay. PNG, JPEG or WebP, at most 100 KB and 2048 pixels on each side.',
      )}
    >
      <div className="flex flex-wrap items-center gap-3">
        <IntegrationMark name={settings.name} logoUrl={settings.logo_url} />
        {may && (
          <>
            <input
              ref={picker}
              type="file"
              accept="image/png,image/jpeg,image/webp"
              aria-label={t('Picture of the logo')}
              className="hidden"
              onChange={(event) => void choose(event)}
            />
            <Button pending={save.isPending} onClick={() => picker.current?.click()}>
              {settings.logo_url === null ? t('Choose a picture') : t('Replace')}
            </Button>
            {settings.logo_url !== null && (
              <Button variant="plain" pending={remove.isPending} onClick={() => remove.mutate()}>
                {t('Remove')}
              </Button>
            )}
          </>
        )}
      </div>
    </Card>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
