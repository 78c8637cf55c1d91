import type { lists as english } from '../en/lists.ts';
import type { Translated } from '../en/translated.ts';

export const lists: Translated<typeof english> = {
  'desk.gate': 'Baia',
  'desk.noneYet': 'Ancora nessuna',
  'desk.noneIfEmpty': 'Lascia vuoto per nessuna.',
  'make.manifest': 'Nuova lista di carico',
  'make.toLoad': 'Pallet da caricare',
  'make.manifestId': 'Numero della lista di carico',
  'make.fromFile': 'Da un file (XLSX, CSV, TSV)',
  'make.fileHint': 'Il file scelto sostituisce la lista qui sotto.',
  'make.palletsHint':
    'Uno per riga, o una tabella con un’intestazione come SSCC. Al massimo {count, number}.',
  'make.look': 'Anteprima',
  'make.manifestPlanned': '{name} è pianificata.',
  'make.tooLong': 'Questa lista ha più di {most} righe. Accorciala.',
  'make.tooManyTexts':
    'La colonna dei pallet ha più di {most} testi diversi. Scegli un’altra colonna o accorcia la lista.',
  'make.tooMany': 'La lista ha {count} pallet. Una lista di carico ne contiene al massimo {most}.',
  'make.tooLarge': 'Questa lista ha più di {most} MB di testo. Tieni solo la colonna dei pallet.',
  'make.noLine': 'Nessuna riga della lista contiene un pallet.',
  'make.line': 'Riga {line}',
  'make.lineOf': 'Riga {line}: {reason}',
  'make.question':
    'Creare {name} con {count, plural, one {1 pallet} many {{pallets} pallet} other {{pallets} pallet}}?',
  'make.badLines': 'Righe errate',
  'make.nothingLoaded': 'La lista di carico sarà pianificata. Non è ancora caricato nulla.',
  'make.leftOut': 'Le righe errate saranno saltate.',
  'make.create': 'Crea',
  'make.createWithout':
    'Crea senza {count, plural, one {# riga errata} many {# righe errate} other {# righe errate}}',
  'make.cancel': 'Indietro',
  'make.column': 'Colonna dei pallet',
  'make.columnAt': 'Colonna {number}',
  'make.columnNamed': 'Colonna {number}: {name}',
  'make.wholeLine': 'L’intera riga',
  'make.lookAgain': 'Anteprima della colonna',
  'make.headingLine': 'La riga {line} è l’intestazione: {text}',
  'make.taken': 'I pallet sono nella colonna {number}, «{name}».',
  'make.takenNumber': 'I pallet sono nella colonna {number}. Non ha intestazione.',
  'make.takenLine': 'Ogni riga è un pallet.',
  'make.sheet':
    'Si legge solo il foglio «{sheet}». {count, plural, one {# altro foglio è ignorato} many {# altri fogli sono ignorati} other {# altri fogli sono ignorati}}.',
  'make.unreadable': 'Questo file non è una lista. Scegli un file XLSX, CSV, TSV o di testo.',
  'make.oldWorkbook':
    'Questa cartella di lavoro è vecchia o ha una password. Salvala come XLSX senza password.',
  'make.largeWorkbook':
    'Questa cartella di lavoro è troppo grande. Tieni solo il foglio e la colonna dei pallet.',
  'line.quote': 'In questa riga manca una virgoletta di apertura o di chiusura.',
  'line.none': 'La riga non contiene alcun pallet.',
  'line.long': 'L’id del pallet ha più di 255 caratteri.',
  'line.text': 'L’id del pallet contiene caratteri che non si possono salvare.',
  'line.check': 'La cifra di controllo di questo SSCC è errata.',
  'line.again': 'È già nella riga {line}.',
  'line.heading': 'Questa è un’intestazione.',
  'line.above': 'Questa riga è sopra l’intestazione.',
  'line.shortened':
    'Un foglio di calcolo ha accorciato questo numero. Formatta la colonna come testo e salva di nuovo il file.',
  'line.error': 'Il foglio di calcolo mostra un errore in questa cella.',
  'line.several': 'Corrispondono più pallet: {pallets}. Scrivi esattamente l’id di uno di questi.',
  'line.keyboard':
    'È stato digitato per un altro layout di tastiera. Imposta il layout di tastiera dello scanner.',
  'make.columnFound': 'Secondo l’intestazione o il contenuto',
};
