import type { CommandRequest, Outcome } from './command.ts';
import recorded from './shapes.json' with { type: 'json' };

/**
 * The shape of a JSON value:
 *
 * - a type: `string`, `number`, `boolean`, `null` or `any`
 * - one value: a string (`=LOADED`) or a number (`+1`)
 * - `@k3f9aQ`: the shape with this digest
 * - an array with one shape: a list. An array with several shapes: a value with one of them
 * - an object: the shapes of its members. The name of an optional member ends with `?`. `*` stands for all other members
 */
export type Shape = string | readonly Shape[] | { readonly [member: string]: Shape };

/** The shapes of `shapes.json`. A test records them from the types of the commands. */
export interface Shapes {
  /** The shapes of what `OrganizationObject.execute` takes and returns, without the input and the answer. */
  request: string;
  outcome: string;
  commands: Readonly<Record<string, readonly [input: string, answer: string]>>;
  /** Shapes by their digest. */
  types: Readonly<Record<string, Shape>>;
}

/** The object does not know the command, or a member or value of the request. It has done nothing. */
export interface Unknown {
  kind: 'unknown';
  /** The path of the unknown part. */
  unknown: string;
}

/** A request and an outcome as they cross, each with its version. */
export type SentRequest = CommandRequest & { version: string };
export type SentOutcome = (Outcome & { version: string }) | Unknown;

/**
 * What the Worker and the Durable Object know of each other's values. During a rollout they are of different versions, so
 * each value carries the digests of its shapes. Equal digests need no check.
 */
export class Versions {
  readonly #shapes: Shapes;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  /** The names of the commands with recorded shapes. */
  get commands(): string[] {
    return Object.keys(this.#shapes.commands);
  }

  /** The version of a request to run a command. */
  ofRequest(name: string): string {
    return `${this.#shapes.request}${this.#shapes.commands[name]?.[0]}`;
  }

  /** The version of an outcome of a command. */
  ofOutcome(name: string): string {
    return `${this.#shapes.outcome}${this.#shapes.commands[name]?.[1]}`;
  }

  /** The part of a request that this version does not know, as a path; undefined if it knows all. */
  unknownIn(request: SentRequest): string | undefined {
    const shapes = this.#shapes.commands[request.name];
    if (!shapes) return request.name;
    if (request.version === this.ofRequest(request.name)) return undefined;
    return (
      this.#misfit(this.#shapes.request, request, 'request', true) ??
      this.#misfit(shapes[0], request.input, request.name, true)
    );
  }

  /**
   * An outcome of a command as this version knows it: an answer without the members that only a newer version knows. Or the
   * part that this version does not know: a value, or a member that it needs and that is missing.
   */
  known(name: string, outcome: SentOutcome): Outcome | Unknown {
    if (outcome.kind === 'unknown' || outcome.version === this.ofOutcome(name)) return outcome;
    const { [name]: [, answer] = ['any', 'any'] } = this.#shapes.commands;
    const body = outcome.kind === 'done' ? JSON.parse(outcome.body) : null;
    const unknown =
      this.#misfit(this.#shapes.outcome, outcome, 'outcome', false) ??
      (outcome.kind === 'done' ? this.#misfit(answer, body, name, false) : undefined);
    if (unknown !== undefined) return { kind: 'unknown', unknown };
    return outcome.kind === 'done'
      ? { ...outcome, body: JSON.stringify(this.#trimmed(answer, body)) }
      : outcome;
  }

  /** The path of a part of `value` that `shape` does not have, or that `value` lacks; undefined if it fits. */
  #misfit(shape: Shape, value: unknown, path: string, isClosed: boolean): string | undefined {
    if (typeof shape === 'string') {
      if (shape.startsWith('@'))
        return this.#misfit(this.#shapes.types[shape.slice(1)]!, value, path, isClosed);
      return isScalar(shape, value) ? undefined : path;
    }
    if (!isList(shape)) return this.#misfitMember(shape, value, path, isClosed);
    if (shape.length > 1) {
      const misfits = shape.map((one) => this.#misfit(one, value, path, isClosed));
      // The longest path is of the shape that fits best.
      return misfits.includes(undefined)
        ? undefined
        : misfits.reduce((one, other) => (one!.length < other!.length ? other : one));
    }
    if (!Array.isArray(value)) return path;
    for (const item of value) {
      const misfit = this.#misfit(shape[0]!, item, `${path}[]`, isClosed);
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  }

  #misfitMember(
    members: Readonly<Record<string, Shape>>,
    value: unknown,
    path: string,
    isClosed: boolean,
  ): string | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return path;
    const given = new Map(Object.entries(value).filter(([, own]) => own !== undefined));
    for (const [name, shape] of Object.entries(members)) {
      if (name === '*') continue;
      const plain = name.replace(/\?$/, '');
      const own = `${path}.${plain}`;
      const misfit = given.has(plain)
        ? this.#misfit(shape, given.get(plain), own, isClosed)
        : plain === name
          ? own
          : undefined;
      if (misfit !== undefined) return misfit;
      given.delete(plain);
    }
    for (const [name, own] of given) {
      const shape = members['*'];
      const misfit = shape
        ? this.#misfit(shape, own, `${path}.${name}`, isClosed)
        : isClosed
          ? `${path}.${name}`
          : undefined;
      if (misfit !== undefined) return misfit;
    }
    return undefined;
  }

  /** A value that fits a shape, with only the members that the shape has. */
  #trimmed(shape: Shape, value: unknown): unknown {
    if (typeof shape === 'string')
      return shape.startsWith('@') ? this.#trimmed(this.#shapes.types[shape.slice(1)]!, value) : value;
    if (!isList(shape)) {
      const members = Object.entries(value as object).flatMap(([name, own]) => {
        const known = shape[name] ?? shape[`${name}?`] ?? shape['*'];
        return known === undefined ? [] : [[name, this.#trimmed(known, own)]];
      });
      return Object.fromEntries(members);
    }
    if (shape.length === 1) return (value as unknown[]).map((item) => this.#trimmed(shape[0]!, item));
    const fits = (isClosed: boolean) =>
      shape.find((one) => this.#misfit(one, value, '', isClosed) === undefined);
    return this.#trimmed((fits(true) ?? fits(false))!, value);
  }
}

const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape);

function isScalar(shape: string, value: unknown): boolean {
  if (shape === 'any') return true;
  if (shape === 'null') return value === null;
  if (shape.startsWith('=')) return value === shape.slice(1);
  if (shape.startsWith('+')) return value === Number(shape.slice(1));
  return typeof value === shape;
}

/** The versions of this code. */
export const versions = new Versions(recorded as unknown as Shapes);
