/** Write a line for the person who watches. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}
