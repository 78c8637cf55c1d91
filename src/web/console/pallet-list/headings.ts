import { largest } from '../../../core/lib/extremes.ts';

/**
 * Names of pallets in headings of columns, in the eight languages, without accents. The rows are ordered: if several
 * columns are named, the column with a name of the first row is taken.
 */
const UNITS = [
  'sscc ssccs sscc18 nve nves serialshippingcontainer',
  `lpn lpns hu hus udc lhm wms epc epcs track licenseplate licenceplate handlingunit logisticunit logisticsunit transportunit
   ladeeinheit ladungstrager transporteinheit versandeinheit logistischeeinheit laadeenheid logistiekeeenheid
   unidadlogistica unidadlogistica unitelogistique unitedemanutention unitalogistica unitadicarico
   jednostkalogistyczna nosnik unidadelogistica exidv lademittel support supports drager ladingdrager
   etiquettelogistique etichettalogistica etiquetalogistica etykietalogistyczna matriculapalet matriculapale`,
  `pallet pallets palette palettes paletten pal palet palets pale pales paleta paletas palete paletes palety paleto
   tarima tarimas bancale bancali pedana pedane europalette europallet`,
  `colli collo kolli kollo colis bulto bultos volume volumes packstuck packstucke package packages parcel paczka`,
].map((row) => new Set(row.split(/\s+/)));

/** Names of several pallets. A column of small numbers below them counts pallets. */
const PLURALS = new Set(
  `pallets paletten palettes palets pales paletas palety paletes tarimas bancali pedane colli kolli colis bultos volumes
   packages`.split(/\s+/),
);
/** Words beside such a name that say that the column contains numbers. */
const NUMBER = new Set(
  `id ids no nos nr nrs nro cod num number numbers nummer nummern numero numeros numer numery code codes kod kodes codigo
   codice key identifier identification identifikation identifiant identificativo identificador identificacion
   identificatie identyfikator barcode ean gs1 ref reference referenz referencia riferimento referentie
   de des der die das del della di do da du van la le el il het the of`.split(/\s+/),
);
/** Other frequent headings of tables. */
const OTHERS = new Set(
  `name order auftrag bestellung pedido commande ordine bestelling zamowienie encomenda item article artikel articolo
   articulo artigo product produkt producto produit prodotto produto qty quantity menge anzahl cantidad quantite quantita
   aantal ilosc quantidade date datum fecha data weight gewicht peso poids waga container pos position gate customer kunde
   client cliente klant klient description beschreibung descripcion descrizione omschrijving opis descricao status
   location lager vbeln posnr lieferung delivery lieferschein livraison entrega consegna levering dostawa shipment
   sendung tour trip route carrier spedition truck vehicle line zeile ligne linea riga phone telefon`.split(
    /\s+/,
  ),
);
/** Headings of columns that may contain the ids of pallets. */
const UNCERTAIN = new Set(['name', 'container', 'item', 'location', 'lager']);
/** The words of a row with sums. */
const TOTALS = new Set(
  `total totals subtotal summe zwischensumme gesamt gesamtsumme suma somme soustotal totale totaal razem lacznie soma
   celkem toplam`.split(/\s+/),
);
/** A word, and a number or a unit behind it. */
const TOTAL = /^[\p{L}-]+(?:[\s:=][\s:=\d.,]*\p{L}*)?$/u;
/** No name of a column has so many digits. Most texts of a long list have them. */
const NUMBERED = /\d{3}/;
/** The ends of compound words: `Palettennummer`, `palletid`. */
const COMPOUND = /(?:nummern?|number|nr|no|id|code|identifier|identifikation)$/;
/** Abbreviations of "number" with a sign: `N° palette`, `Paleta č.`. */
const ABBREVIATED = /^n\s*[°º.]|\s[nč]\.$/gi;
/** Longer cells are no headings. */
const LENGTH_MAXIMUM = 60;

/** The words of a heading without accents, in lower case: `NVE/SSCC-Nr.` has `nve`, `sscc` and `nr`. */
function wordsOf(heading: string): string[] {
  const plain = heading.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ß', 'ss');
  const words = plain.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{L}+|\p{N}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** The rank of a name among `UNITS`, from 1; 0 for another word. */
function rankOfName(name: string): number {
  const found = UNITS.findIndex((names) => names.has(name) || names.has(name.replace(COMPOUND, '')));
  return found < 0 ? 0 : UNITS.length - found;
}

/**
 * How surely a cell is the heading of the column of pallets; 0 if it is not. Case, accents, blanks and punctuation do
 * not matter.
 */
export function rankOf(heading: string): number {
  if (heading.length > LENGTH_MAXIMUM || NUMBERED.test(heading) || !/\p{L}/u.test(heading)) return 0;
  const plain = heading.trim().replace(ABBREVIATED, '');
  return largest([wordsOf(plain), wordsOf(plain.toLowerCase())].map(rankOfWords));
}

/** Whether a heading says that the column contains SSCCs. */
export const isSsccHeading = (heading: string): boolean => rankOf(heading) === UNITS.length;

/** Whether a cell has only words that are usual in headings. */
export const isHeading = (cell: string): boolean =>
  cell.length <= LENGTH_MAXIMUM &&
  /\p{L}/u.test(cell) &&
  [wordsOf(cell), wordsOf(cell.toLowerCase())].some((words) =>
    words.every((word) => NUMBER.has(word) || OTHERS.has(word) || rankOfName(word) > 0),
  );

/** Whether a heading names a column without pallets, such as orders, quantities or dates. */
export const isOfOthers = (heading: string): boolean =>
  namesIn(heading).some(
    (names) => names.length > 0 && names.every((name) => OTHERS.has(name) && !UNCERTAIN.has(name)),
  );

/** Whether a cell is in a row with sums: `Total: 12`. */
export function isTotal(cell: string): boolean {
  const [first = '', second = ''] =
    cell.length <= LENGTH_MAXIMUM && TOTAL.test(cell) ? wordsOf(cell.toLowerCase()) : [];
  return TOTALS.has(first) || TOTALS.has(first + second);
}

/** Whether a heading may also count pallets. */
export const isPlural = (heading: string): boolean =>
  wordsOf(heading.toLowerCase()).some((word) => PLURALS.has(word));

function rankOfWords(words: readonly string[]): number {
  const names = words.filter((word) => !NUMBER.has(word));
  if (names.length === 0) return 0;
  const whole = Math.max(rankOfName(names.join('')), rankOfName(words.join('')));
  if (whole > 0) return whole;
  const ranks = names.map(rankOfName);
  return ranks.includes(0) ? 0 : largest(ranks);
}

/** The words of a heading that are not only about numbers, and all of them as one word. */
export function namesIn(heading: string): string[][] {
  if (heading.length > LENGTH_MAXIMUM || !/\p{L}/u.test(heading)) return [];
  const plain = heading.trim().replace(ABBREVIATED, '');
  return [wordsOf(plain), wordsOf(plain.toLowerCase())].map((words) =>
    words.filter((word) => !NUMBER.has(word)).map((word) => word.replace(COMPOUND, '') || word),
  );
}
