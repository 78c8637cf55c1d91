declare module 'parse-prometheus-text-format' {
  /** A metric with its samples, as the text has them. */
  interface Family {
    name: string;
    help: string;
    type: string;
    metrics: { value: string; labels?: Record<string, string> }[];
  }

  /** @throws for a line that is none of the format. */
  export default function parse(text: string): Family[];
}
