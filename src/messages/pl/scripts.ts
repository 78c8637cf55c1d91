import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': 'spóźnienie {distance}',
  'when.in': 'za {distance}',
  'when.ago': '{distance} temu',
  'when.now': 'teraz',
  'when.days': '{count, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}',
  'when.inDays': 'za {count, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}',
  'when.daysAgo': '{count, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}} temu',
  'when.daysLate': 'spóźnienie {count, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}',
  'when.hours': '{hours} godz.',
  'when.hoursMinutes': '{hours} godz. {minutes} min',
  'when.minutes': '{minutes} min',
  'when.seconds': '{seconds} s',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Wstecz',
  'dialog.offline':
    'Brak połączenia. Działania, których nie można cofnąć, będą znów dostępne, gdy połączenie wróci.',
  'dialog.hold': 'Przytrzymaj przycisk, aż się wypełni.',
  'dialog.unsure':
    'Usługa nie potwierdziła tej czynności. Naciśnij ponownie. Nie zostanie wykonana dwa razy.',
  'live.live': 'Na żywo',
  'live.not': 'Nie na żywo',
  'live.polling': 'Nie na żywo. Stan na {time}',
  'live.lost': 'Brak połączenia. Stan na {time}',
  'live.unsure': 'Usługa nie potwierdziła tej czynności. Naciśnij ponownie. Nie zostanie wykonana dwa razy.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Cofnięto',
  'tablet.loaded': 'Załadowana',
  'tablet.first': 'Najpierw wyślij czekające wpisy',
  'tablet.onList': 'Na liście, czeka',
  'tablet.notListed': 'Nie ma jej na tej liście: odstaw ją',
  'tablet.ending': 'Palety z listy, które kończą się na {text}.',
  'tablet.unchecked': 'Nie można sprawdzić bez połączenia',
  'tablet.again': 'Już załadowana',
  'tablet.startFirst': 'Najpierw naciśnij „Zacznij”',
  'tablet.glued': 'Kilka palet w jednym odczycie: {pallets}. Zeskanuj każdą jeszcze raz.',
  'tablet.noEnter': 'Naciśnij Enter.',
  'tablet.setEnter': 'Ustaw skaner tak, aby po każdym odczycie wysyłał Enter.',
  'tablet.waiting': 'Czeka na wysłanie',
  'tablet.undo': 'Cofnij',
  'tablet.waits':
    '{count, plural, one {# wpis czeka na tym tablecie.} few {# wpisy czekają na tym tablecie.} many {# wpisów czeka na tym tablecie.} other {# wpisu czeka na tym tablecie.}}',
  'tablet.plus': '+ {count, number} {count, plural, one {czeka} few {czekają} many {czeka} other {czeka}}',
  'tablet.signedOut': 'Sesja się zakończyła. Odśwież stronę i zaloguj się, aby wysłać czekające wpisy.',
  'tablet.noAnswer':
    'Usługa nie odpowiada. Wpisy pozostają na tym tablecie i są automatycznie wysyłane ponownie.',
  'tablet.keepScanning': 'Stan na {time}. Skanuj dalej. Wszystko zostanie wysłane, gdy połączenie wróci.',
  'tablet.sayWho': 'Najpierw zeskanuj identyfikator lub wpisz PIN',
  'tablet.worksHere': 'Teraz pracuje tu {name}.',
  'tablet.nobodyHere': 'Teraz nikt tu nie pracuje.',
  'tablet.badgeFirst':
    'To jest paleta. Najpierw {asks, select, PIN {wpisz PIN} other {zeskanuj identyfikator}}.',
  'tablet.unknownBadge':
    'Ten tablet nie zna tego identyfikatora. Nowy identyfikator wymaga najpierw połączenia.',
  'tablet.pinOffline':
    'PIN można sprawdzić tylko przy połączeniu. Zeskanowane palety są przechowywane do tego czasu.',
  'tablet.somebody': 'inna osoba',
  'tablet.ofOthers':
    '{count, plural, one {# niewysłany wpis} few {# niewysłane wpisy} many {# niewysłanych wpisów} other {# niewysłanego wpisu}} ({who}). {count, plural, one {Zostanie wysłany} few {Zostaną wysłane} many {Zostaną wysłane} other {Zostaną wysłane}}, gdy {who} znów będzie tu pracować.',
  'tablet.sendMine': 'Wyślij w moim imieniu',
  'tablet.discard': 'Odrzuć',
  'tablet.discardMany': 'Odrzuć {count, number}',
  'tablet.askSend':
    'Wysłać w Twoim imieniu {count, plural, one {niewysłany wpis} few {# niewysłane wpisy} many {# niewysłanych wpisów} other {# niewysłanego wpisu}} ({who})?',
  'tablet.askDiscard':
    'Odrzucić {count, plural, one {niewysłany wpis} few {# niewysłane wpisy} many {# niewysłanych wpisów} other {# niewysłanego wpisu}} ({who})?',
  'tablet.leave': 'Wróć',
  'tablet.more': 'i inne',
  'tablet.sendTold':
    'W dzienniku audytu będzie Twoje imię i nazwisko. Skany, które usługa już ma, nie liczą się podwójnie.',
  'tablet.discardTold':
    'Te wpisy zostaną usunięte i nigdzie nie będą zapisane. Sprawdź, czy palety są w ciężarówce. Tego nie można cofnąć.',
  'tablet.did.start': 'Start załadunku',
  'tablet.did.resolve': 'Alert rozwiązany',
  'tablet.did.remove': 'Zdjęto z ciężarówki',
  'tablet.did.assign': 'Przydzielono do bramy',
  'tablet.did.damage': 'Uszkodzona',
  'tablet.did.comment': 'Komentarz',
  'tablet.isPallet': 'To jest paleta. Zeskanuj lub wpisz: {field}.',
  'tablet.loadMissing': 'Załaduj {pallet}',
  'tablet.photoWaits':
    '{count, plural, one {# zdjęcie czeka na tym tablecie.} few {# zdjęcia czekają na tym tablecie.} many {# zdjęć czeka na tym tablecie.} other {# zdjęcia czeka na tym tablecie.}}',
  'tablet.photoTaken': 'Zdjęcie zrobione',
  'tablet.photoFull':
    'Na tym tablecie nie zmieści się więcej zdjęć. Najpierw wyślij {count, plural, one {czekające zdjęcie} few {# czekające zdjęcia} many {# czekających zdjęć} other {# czekającego zdjęcia}}.',
  'tablet.photoUnreadable': 'Nie można odczytać tego obrazu. Zrób zdjęcie.',
  'tablet.photoRefused': 'Zdjęcie zostało odrzucone ({name}): {reason}',
  'tablet.photoDiscard': 'Odrzuć zdjęcie',
  'tablet.photoUnstored':
    'Ten tablet nie może zapisać zdjęć. Nie zamykaj tej strony, dopóki zdjęcie nie zostanie wysłane.',
  'tablet.photoFirst': 'Najpierw poczekaj na wysłanie zdjęcia.',
  'tablet.photoOf': 'Zdjęcie: {name}',
  'tablet.mayNot': 'Nie masz do tego uprawnień. Zapytaj administratora.',
  'tablet.soundOn': 'Dźwięk wł.',
  'tablet.soundOff': 'Dźwięk wył.',
  'tablet.tapForSound': 'Dotknij: dźwięk',
  'camera.starting': 'Uruchamianie kamery…',
  'camera.loading': 'Jeszcze nie ma połączenia. Kamera uruchomi się, gdy będzie połączenie…',
  'camera.point': 'Skieruj kamerę na znacznik lub etykietę.',
  'camera.none': 'Brak dostępnej kamery. Zezwól na nią na tej stronie albo wpisz numer poniżej.',
  'camera.unreadable': 'Obrazu nie można odczytać: {error}',
  'revoked.left':
    '{count, plural, one {# wpis nie został wysłany i pozostaje} few {# wpisy nie zostały wysłane i pozostają} many {# wpisów nie zostało wysłanych i pozostaje} other {# wpisu nie zostało wysłane i pozostaje}} na tym urządzeniu. Sparuj urządzenie ponownie albo zaloguj się tutaj. Potem otwórz stronę bramy, aby {count, plural, one {wysłać lub odrzucić ten wpis} few {wysłać lub odrzucić te wpisy} many {wysłać lub odrzucić te wpisy} other {wysłać lub odrzucić te wpisy}}.',
};
