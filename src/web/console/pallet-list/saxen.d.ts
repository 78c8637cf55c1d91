// saxen ships no types. Only the members that this service uses are declared.
declare module 'saxen' {
  type Decode = (text: string) => string;

  /** A streaming XML parser. It resolves no entities of a document type. */
  export class Parser {
    on(event: 'error', call: (error: Error) => void): this;
    on(
      event: 'openTag',
      call: (name: string, attributes: () => Record<string, string>, decode: Decode) => void,
    ): this;
    on(event: 'closeTag', call: (name: string) => void): this;
    on(event: 'text', call: (text: string, decode: Decode) => void): this;
    on(event: 'cdata', call: (text: string) => void): this;
    write(xml: string): this;
    end(): this;
  }
}
