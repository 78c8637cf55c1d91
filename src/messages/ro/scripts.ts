import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts, by script. */
export const scripts: Translated<typeof english> = {
  'when.late': 'întârziere {distance}',
  'when.in': 'peste {distance}',
  'when.ago': 'acum {distance}',
  'when.now': 'acum',
  'when.days': '{count, plural, one {# zi} few {# zile} other {# de zile}}',
  'when.inDays': 'peste {count, plural, one {# zi} few {# zile} other {# de zile}}',
  'when.daysAgo': 'acum {count, plural, one {# zi} few {# zile} other {# de zile}}',
  'when.daysLate': 'întârziere {count, plural, one {# zi} few {# zile} other {# de zile}}',
  'when.hours': '{hours} h',
  'when.hoursMinutes': '{hours} h {minutes} min',
  'when.minutes': '{minutes} min',
  'when.seconds': '{seconds} s',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Înapoi',
  'dialog.offline':
    'Fără conexiune. Acțiunile care nu pot fi anulate vor fi disponibile când revine conexiunea.',
  'dialog.hold': 'Țineți apăsat butonul până se umple.',
  'dialog.unsure': 'Serviciul nu a confirmat această acțiune. Apăsați din nou. Nu se va face de două ori.',
  'live.live': 'Live',
  'live.not': 'Nu este live',
  'live.polling': 'Nu este live. Situația la {time}',
  'live.lost': 'Fără conexiune. Situația la {time}',
  'live.unsure': 'Serviciul nu a confirmat această acțiune. Apăsați din nou. Nu se va face de două ori.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Anulat',
  'tablet.loaded': 'Încărcat',
  'tablet.first': 'Trimiteți mai întâi înregistrările în așteptare',
  'tablet.onList': 'Pe listă, așteaptă',
  'tablet.notListed': 'Nu este pe această listă: puneți-l deoparte',
  'tablet.ending': 'Paleții din listă care se termină cu {text}.',
  'tablet.unchecked': 'Nu se poate verifica fără conexiune',
  'tablet.again': 'Încărcat deja',
  'tablet.startFirst': 'Apăsați mai întâi „Începere”',
  'tablet.glued': 'Mai mulți paleți într-o singură scanare: {pallets}. Scanați-i din nou pe fiecare.',
  'tablet.noEnter': 'Apăsați Enter.',
  'tablet.setEnter': 'Setați scanerul să trimită Enter după fiecare scanare.',
  'tablet.waiting': 'Așteaptă trimiterea',
  'tablet.undo': 'Anulare',
  'tablet.waits':
    '{count, plural, one {# înregistrare așteaptă pe această tabletă.} few {# înregistrări așteaptă pe această tabletă.} other {# de înregistrări așteaptă pe această tabletă.}}',
  'tablet.plus': '+ {count, number} în așteptare',
  'tablet.signedOut':
    'Sunteți deconectat. Reîncărcați pagina și conectați-vă pentru a trimite înregistrările în așteptare.',
  'tablet.noAnswer':
    'Serviciul nu răspunde. Înregistrările rămân pe această tabletă și se trimit din nou automat.',
  'tablet.keepScanning': 'Situația la {time}. Continuați scanarea. Totul se trimite când revine conexiunea.',
  'tablet.sayWho': 'Scanați mai întâi ecusonul sau introduceți PIN-ul',
  'tablet.worksHere': '{name} lucrează acum aici.',
  'tablet.nobodyHere': 'Acum nu lucrează nimeni aici.',
  'tablet.badgeFirst':
    'Acesta este un palet. Mai întâi {asks, select, PIN {introduceți PIN-ul} other {scanați ecusonul}}.',
  'tablet.unknownBadge':
    'Această tabletă nu cunoaște ecusonul. Un ecuson nou are nevoie mai întâi de o conexiune.',
  'tablet.pinOffline':
    'Un PIN poate fi verificat doar cu o conexiune. Paleții scanați sunt păstrați până atunci.',
  'tablet.somebody': 'altcineva',
  'tablet.ofOthers':
    '{count, plural, one {# înregistrare netrimisă} few {# înregistrări netrimise} other {# de înregistrări netrimise}} ({who}). {count, plural, one {Se trimite} few {Se trimit} other {Se trimit}} când {who} lucrează din nou aici.',
  'tablet.sendMine': 'Trimitere în numele meu',
  'tablet.discard': 'Ștergere',
  'tablet.discardMany': 'Ștergere: {count, number}',
  'tablet.askSend':
    'Trimiteți în numele dumneavoastră {count, plural, one {înregistrarea netrimisă} few {cele # înregistrări netrimise} other {cele # de înregistrări netrimise}} ({who})?',
  'tablet.askDiscard':
    'Ștergeți {count, plural, one {înregistrarea netrimisă} few {cele # înregistrări netrimise} other {cele # de înregistrări netrimise}} ({who})?',
  'tablet.leave': 'Înapoi',
  'tablet.more': 'și altele',
  'tablet.sendTold':
    'Numele dumneavoastră va apărea în jurnalul de audit. Scanările pe care serviciul le are deja nu se numără de două ori.',
  'tablet.discardTold':
    'Aceste înregistrări se șterg și nu se păstrează nicăieri. Verificați dacă paleții sunt în camion. Ștergerea nu poate fi anulată.',
  'tablet.did.start': 'Începere',
  'tablet.did.resolve': 'Alertă rezolvată',
  'tablet.did.remove': 'Dat jos din camion',
  'tablet.did.assign': 'Mutat la o rampă',
  'tablet.did.damage': 'Deteriorat',
  'tablet.did.comment': 'Comentariu',
  'tablet.isPallet': 'Acesta este un palet. Scanați sau introduceți: {field}.',
  'tablet.loadMissing': 'Încarcă {pallet}',
  'tablet.photoWaits':
    '{count, plural, one {# fotografie așteaptă pe această tabletă.} few {# fotografii așteaptă pe această tabletă.} other {# de fotografii așteaptă pe această tabletă.}}',
  'tablet.photoTaken': 'Fotografie făcută',
  'tablet.photoFull':
    'Pe această tabletă nu mai încap fotografii. Trimiteți mai întâi {count, plural, one {fotografia în așteptare} few {cele # fotografii în așteptare} other {cele # de fotografii în așteptare}}.',
  'tablet.photoUnreadable': 'Această imagine nu poate fi citită. Faceți o fotografie.',
  'tablet.photoRefused': 'Fotografia a fost refuzată ({name}): {reason}',
  'tablet.photoDiscard': 'Ștergere fotografie',
  'tablet.photoUnstored':
    'Această tabletă nu poate păstra fotografii. Lăsați pagina deschisă până se trimite fotografia.',
  'tablet.photoFirst': 'Așteptați mai întâi să se trimită fotografia.',
  'tablet.photoOf': 'Fotografie: {name}',
  'tablet.mayNot': 'Nu aveți permisiunea necesară. Adresați-vă unui administrator.',
  'tablet.soundOn': 'Sunet pornit',
  'tablet.soundOff': 'Sunet oprit',
  'tablet.tapForSound': 'Pornire sunet',
  'camera.starting': 'Camera pornește…',
  'camera.loading': 'Încă fără conexiune. Camera pornește când există conexiune…',
  'camera.point': 'Îndreptați camera spre un marcaj sau o etichetă.',
  'camera.none':
    'Nicio cameră disponibilă. Permiteți accesul pentru această pagină sau introduceți numărul mai jos.',
  'camera.unreadable': 'Imaginea nu poate fi citită: {error}',
  'revoked.left':
    '{count, plural, one {# înregistrare nu a fost trimisă și rămâne} few {# înregistrări nu au fost trimise și rămân} other {# de înregistrări nu au fost trimise și rămân}} pe acest dispozitiv. Asociați din nou dispozitivul sau conectați-vă aici. Apoi, pe pagina rampei, trimiteți sau ștergeți {count, plural, one {înregistrarea} few {înregistrările} other {înregistrările}}.',
};
