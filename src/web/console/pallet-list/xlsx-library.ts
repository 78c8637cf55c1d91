// The parts of the libraries that XLSX files need. `xlsx.ts` imports them at the first such file of an isolate.
export { Unzip, UnzipInflate } from 'fflate';
export { Parser } from 'saxen';
