import { after, dayOf } from '../../../kit/clock.ts';
import type { Check } from './context.ts';
import { found } from './finding.ts';

const monthSeconds = 30 * 86_400;

/** Until when `security.txt` is shown. */
export const checkSecurityContact: Check = async ({ config: { securityContact }, now }) => {
  if (!securityContact) return [found('security_contact', 'none')];
  const { expires } = securityContact;
  const isEnding = expires < after(now(), monthSeconds);
  const finding = expires <= now() ? 'ended' : isEnding ? 'ending' : 'ok';
  return [found('security_contact', finding, `SECURITY_EXPIRES ${dayOf(expires)}`)];
};
