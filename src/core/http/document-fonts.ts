import type { DocumentFonts, EmbeddableFont } from '../lib/font.ts';
import type { AppContext } from './types.ts';

let loaded: DocumentFonts | undefined;

/**
 * The fonts of documents. The first request of an isolate that needs them reads them from the
 * static assets.
 */
export async function fontsOf(c: AppContext): Promise<DocumentFonts> {
  loaded ??= { regular: await readFont(c, 'NotoSans-Regular'), bold: await readFont(c, 'NotoSans-Bold') };
  return loaded;
}

async function readFont(c: AppContext, name: string): Promise<EmbeddableFont> {
  const response = await c.env.ASSETS.fetch(`https://assets/assets/fonts/${name}.ttf`);
  if (!response.ok) throw new Error(`the font ${name} is not among the assets: ${response.status}`);
  const { plainFont } = await import('../lib/font.ts');
  return plainFont(new Uint8Array(await response.arrayBuffer()));
}
