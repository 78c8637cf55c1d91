import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': 'spóźnienie {distance}',
  'when.in': 'za {distance}',
  'when.ago': '{distance} temu',
  'when.now': 'teraz',
  'when.days': '{count, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}',
  'when.hours': '{hours} godz.',
  'when.hoursMinutes': '{hours} godz. {minutes}',
  'when.minutes': '{minutes} min',
  'list.selected':
    'Wybrano {count, number}{pallets, plural, =0 {} one {, # paleta} few {, # palety} many {, # palet} other {, # palety}}',
  'dialog.back': 'Wstecz',
  'dialog.offline': 'Brak połączenia. O to, czego nie można cofnąć, zapytamy, gdy wróci.',
  'live.live': 'Na żywo',
  'live.not': 'Nie na żywo',
  'live.polling': 'Nie na żywo. Stan z {time}',
  'live.lost': 'Brak połączenia. Stan z {time}',
  'live.unsure': 'Nie wiadomo, czy to zrobiono. Naciśnij ponownie: zostanie zrobione tylko raz.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Wycofano',
  'tablet.loaded': 'Załadowana',
  'tablet.first': 'Najpierw trzeba wysłać to, co czeka',
  'tablet.onList': 'Na liście, czeka',
  'tablet.waiting': 'Czeka na wysłanie',
  'tablet.undo': 'Cofnij',
  'tablet.waits':
    '{count, plural, one {# czeka na tym tablecie.} few {# czekają na tym tablecie.} many {# czeka na tym tablecie.} other {# czeka na tym tablecie.}}',
  'tablet.plus': '+ {count, number} {count, plural, one {czeka} few {czekają} many {czeka} other {czeka}}',
  'tablet.signedOut': 'Sesja jest zakończona: odśwież i zaloguj się, a wszystko zostanie wysłane.',
  'tablet.noAnswer': 'Usługa jeszcze nie odpowiada: wszystko jest wysyłane, aż odpowie.',
  'tablet.keepScanning':
    'Skanuj dalej: wszystko zostanie wysłane raz, gdy wróci połączenie. Brak połączenia od {since}.',
  'tablet.sayWho': 'Najpierw podaj, kto tu pracuje',
  'tablet.somebody': 'kogoś innego',
  'tablet.ofOthers':
    '{count, plural, one {# czeka} few {# czekają} many {# czeka} other {# czeka}} tu od: {who}. Zostanie wysłane, gdy {who} wróci, w niczyim innym imieniu.',
  'tablet.sendMine': 'Wyślij w moim imieniu',
  'tablet.discard': 'Odrzuć',
  'tablet.discardMany': 'Odrzuć {count, number}',
  'tablet.askSend':
    'Wysłać {count, plural, one {to, co czeka} few {# oczekujące} many {# oczekujących} other {# oczekujących}} od: {who}, w twoim imieniu?',
  'tablet.askDiscard':
    'Odrzucić {count, plural, one {to, co czeka} few {# oczekujące} many {# oczekujących} other {# oczekujących}} od: {who}?',
  'tablet.leave': 'Zostaw',
  'tablet.more': 'i więcej',
  'tablet.sendTold': 'Dziennik wskaże ciebie. To, co już dotarło, i tak liczy się raz.',
  'tablet.discardTold':
    'Te czynności zostaną usunięte i nigdzie nie będą zapisane. Sprawdź, czy palety są w ciężarówce. Tego nie można cofnąć.',
  'tablet.did.start': 'Start załadunku',
  'tablet.did.resolve': 'Alert zamknięty',
  'tablet.did.remove': 'Zdjęto z ciężarówki',
  'tablet.did.assign': 'Przypisano do bramy',
  'tablet.mayNot': 'Nie masz do tego prawa.',
  'tablet.soundOn': 'Dźwięk wł.',
  'tablet.soundOff': 'Dźwięk wył.',
  'tablet.tapForSound': 'Dotknij: dźwięk',
  'camera.starting': 'Uruchamianie kamery…',
  'camera.point': 'Skieruj kamerę na znacznik lub etykietę.',
  'camera.none': 'Brak kamery: zezwól na nią na tej stronie albo wpisz numer poniżej.',
  'camera.unreadable': 'Obrazu nie można odczytać: {error}',
  'board.soundOn': 'Dźwięk: wł.',
  'board.soundOff': 'Dźwięk: wył.',
  'board.wakeOn': 'Nie wygaszaj: wł.',
  'board.wakeOff': 'Nie wygaszaj: wył.',
  'revoked.left':
    '{count, plural, one {# skan lub naciśnięcie nie zostało wysłane} few {# skany i naciśnięcia nie zostały wysłane} many {# skanów i naciśnięć nie zostało wysłanych} other {# skanu nie zostało wysłane}}. Zostają na tym urządzeniu: kto będzie tu pracować po ponownym sparowaniu lub zalogowaniu, wyśle je albo odrzuci na stronie bramy.',
  'wall.page': 'Strona {page, number} z {pages, number}',
};
