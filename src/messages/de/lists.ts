import type { lists as english } from '../en/lists.ts';
import type { Translated } from '../en/translated.ts';

export const lists: Translated<typeof english> = {
  'desk.gate': 'Tor',
  'desk.noneYet': 'Noch keins',
  'desk.noneIfEmpty': 'Leer lassen, wenn keines nötig ist.',
  'make.manifest': 'Neue Ladeliste',
  'make.toLoad': 'Zu ladende Paletten',
  'make.manifestId': 'Nummer der Ladeliste',
  'make.fromFile': 'Aus einer Datei (XLSX, CSV, TSV)',
  'make.fileHint': 'Eine gewählte Datei ersetzt die Liste unten.',
  'make.palletsHint':
    'Eine je Zeile oder eine Tabelle mit einer Überschrift wie SSCC; höchstens {count, number}.',
  'make.look': 'Vorschau',
  'make.manifestPlanned': '{name} ist geplant.',
  'make.tooLong': 'Diese Liste hat mehr als {most} Zeilen. Kürzen Sie sie.',
  'make.tooManyTexts':
    'Die Spalte mit den Paletten hat mehr als {most} verschiedene Texte. Wählen Sie eine andere Spalte oder kürzen Sie die Liste.',
  'make.tooMany': 'Die Liste hat {count} Paletten. Eine Ladeliste fasst höchstens {most}.',
  'make.tooLarge': 'Diese Liste hat mehr als {most} MB Text. Behalten Sie nur die Spalte mit den Paletten.',
  'make.noLine': 'Keine Zeile der Liste enthält eine Palette.',
  'make.line': 'Zeile {line}',
  'make.lineOf': 'Zeile {line}: {reason}',
  'make.question': '{name} mit {count, plural, one {1 Palette} other {{pallets} Paletten}} anlegen?',
  'make.badLines': 'Fehlerhafte Zeilen',
  'make.nothingLoaded': 'Die Ladeliste ist dann geplant; noch ist nichts geladen.',
  'make.leftOut': 'Fehlerhafte Zeilen bleiben weg.',
  'make.create': 'Anlegen',
  'make.createWithout':
    'Ohne {count, plural, one {# fehlerhafte Zeile} other {# fehlerhafte Zeilen}} anlegen',
  'make.cancel': 'Zurück',
  'make.column': 'Spalte mit den Paletten',
  'make.columnAt': 'Spalte {number}',
  'make.columnNamed': 'Spalte {number}: {name}',
  'make.wholeLine': 'Die ganze Zeile',
  'make.lookAgain': 'Vorschau dieser Spalte',
  'make.headingLine': 'Zeile {line} ist die Überschrift: {text}',
  'make.taken': 'Die Paletten stehen in Spalte {number}, „{name}“.',
  'make.takenNumber': 'Die Paletten stehen in Spalte {number}. Sie hat keine Überschrift.',
  'make.takenLine': 'Jede Zeile ist eine Palette.',
  'make.sheet':
    'Nur das Blatt „{sheet}“ wird gelesen. {count, plural, one {# anderes Blatt bleibt} other {# andere Blätter bleiben}} unberücksichtigt.',
  'make.unreadable': 'Diese Datei ist keine Liste. Wählen Sie eine XLSX-, CSV-, TSV- oder Textdatei.',
  'make.oldWorkbook':
    'Diese Arbeitsmappe ist alt oder hat ein Passwort. Speichern Sie sie als XLSX ohne Passwort.',
  'make.largeWorkbook':
    'Diese Arbeitsmappe ist zu groß. Behalten Sie nur das Blatt und die Spalte mit den Paletten.',
  'line.quote': 'In dieser Zeile fehlt ein Anführungszeichen.',
  'line.none': 'Die Zeile enthält keine Palette.',
  'line.long': 'Diese Palettennummer hat mehr als 255 Zeichen.',
  'line.text': 'Diese Palettennummer enthält Zeichen, die nicht gespeichert werden können.',
  'line.check': 'Die Prüfziffer dieser SSCC ist falsch.',
  'line.again': 'Sie steht schon in Zeile {line}.',
  'line.heading': 'Das ist eine Überschrift.',
  'line.above': 'Diese Zeile steht über der Überschrift.',
  'line.shortened':
    'Eine Tabellenkalkulation hat diese Zahl gekürzt. Formatieren Sie die Spalte als Text und speichern Sie die Datei neu.',
  'line.error': 'Die Tabelle zeigt in dieser Zelle einen Fehler.',
  'line.several': 'Mehrere Paletten passen: {pallets}. Geben Sie die Nummer einer davon genau so ein.',
  'line.keyboard':
    'Das ist für eine andere Tastatur getippt. Stellen Sie das Tastaturlayout des Scanners ein.',
  'make.columnFound': 'Nach Überschrift oder Inhalt',
};
