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
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${modules.map(drawRow).join('')}"/></svg>`;
}

/** The dark modules of a row as a path: lines of one module's width along its middle. No other path is shorter. */
function drawRow(row: boolean[], y: number): string {
  let path = '';
  let end = 0;
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x++;
    path += `${path === '' ? `M${start} ${y}.5` : `m${start - end} 0`}h${x + 1 - start}`;
    end = x + 1;
  }
  return path;
}
