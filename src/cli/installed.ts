/**
 * Run by `npm ci` at its end. npm compares what packages ask for with the Node that it runs on itself, and would warn of
 * each tool that wants a later one; but scripts run on that of the `node` package, which has just been installed.
 */

/** What to say where npm (by its user agent) runs on an earlier major version of Node than scripts do. */
export function sayOfNode(agent: string | undefined, version: string): string | undefined {
  const ofNpm = /\bnode\/(v(\d+)\S*)/.exec(agent ?? '');
  if (!ofNpm || Number(ofNpm[2]) >= Number.parseInt(version.slice(1), 10)) return undefined;
  return `npm runs on Node ${ofNpm[1]}. Scripts of this project run on Node ${version}, which is installed with it.`;
}

if (import.meta.main) {
  const said = sayOfNode(process.env['npm_config_user_agent'], process.version);
  if (said !== undefined) process.stdout.write(`${said}\n`);
}
