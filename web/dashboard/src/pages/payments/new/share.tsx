import { Download } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Code } from '../../../ui/display/code.tsx';
import { QrCode } from '../../../ui/display/qr-code.tsx';

/** An address to hand on: as text, and as a QR code that can be saved. */
export function Share({ url, name }: { url: string; name: string }): ReactNode {
  const code = useRef<HTMLDivElement>(null);

  function save(): void {
    const drawn = code.current?.querySelector('svg');
    if (!drawn) return;
    const text = new XMLSerializer().serializeToString(drawn);
    const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'payment'}.svg`;
    link.click();
    URL.revokeObjectURL(address);
  }

  return (
    <div className="grid gap-4">
      <Code text={url} label={t('Address')} />
      <div className="flex flex-wrap items-end gap-3">
        <div ref={code} className="w-44">
          <QrCode text={url} label={t('QR code of {name}', { name })} />
        </div>
        <Button onClick={save}>
          <Download size={16} aria-hidden /> {t('Save the QR code')}
        </Button>
      </div>
    </div>
  );
}
