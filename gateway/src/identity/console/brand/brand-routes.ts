import { Type } from 'typebox';
import { fieldReader, invalid } from '../../../kit/http/fields.ts';
import type { IntegrationId } from '../../integration.ts';
import { brandColors, colorOf } from '../../integrations/brand-color.ts';
import { maxLogoBytes, readLogo, setLogo } from '../../integrations/logo.ts';
import { settingsOf } from '../../integrations/settings.ts';
import type { Console } from '../admission/terms.ts';
import { ColorsAnswer, Settings } from '../answers/integrations.ts';

const readImage = fieldReader(Type.Object({ image: Type.String() }));
/** Base64 takes four characters for three bytes; the rest is for the JSON around it. */
const logoBodyBytes = Math.ceil(maxLogoBytes / 3) * 4 + 1024;

const readColor = fieldReader(
  Type.Object({ color: Type.String() }),
  {},
  {
    color: (value) =>
      (typeof value === 'string' ? colorOf(value) : null) ??
      invalid('color', 'must be a colour such as #7a1f3d'),
  },
);

/** The logo of an integration, and what the page makes of a colour (contract.md#brand). */
export function brandRoutes(dashboard: Console): void {
  dashboard.get('integration', '/brand-colors', { may: 'read', answer: ColorsAnswer }, async ({ query }) => {
    const { light, dark } = brandColors(readColor(query).color);
    return { message: 'Colours of the brand', data: { light, dark } };
  });

  dashboard.write(
    'PUT',
    'integration',
    '/logo',
    { may: 'manage integrations', bodyLimitBytes: logoBodyBytes, answer: Settings },
    async (tx, { integration, body }) => {
      const hash = await setLogo(tx, integration.id, readLogo(readImage(body).image));
      const change = { action: 'set the logo', ...about(integration.id), after: { logo: hash } };
      return { message: 'Logo saved', data: await settingsOf(tx, integration.id), change };
    },
  );

  dashboard.write(
    'DELETE',
    'integration',
    '/logo',
    { may: 'manage integrations', answer: Settings },
    async (tx, { integration }) => {
      await setLogo(tx, integration.id, null);
      const change = { action: 'removed the logo', ...about(integration.id) };
      return { message: 'Logo removed', data: await settingsOf(tx, integration.id), change };
    },
  );
}

function about(id: IntegrationId) {
  return { subject: { kind: 'integration', id }, integrationId: id };
}
