import { OverBudget } from '../../../src/core/lib/reader.ts';
import { FORM_READER, fieldsOf } from '../../../src/web/ui/form/read-form.ts';
import { casesOf } from './case.ts';

/** The largest form in bytes. */
const MOST = 5 * 1024 * 1024;
const { fields } = FORM_READER.limits;
const BOUNDARY = 'b';
const part = (name: string, value = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
interface Form {
  bytes: Buffer;
  type?: string;
}
/** A part as often as it fits. It is outside of the heap. */
const filledWith = (text: string): Buffer => Buffer.alloc(Math.floor(MOST / text.length) * text.length, text);
const multipart = (bytes: Buffer): Form => ({
  bytes: Buffer.concat([bytes, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  type: `multipart/form-data; boundary=${BOUNDARY}`,
});

export default casesOf<Form>({
  reader: 'form',
  needed: { fields: 'one field many times' },
  async read({ bytes, type }) {
    try {
      return [...(await fieldsOf(bytes, type))];
    } catch (error) {
      if (error instanceof OverBudget) return error;
      throw error;
    }
  },
  inputs: {
    'one field many times': () => ({ bytes: filledWith('a=&') }),
    'different fields': () => ({
      bytes: Buffer.from(Array.from({ length: fields }, (_, number) => `k${number}=${number}`).join('&')),
    }),
    separators: () => ({ bytes: filledWith('&') }),
    'a long value of escapes': () => ({ bytes: Buffer.concat([Buffer.from('a='), filledWith('%41')]) }),
    'a long value of broken escapes': () => ({ bytes: Buffer.concat([Buffer.from('a='), filledWith('%')]) }),
    'many parts': () => multipart(filledWith(part('a'))),
    'as many parts as the maximum': () =>
      multipart(Buffer.from(Array.from({ length: fields - 2 }, (_, number) => part(`k${number}`)).join(''))),
    'a long part': () =>
      multipart(
        Buffer.concat([Buffer.from(part('a').slice(0, -2)), filledWith('\r\n-'), Buffer.from('\r\n')]),
      ),
  },
});
