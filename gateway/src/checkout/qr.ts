import { encodeQR } from 'qr';
import { type Html, html } from '../kit/http/html.ts';

/** Width of the white border that scanners need around a code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * Draws a text as a QR code: inline SVG, black on white in every colour scheme, with an accessible name.
 * Throws when the text is longer than a QR code can hold (some 2,300 bytes).
 */
export function qrSvg(text: string, label: string): Html {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const size = modules.length;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${modules.map(drawRow).join('')}"/></svg>`;
}

/** One subpath for each run of dark modules. One for each module would be three times as long. */
function drawRow(row: boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x++;
    const length = x - start + 1;
    path += `M${start} ${y}h${length}v1h-${length}z`;
  }
  return path;
}
