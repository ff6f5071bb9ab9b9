import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Input } from '../../ui/form/input.tsx';
import { SettingsForm } from '../../ui/form/settings-form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PagePreview } from './page-preview.tsx';
import { type Settings, useColors } from './queries.ts';

/** What the page's own accent is, as in `tokens.css`: where the picker begins. */
const ownColor = '#9a6b00';

/** The colour of the page's buttons and links, and the sentence above the amount, with a picture of both. */
export function BrandCard({ settings, may }: { settings: Settings; may: boolean }): ReactNode {
  const { integrationPath } = useScope();
  const [color, setColor] = useState(settings.brand_color ?? '');
  const [sentence, setSentence] = useState(settings.page_sentence ?? '');
  const chosen = /^#[0-9a-f]{6}$/i.test(color.trim()) ? color.trim().toLowerCase() : null;
  const { data: colors } = useColors(chosen);

  async function save(): Promise<void> {
    const body = { brand_color: color.trim(), page_sentence: sentence.trim() };
    await api(integrationPath(''), { method: 'PATCH', body });
  }

  return (
    <Card
      title={t('Colour and sentence')}
      description={t('They stand on the page where customers pay. The rest of it is the same for all shops.')}
    >
      <SettingsForm
        label={t('Colour and sentence')}
        may={may}
        onSend={save}
        done={t('Payment page saved')}
        changes={[integrationPath('')]}
        wide
      >
        <div className="flex items-end gap-2">
          <Input
            name="brand_color"
            label={t('Colour')}
            code
            placeholder="#7a1f3d"
            pattern="#[0-9A-Fa-f]{6}"
            title={t('# and six digits from 0 to f, such as #7a1f3d')}
            value={color}
            onChange={(event) => setColor(event.target.value)}
            required={false}
          />
          <input
            type="color"
            aria-label={t('Pick the colour')}
            value={chosen ?? ownColor}
            onChange={(event) => setColor(event.target.value)}
            className="h-10 w-12 shrink-0 cursor-pointer rounded-lg border border-line-strong bg-surface p-1 disabled:cursor-not-allowed"
          />
        </div>
        <Input
          name="page_sentence"
          label={t('Sentence above the amount')}
          placeholder={t('Books and paper since 1921')}
          value={sentence}
          onChange={(event) => setSentence(event.target.value)}
          maxLength={140}
          required={false}
        />
        <div className="lg:col-span-2">
          <PagePreview
            {...{ settings, sentence, chosen }}
            colors={chosen === null ? null : (colors ?? null)}
          />
        </div>
      </SettingsForm>
    </Card>
  );
}
