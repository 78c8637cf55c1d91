/** `deepLink` of a resource: the URL of its page in the operations application. */
export function deepLink(origin: string, resource: string, uuid: string): string {
  return `${origin}/app/${resource}/${uuid}`;
}
