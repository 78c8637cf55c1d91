// The time zone of a new organization is mostly the zone of the operator's browser.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const select of document.querySelectorAll('.zone[data-own] select')) {
  const options = [...select.options];
  const first = options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
  // The user may have chosen another zone before this script was ready.
  if (first?.selected && options.some(({ value }) => value === zone)) select.value = zone;
}
