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
  'notice.on': 'Powiadomienia: wł.',
  'notice.off': 'Powiadomienia: wył.',
  'notice.blocked': 'Powiadomienia: zablokowane. Zezwól na nie w przeglądarce.',
  'notice.none': 'Powiadomienia: niemożliwe w tej przeglądarce',
  'notice.afterQuiet':
    '{count, plural, one {# problem} few {# problemy} many {# problemów} other {# problemu}} od początku godzin ciszy',
  'wall.page': 'Strona {page, number} z {pages, number}',
};
