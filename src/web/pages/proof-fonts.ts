import type { AppContext } from '../../core/http/types.ts';
import type { EmbeddableFont } from '../../core/lib/font.ts';
import type { ProofFonts } from './proof-pdf.ts';

let loaded: ProofFonts | undefined;

/**
 * The fonts of documents. The first request of an isolate that needs them reads them from the
 * static assets.
 */
export async function fontsOf(c: AppContext): Promise<ProofFonts> {
  loaded ??= { regular: await readFont(c, 'NotoSans-Regular'), bold: await readFont(c, 'NotoSans-Bold') };
  return loaded;
}

async function readFont(c: AppContext, name: string): Promise<EmbeddableFont> {
  const response = await c.env.ASSETS.fetch(`https://assets/assets/fonts/${name}.ttf`);
  if (!response.ok) throw new Error(`the font ${name} is not among the assets: ${response.status}`);
  const { plainFont } = await import('../../core/lib/font.ts');
  return plainFont(new Uint8Array(await response.arrayBuffer()));
}
