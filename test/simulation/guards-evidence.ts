/** A guard of the writer: its code (`from`), and the code that replaces it when it is removed (`to`). */
export interface Guard {
  name: string;
  file: string;
  from: string;
  to: string;
}

/** Guards of photos. */
export const EVIDENCE_GUARDS: readonly Guard[] = [
  {
    name: 'a photo is added only while its object is in the list of orphans and not claimed',
    file: 'src/dispatch/photo/commands.ts',
    from: 'IS NULL, NULL,',
    to: "IS '', NULL,",
  },
  {
    name: 'the commit of a photo takes its object off the list of orphans',
    file: 'src/dispatch/photo/commands.ts',
    from: '        removeOrphans(scope, [key]),\n',
    to: '',
  },
  {
    name: 'a database sweeps no objects of an organization that moves to or from it',
    file: 'src/dispatch/calibration/objects.ts',
    from: "residence IN ('ARRIVING', 'ELSEWHERE')",
    to: "residence IN ('')",
  },
];
