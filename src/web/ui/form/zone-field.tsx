import type { FC } from 'hono/jsx';
import { Select } from './form.tsx';
import { useTyped } from './form-state.ts';

/** The time zones to choose from. UTC comes first, because browsers do not list it. */
const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/**
 * The choice of a time zone. A zone that is stored under another of its names is in the list, too. On a form of a new
 * organization (`own`), a script chooses the zone of the browser.
 */
export const ZoneField: FC<{ label: string; hint?: string; value?: string | undefined; own?: boolean }> = ({
  label,
  hint,
  value = 'UTC',
  own,
}) => {
  const typed = useTyped('timeZone');
  const all = zones();
  const others = [value, String(typed ?? value)].filter((zone) => !all.includes(zone));
  return (
    <div class="zone" data-own={own && typed === undefined ? 'true' : undefined}>
      <Select
        name="timeZone"
        label={label}
        value={value}
        hint={hint}
        options={[...new Set([...others, ...all])].map((zone) => ({ label: zone }))}
      />
    </div>
  );
};
