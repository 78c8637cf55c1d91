import { describe, expect, it } from 'vitest';
import { PAGES } from '../../../../src/web/console/kit/page.tsx';
import '../../../../src/web/console/routes.ts';
import { DESK_LANGUAGES } from '../../../../src/messages/languages.ts';
import { isOperatorRight } from '../../../../src/web/console/kit/rights.ts';

describe('every page', () => {
  it("every page is translated into the desk's languages, except operator pages, files and redirects", () => {
    const declared = PAGES.filter(
      ({ path, right }) =>
        !path.startsWith('/operator') && !isOperatorRight(right) && !/\.(pdf|zpl|csv)$|\/logout$/.test(path),
    );
    expect(declared.length).toBeGreaterThan(45);
    const lacking = declared.filter(
      ({ right, languages = right === 'guest' ? [] : DESK_LANGUAGES }) =>
        !DESK_LANGUAGES.every((language) => languages.includes(language)),
    );
    expect(lacking.map(({ path }) => path)).toEqual([]);
  });
});
