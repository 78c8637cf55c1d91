/** A caller's position in a trace (W3C Trace Context, `traceparent`). Later versions begin with the same parts. */
const FORM =
  /^(?!ff)[\da-f]{2}-(?!0{32})(?<trace>[\da-f]{32})-(?!0{16})(?<span>[\da-f]{16})-(?<flags>[\da-f]{2})(?:$|-)/;
const SPAN_BYTES = 8;

/** The header in the form of version 00 (55 characters); null if it is missing or invalid. */
export function traceparentOf(header: string | undefined): string | null {
  const { trace, span, flags } = FORM.exec(header ?? '')?.groups ?? {};
  return trace === undefined ? null : `00-${trace}-${span}-${flags}`;
}

/** The trace id. */
export const traceIdOf = (traceparent: string): string => traceparent.split('-')[1]!;

/** A new span in the same trace, for an outgoing request. */
export function furtherSpan(traceparent: string): string {
  const [version, trace, , flags] = traceparent.split('-');
  const span = Buffer.from(crypto.getRandomValues(new Uint8Array(SPAN_BYTES))).toString('hex');
  return [version, trace, span, flags].join('-');
}
