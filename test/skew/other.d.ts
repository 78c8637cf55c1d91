/** The script of the other version of the service. */
declare module '#other' {
  export { default, OrganizationWriter } from '../../src/worker.ts';
}
