import { ssccGroups } from '../../../../pallet/gs1.ts';

/** The last four characters of an id. */
export const lastFour = (name) => [...name].slice(-4).join('');

/** A pallet's id. An SSCC is shown in groups, as on the other parts of the page. A copy has its 18 digits. */
export function palletName(name) {
  const element = Object.assign(document.createElement('span'), { className: 'sscc' });
  const groups = ssccGroups(name);
  if (groups === undefined) element.textContent = name;
  else
    element.append(
      ...groups.map((textContent, index) =>
        Object.assign(document.createElement(index === groups.length - 1 ? 'b' : 'i'), { textContent }),
      ),
    );
  return element;
}
