import type { ShipmentCustomField } from '../../../core/writer/settings.ts';
import type { ManifestFact } from '../../../dispatch/load/manifest/rules.ts';
import type { Words } from '../../../messages/words.ts';

/** The label of a fact of manifests. The audit log has the same one. */
export const factLabel = ({ t }: Words, name: ManifestFact): string =>
  t(`changed.${name}` as 'changed.status');

/** The end of a word in a key that programs write: `doorCode`, `door_code` or `door-code`. */
const WORD_END = /(?<=[a-z\d])(?=[A-Z])|[_-]+/g;

/**
 * The label of a custom field: the name of its role, or its key in words. A key with blanks was written by a person, so
 * it stays as it is.
 */
export function fieldLabel(
  { t }: Words,
  { fieldKey, role }: Pick<ShipmentCustomField, 'fieldKey' | 'role'>,
): string {
  if (role !== null) return t(`role.${role}`);
  if (/\s/.test(fieldKey)) return fieldKey;
  const words = fieldKey.split(WORD_END).filter(Boolean);
  const text = words.map((word) => (/^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word)).join(' ');
  return text === '' ? fieldKey : text.charAt(0).toUpperCase() + text.slice(1);
}
