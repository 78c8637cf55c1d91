import operations from '../web/docs/operations.json' with { type: 'json' };

/** A call in a guide: method and path, perhaps with a query. Calls within a link are unchanged. */
const CALL = /<code>((?:GET|POST|PUT|PATCH|DELETE) \/[^\s<?]+)[^<]*<\/code>(?![^<]*<\/a>)/g;

/** A call with placeholders instead of the names of its path parameters. */
const shape = (call: string): string => call.replaceAll(/\{\w+\}/g, '{}');

const REFERENCES = new Map(Object.entries(operations).map(([call, reference]) => [shape(call), reference]));

/** Links each call in the HTML of a guide to its operation in the reference. A test lists unknown calls. */
export const withOperationLinks = (html: string): string =>
  html.replaceAll(CALL, (code, call: string) => {
    const reference = REFERENCES.get(shape(call));
    return reference === undefined ? code : `<a href="${reference}">${code}</a>`;
  });
