/** A guard of the writer: its code (`from`), and the code that replaces it when it is removed (`to`). */
export interface Guard {
  name: string;
  file: string;
  from: string;
  to: string;
}

/** Guards of photos and signatures. */
export const EVIDENCE_GUARDS: readonly Guard[] = [
  {
    name: 'a photo is added only while its object is in the list of orphans and not claimed',
    file: 'src/dispatch/photo/commands.ts',
    from: 'IS NULL, NULL,',
    to: "IS '', NULL,",
  },
  {
    name: 'the object of a photo that was not added is discarded only after its claim',
    file: 'src/dispatch/calibration/objects.ts',
    from: 'const claimed = await claimOrphans(database, keys, Date.now());',
    to: 'await claimOrphans(database, keys, Date.now());\n    const claimed = keys;',
  },
  {
    name: 'the commit of a photo takes its object off the list of orphans',
    file: 'src/dispatch/photo/commands.ts',
    from: '        removeOrphans(scope, [key]),\n',
    to: '',
  },
  {
    name: 'a signing link adds one signature',
    file: 'src/dispatch/signature/changes.ts',
    from: 'const repeated = signed.find(({ uuid }) => uuid === linked);',
    to: 'const repeated = signed.find(({ uuid }) => uuid === linked && uuid === "");',
  },
  {
    name: 'a signature supersedes the latest one of its role',
    file: 'src/dispatch/signature/changes.ts',
    from: 'signed.findLast(({ role }) => role === given.role)',
    to: 'signed.find(({ role }) => role === given.role)',
  },
];
