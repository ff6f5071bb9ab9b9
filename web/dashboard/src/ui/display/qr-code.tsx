import { encodeQR } from 'qr';
import type { ReactNode } from 'react';

/** Width of the white frame that scanners need around a code, in modules (ISO/IEC 18004). */
const quietZone = 4;

/** A text as a QR code: black on white in either scheme, as wide as its place. `label` says what it is. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const size = modules.length;
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full rounded-lg"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
