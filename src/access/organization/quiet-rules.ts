import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { OrganizationSettings } from '../../core/writer/settings.ts';

/** The refusal of quiet hours with only one of the two times, or with equal times. */
export function quietFault({
  quietFrom: from,
  quietTo: to,
}: Pick<OrganizationSettings, 'quietFrom' | 'quietTo'>): Refusal | undefined {
  if (from === to ? from === null : from !== null && to !== null) return undefined;
  const message =
    from === to
      ? 'Quiet hours must not begin and end at the same time.'
      : 'Quiet hours need a start and an end. For no quiet hours, enter neither.';
  const field = from === null ? 'quietFrom' : 'quietTo';
  return refusal('validationFailed', message, {
    errors: [{ field, code: 'validationFailed', message, rejectedValue: field === 'quietFrom' ? from : to }],
  });
}
