declare module 'parse-prometheus-text-format' {
  /** A metric with its samples, as in the text. */
  interface Family {
    name: string;
    help: string;
    type: string;
    metrics: { value: string; labels?: Record<string, string> }[];
  }

  /** @throws if a line does not have the format. */
  export default function parse(text: string): Family[];
}
