/** Addresses of `npm start`: on this machine, and in the local network. */
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

export const LOOPBACK = '127.0.0.1';
/** Hosts that listen on all interfaces. */
const EVERYWHERE = ['0.0.0.0', '::'];

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The origin of the service for programs on this machine. */
export const localOrigin = (host: string, port: string): string =>
  `http://${EVERYWHERE.includes(host) ? LOOPBACK : inUrl(host)}:${port}`;

/** The IPv4 addresses of this machine in its local networks. */
export const localAddresses = (
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string[] =>
  Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);

/**
 * The lines about the local network: the addresses for tablets and phones, or how to serve them. Nothing on a machine
 * without a network.
 */
export function networkText(host: string, port: string, addresses = localAddresses()): string {
  const [first] = addresses;
  if (EVERYWHERE.includes(host) && first !== undefined)
    return (
      addresses
        .map((address) => `  http://${address}:${port}/app   for tablets and phones in your network\n`)
        .join('') +
      '  Everybody in your network can open it, and its secrets are development values. Use it for trials only.\n'
    );
  if (host !== LOOPBACK || first === undefined) return '';
  return `  Tablets and phones cannot open it. HOST=0.0.0.0 npm start serves your network, at http://${first}:${port}\n`;
}
