import { expect, it } from 'vitest';
import { areaText } from '../../../../src/web/ui/form/form.tsx';

it.each([
  ['plain', 'plain'],
  ['</textarea><script>', '&lt;/textarea>&lt;script>'],
  ['&amp; &#60; &lt;', '&amp;amp; &amp;#60; &amp;lt;'],
  ['A & B && C &', 'A & B && C &'],
  [`"quoted" 'twice'`, `"quoted" 'twice'`],
])('a text area escapes %s as %s', (text, html) => {
  expect(areaText(text)).toBe(html);
});

it('a text area shows a list of quotes at its own length', () => {
  const quotes = '"'.repeat(1_900_000);
  expect(areaText(quotes)).toBe(quotes);
});
