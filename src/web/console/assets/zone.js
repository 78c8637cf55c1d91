// The time zone of a new organization is mostly the zone of the operator's browser.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const select of document.querySelectorAll('.zone[data-own] select')) {
  if ([...select.options].some(({ value }) => value === zone)) select.value = zone;
}
