/** `deepLink` of a resource: where the operations application opens it. */
export function deepLink(origin: string, resource: string, uuid: string): string {
  return `${origin}/app/${resource}/${uuid}`;
}
