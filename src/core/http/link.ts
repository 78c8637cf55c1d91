/** `deepLink` of a resource: its address in the operations application. */
export function deepLink(origin: string, resource: string, uuid: string): string {
  return `${origin}/app/${resource}/${uuid}`;
}
