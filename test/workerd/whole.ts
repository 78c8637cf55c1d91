import type { Answer } from './client.ts';

/** Read a list that is returned as one array, along its `Link` to the end. No answer may exceed 10 MB. */
export async function walkWhole<T>(
  at: { call(method: string, path: string): Promise<Answer> },
  path: string,
): Promise<T[]> {
  const items: T[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body, headers }: Answer = await at.call('GET', next);
    if (status !== 200) throw new Error(JSON.stringify(body));
    if (JSON.stringify(body).length > 10_000_000) throw new Error(`${next} has more than 10 MB`);
    items.push(...body);
    const link: string | undefined = /[?&]after=([^>&]+)/.exec(headers.get('Link') ?? '')?.[1];
    next = link && `${path}?after=${link}`;
  }
  return items;
}
