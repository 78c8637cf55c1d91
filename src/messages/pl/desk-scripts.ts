import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    'Wybrano {count, number}{pallets, plural, =0 {} one {, # paleta} few {, # palety} many {, # palet} other {, # palety}}',
  'palette.title': 'Polecenia',
  'palette.placeholder': 'Przejdź do strony lub wysyłki albo wybierz działanie',
  'palette.actions': 'Na tej stronie',
  'palette.pages': 'Strony',
  'palette.found': 'Znalezione',
  'palette.everywhere': 'Gdzie indziej',
  'palette.search': 'Szukaj „{text}”',
  'board.soundOn': 'Dźwięk: wł.',
  'board.soundOff': 'Dźwięk: wył.',
  'board.wakeOn': 'Nie wygaszaj: wł.',
  'board.wakeOff': 'Nie wygaszaj: wył.',
  'board.gatesLate':
    '{count, plural, one {brama spóźniona} few {bramy spóźnione} many {bram spóźnionych} other {bramy spóźnione}}',
  'board.wrongPallets':
    '{count, plural, one {niewłaściwa paleta} few {niewłaściwe palety} many {niewłaściwych palet} other {niewłaściwej palety}}',
  'notice.on': 'Powiadomienia: wł.',
  'notice.off': 'Powiadomienia: wył.',
  'notice.blocked': 'Powiadomienia: zablokowane',
  'notice.whyBlocked': 'Zezwól na powiadomienia w przeglądarce.',
  'notice.none': 'Powiadomienia: niemożliwe',
  'notice.whyNone': 'Ta przeglądarka nie może pokazywać powiadomień tej strony.',
  'notice.afterQuiet':
    '{count, plural, one {# problem} few {# problemy} many {# problemów} other {# problemu}} od początku godzin ciszy',
  'wall.page': 'Strona {page, number} z {pages, number}',
};
