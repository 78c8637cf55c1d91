import type { FC } from 'hono/jsx';
import { definiteInstant } from '../../../core/lib/date.ts';
import { pickerText } from '../../../core/lib/zone.ts';
import type { ShipmentCustomField } from '../../../core/writer/settings.ts';
import { useWords } from '../../../messages/context.ts';
import { Field } from '../form/form.tsx';
import { fieldLabel } from '../parts/field-labels.ts';
import { useZone } from '../parts/view.ts';
import { CARRIERS, NewCarrier } from './carriers.tsx';

/** The member of forms that has the value of a custom field. */
const MEMBER = 'fieldValue';

/**
 * The input of a custom field: a picker of date and time in the zone of the site, a number, a carrier with suggestions, or
 * text. A stored text that is no date stays visible as text.
 */
export const FieldInput: FC<{ field: ShipmentCustomField; name: string; value?: string | undefined }> = ({
  field,
  name,
  value = '',
}) => {
  const zone = useZone();
  const label = fieldLabel(useWords(), field);
  if (field.fieldType === 'DATE_TIME') {
    const at = definiteInstant(value);
    if (value === '' || !Number.isNaN(at)) {
      const local = value === '' ? '' : pickerText(zone, at);
      return <Field name={name} member={MEMBER} label={label} type="datetime-local" value={local} />;
    }
  }
  if (field.fieldType === 'NUMBER') {
    return <Field name={name} member={MEMBER} label={label} type="number" step="any" value={value} />;
  }
  const isCarrier = field.role === 'CARRIER';
  return (
    <>
      <Field
        name={name}
        member={MEMBER}
        label={label}
        value={value}
        {...(isCarrier ? { list: CARRIERS, autocomplete: 'off' } : {})}
      />
      {isCarrier && <NewCarrier />}
    </>
  );
};
