import type PdfDocument from 'pdfkit';
import type { StructureElement } from 'pdfkit';
import type { Role } from './proof-layout.ts';

/** The structure of the document, for screen readers (ISO 32000-1, section 14.7). */
export class Structure {
  #document: PdfDocument | undefined;
  #root: StructureElement | undefined;
  #table: StructureElement | undefined;

  begin(document: PdfDocument): void {
    this.#document = document;
    this.#root = document.struct('Document');
    document.addStructure(this.#root);
  }

  /** Add an element at the end of the document, or a row at the end of the current table. */
  element(role: Role | 'Figure', options: { alt?: string } = {}): StructureElement {
    const document = this.#document!;
    if (role !== 'TR') this.#endTable();
    if (role === 'TH') {
      this.#table = document.struct('Table');
      this.#root!.add(this.#table);
    }
    const element = document.struct(role === 'TH' ? 'TR' : role, options);
    (this.#table ?? this.#root!).add(element);
    return element;
  }

  /** A new table cell. The caller adds it to its row. */
  cell(role: Role): StructureElement {
    return this.#document!.struct(cellType(role), role === 'TH' ? { scope: 'Column' } : {});
  }

  /** A new figure. The caller adds it to a cell. */
  figure(alt: string): StructureElement {
    return this.#document!.struct('Figure', { alt });
  }

  /** A new link. The caller adds it to a cell. */
  link(): StructureElement {
    return this.#document!.struct('Link');
  }

  #endTable(): void {
    this.#table?.end();
    this.#table = undefined;
  }

  end(): void {
    this.#endTable();
    this.#root!.end();
  }
}

/** The type of the cells of a row. */
export const cellType = (role: Role): 'TH' | 'TD' => (role === 'TH' ? 'TH' : 'TD');
