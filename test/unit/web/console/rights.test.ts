import { expect, it } from 'vitest';
import type { Permission } from '../../../../src/access/user/rules.ts';
import { PERMISSIONS } from '../../../../src/access/user/table.ts';
import { may, type Right } from '../../../../src/web/ui/parts/rights.ts';

const RIGHTS: Right[] = [
  'signIn',
  'see',
  'mark',
  'load',
  'operate',
  'seeOffice',
  'changeOffice',
  'seeUsers',
  'changeUsers',
  'seeAuthorities',
  'changeAuthorities',
  'seeDevices',
];
const rightsOf = (...permissions: Permission[]) => RIGHTS.filter((right) => may(permissions, right));

it('rights give the built-in authorities the permissions that they need', () => {
  expect(rightsOf(...PERMISSIONS)).toEqual(RIGHTS);
  expect(
    rightsOf(
      'BACKOFFICE_LOGIN',
      'LOCAL_MANAGER_LOGIN',
      'APP_LOGIN',
      'OPERATIONAL_APP_LOGIN',
      'AGENT_MANAGEMENT_READ',
    ),
  ).toEqual(['signIn', 'see', 'mark', 'load', 'operate', 'seeOffice', 'changeOffice', 'seeDevices']);
  expect(rightsOf('APP_LOGIN', 'FORKLIFT_APP_LOGIN')).toEqual(['signIn', 'see', 'mark', 'load']);
  expect(rightsOf('APP_LOGIN')).toEqual(['signIn', 'see', 'mark']);
  expect(rightsOf('BACKOFFICE_LOGIN', 'OPERATIONAL_APP_LOGIN')).toEqual(['signIn', 'see', 'seeOffice']);
});

it('rights allow no change without one of the two app permissions', () => {
  const others = PERMISSIONS.filter((name) => name !== 'APP_LOGIN' && name !== 'FORKLIFT_APP_LOGIN');
  const changes: Right[] = ['mark', 'load', 'operate', 'changeOffice', 'changeUsers', 'changeAuthorities'];
  expect(rightsOf(...others).filter((right) => changes.includes(right))).toEqual([]);
});

it('rights admit no user without a login', () => {
  const logins = ['BACKOFFICE_LOGIN', 'APP_LOGIN', 'OPERATIONAL_APP_LOGIN', 'FORKLIFT_APP_LOGIN'];
  const others = PERMISSIONS.filter((name) => !logins.includes(name));
  expect(rightsOf(...others)).not.toContain('signIn');
  for (const login of logins)
    expect(rightsOf(login as Permission)).toEqual(expect.arrayContaining(['signIn', 'see']));
});
