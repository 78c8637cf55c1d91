import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  API,
  type Checker,
  type LiteralType,
  type Symbol as Named,
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags,
  type UnionType,
} from 'typescript/unstable/sync';

const ROOT = resolve(import.meta.dirname, '..');

/** A shape as in `src/core/writer/versions.ts`, but with whole objects in place of their digests. */
export type Tree = string | Tree[] | { [member: string]: Tree };

/** Everything that crosses between the Worker and its Durable Objects. */
export interface Crossing<S> {
  request: S;
  outcome: S;
  /** The input and the answer of each command. */
  commands: Record<string, [input: S, answer: S]>;
}

/** Unions with more members than this are written once. */
const INLINE_MAXIMUM = 4;
/** The length of a digest. Only two versions of one shape must differ. */
const DIGEST_LENGTH = 6;

const byName = <T>(members: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** The shapes of all commands, from the types of the source. */
export function crossingOfSource(): Crossing<Tree> {
  const api = new API({ cwd: ROOT });
  try {
    const project = api
      .updateSnapshot({ openProjects: [`${ROOT}/tsconfig.json`] })
      .getProjects()
      .at(0)!;
    const { checker, program } = project;
    const exported = (path: string, name: string): Named => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(`${ROOT}/src/${path}`)!)!;
      return checker.getMemberInModuleExports(module, name)!;
    };
    const shapeOf = shapes(checker);
    const commands = checker.getTypeOfSymbol(exported('features.ts', 'commands'))!;
    const object = checker.getDeclaredTypeOfSymbol(exported('core/writer/binding.ts', 'OrganizationObject'));
    const execute = checker.getTypeOfSymbol(checker.getPropertyOfType(object, 'execute')!)!;
    const [signature] = checker.getSignaturesOfType(execute, SignatureKind.Call);
    const [outcome] = checker.getTypeArguments(checker.getReturnTypeOfSignature(signature!)! as never);
    return {
      request: shapeOf(checker.getParameterType(signature!, 0)!, 'request'),
      outcome: shapeOf(outcome!, 'outcome'),
      commands: Object.fromEntries(
        checker.getPropertiesOfType(commands).map((command) => {
          const [input, answer] = checker.getTypeArguments(checker.getTypeOfSymbol(command)! as never);
          return [command.name, [shapeOf(input!, command.name), shapeOf(answer!, command.name)]];
        }),
      ),
    };
  } finally {
    api.close();
  }
}

/** Makes shapes of types. @throws for a type that is no JSON, such as a function */
function shapes(checker: Checker): (type: Type, path: string) => Tree {
  const made = new Map<number, Tree>();
  const oneOf = (all: Tree[]): Tree => {
    const distinct = new Map(
      all.flatMap((one) => (isOneOf(one) ? one : [one])).map((one) => [JSON.stringify(one), one]),
    );
    const sorted = [...distinct].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
    return sorted.length === 1 ? sorted[0]! : sorted;
  };
  const isUndefined = ({ flags }: Type) => (flags & (TypeFlags.Undefined | TypeFlags.Void)) !== 0;
  const partsOf = (type: Type): readonly Type[] =>
    type.flags & TypeFlags.Union ? (type as UnionType).getTypes() : [type];

  function shapeOf(type: Type, path: string): Tree {
    const before = made.get(type.id);
    if (before !== undefined) return before;
    if (path.split('.').length > 20) throw new Error(`${path} contains itself`);
    const shape = make(type, path);
    made.set(type.id, shape);
    return shape;
  }

  function make(type: Type, path: string): Tree {
    const { flags } = type;
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return 'any';
    if (flags & TypeFlags.StringLiteral) return `=${(type as LiteralType).value}`;
    if (flags & TypeFlags.NumberLiteral) return `+${(type as LiteralType).value}`;
    if (flags & TypeFlags.BooleanLike) return 'boolean';
    if (flags & TypeFlags.StringLike) return 'string';
    if (flags & TypeFlags.NumberLike) return 'number';
    if (flags & TypeFlags.Null) return 'null';
    if (flags & TypeFlags.Union)
      return oneOf(
        partsOf(type)
          .filter((part) => !isUndefined(part))
          .map((part) => shapeOf(part, path)),
      );
    if (checker.isArrayLikeType(type))
      return [oneOf(checker.getTypeArguments(type as never).map((item) => shapeOf(item, `${path}[]`)))];
    const isCalled = checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;
    if (isCalled || !(flags & (TypeFlags.Object | TypeFlags.Intersection | TypeFlags.NonPrimitive)))
      throw new Error(`${path} is no JSON: ${checker.typeToString(type)}`);
    const members = checker.getPropertiesOfType(type).map((member): [string, Tree] => {
      const own = checker.getTypeOfSymbol(member)!;
      const isOptional = (member.flags & SymbolFlags.Optional) !== 0 || partsOf(own).some(isUndefined);
      return [`${member.name}${isOptional ? '?' : ''}`, shapeOf(own, `${path}.${member.name}`)];
    });
    const others = checker
      .getIndexInfosOfType(type)
      .map((info): [string, Tree] => ['*', shapeOf(info.valueType, `${path}.*`)]);
    return byName(Object.fromEntries([...members, ...others]));
  }
  return shapeOf;
}

const isOneOf = (shape: Tree): shape is Tree[] => Array.isArray(shape) && shape.length > 1;

/**
 * The content of `src/core/writer/shapes.json`: each object once, under the digest of its members. The digest of a shape
 * is its version, as it changes with everything in it.
 */
export function compact({
  request,
  outcome,
  commands,
}: Crossing<Tree>): Crossing<string> & { types: Record<string, Tree> } {
  const types: Record<string, Tree> = {};
  const digested = (shape: Tree): string => {
    if (typeof shape === 'string') return shape;
    const text = JSON.stringify(shape);
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);
    if (JSON.stringify(types[digest] ?? shape) !== text)
      throw new Error(`two shapes have the digest ${digest}`);
    types[digest] = shape;
    return `@${digest}`;
  };
  const compacted = (shape: Tree): Tree => {
    if (typeof shape === 'string') return shape;
    if (!Array.isArray(shape))
      return digested(Object.fromEntries(Object.entries(shape).map(([name, own]) => [name, compacted(own)])));
    const parts = shape.map(compacted);
    return parts.length > INLINE_MAXIMUM ? digested(parts) : parts;
  };
  const whole = (shape: Tree) => digested(compacted(shape));
  const made = {
    request: whole(request),
    outcome: whole(outcome),
    commands: byName(
      Object.fromEntries(
        Object.entries(commands).map(([name, [input, answer]]): [string, [string, string]] => [
          name,
          [whole(input), whole(answer)],
        ]),
      ),
    ),
  };
  return { ...made, types: byName(types) };
}

/** The opposite of `compact`. */
export function expanded({ request, outcome, commands, types }: ReturnType<typeof compact>): Crossing<Tree> {
  const whole = (shape: Tree): Tree => {
    if (typeof shape === 'string') return shape.startsWith('@') ? whole(types[shape.slice(1)]!) : shape;
    if (Array.isArray(shape)) return shape.map(whole);
    return Object.fromEntries(Object.entries(shape).map(([name, own]) => [name, whole(own)]));
  };
  return {
    request: whole(request),
    outcome: whole(outcome),
    commands: Object.fromEntries(
      Object.entries(commands).map(([name, [input, answer]]): [string, [Tree, Tree]] => [
        name,
        [whole(input), whole(answer)],
      ]),
    ),
  };
}
