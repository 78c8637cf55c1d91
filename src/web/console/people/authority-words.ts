import type { Permission } from '../../../access/user/rules.ts';
import type { Words } from '../../../messages/words.ts';
import { wordsAmong } from '../../ui/parts/codes.ts';
import { may, type Right } from '../../ui/parts/rights.ts';

/** The authorities that every organization has. */
const BUILT_IN = ['ADMINISTRATOR', 'FORKLIFT_OPERATOR', 'OPERATOR', 'VIEWER'] as const;

/** The name of an authority in words. An authority of the organization has the name that a person gave it. */
export const authorityIn = ({ t }: Words, authorityName: string): string =>
  wordsAmong(BUILT_IN, authorityName, (builtIn) => t(`authorityName.${builtIn}`));

/** The rights to name, each with a right that includes it. */
const TOLD = [
  ['see'],
  ['mark'],
  ['load', 'operate'],
  ['operate'],
  ['seeOffice', 'changeOffice'],
  ['changeOffice'],
  ['seeDevices', 'changeSite'],
  ['changeSite'],
  ['seeUsers', 'changeUsers'],
  ['changeUsers'],
  ['seeAuthorities', 'changeAuthorities'],
  ['changeAuthorities'],
  ['changeSettings'],
] as const satisfies readonly (readonly [Right, Right?])[];

/** The rights that follow from permissions, in words. */
export function rightsIn({ t, series }: Words, permissions: readonly Permission[]): string {
  const told = TOLD.filter(
    ([right, larger]) => may(permissions, right) && (larger === undefined || !may(permissions, larger)),
  );
  return told.length === 0 ? t('right.none') : series(told.map(([right]) => t(`right.${right}`)));
}
