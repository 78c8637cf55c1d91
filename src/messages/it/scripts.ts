import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': '{distance} di ritardo',
  'when.in': 'tra {distance}',
  'when.ago': '{distance} fa',
  'when.now': 'adesso',
  'when.days': '{count, plural, one {# giorno} other {# giorni}}',
  'when.inDays': 'tra {count, plural, one {# giorno} other {# giorni}}',
  'when.daysAgo': '{count, plural, one {# giorno} other {# giorni}} fa',
  'when.daysLate': '{count, plural, one {# giorno} other {# giorni}} di ritardo',
  'when.hours': '{hours} h',
  'when.hoursMinutes': '{hours} h {minutes} min',
  'when.minutes': '{minutes} min',
  'when.seconds': '{seconds} s',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Indietro',
  'dialog.offline':
    'Nessuna connessione. Le azioni che non si possono annullare saranno di nuovo disponibili quando torna la connessione.',
  'dialog.hold': 'Tieni premuto il pulsante finché non è pieno.',
  'dialog.unsure':
    'Il servizio non ha confermato questa azione. Premi di nuovo. Non verrà eseguita due volte.',
  'live.live': 'In diretta',
  'live.not': 'Non in diretta',
  'live.polling': 'Non in diretta. Dati delle {time}',
  'live.lost': 'Nessuna connessione. Dati delle {time}',
  'live.unsure': 'Il servizio non ha confermato questa azione. Premi di nuovo. Non verrà eseguita due volte.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Annullato',
  'tablet.loaded': 'Caricato',
  'tablet.first': 'Prima invia le azioni in attesa',
  'tablet.onList': 'In lista, in attesa',
  'tablet.notListed': 'Non è in questa lista: mettilo da parte',
  'tablet.ending': 'Pallet in elenco che terminano con {text}.',
  'tablet.unchecked': 'Non si può controllare senza connessione',
  'tablet.again': 'Già caricato',
  'tablet.startFirst': 'Prima premi «Inizia»',
  'tablet.glued': 'Più pallet in una lettura: {pallets}. Scansionali di nuovo uno alla volta.',
  'tablet.noEnter': 'Premi Invio.',
  'tablet.setEnter': 'Imposta lo scanner in modo che invii Invio dopo ogni lettura.',
  'tablet.waiting': 'In attesa di invio',
  'tablet.undo': 'Annulla',
  'tablet.waits':
    '{count, plural, one {# azione in attesa su questo tablet.} other {# azioni in attesa su questo tablet.}}',
  'tablet.plus': '+ {count, number} in attesa',
  'tablet.signedOut': 'La sessione è terminata. Ricarica la pagina e accedi per inviare le azioni in attesa.',
  'tablet.noAnswer':
    'Il servizio non risponde. Le azioni restano su questo tablet e vengono inviate di nuovo automaticamente.',
  'tablet.keepScanning':
    'Dati delle {time}. Continua a scansionare. Tutto viene inviato quando torna la connessione.',
  'tablet.sayWho': 'Prima scansiona il badge o inserisci il PIN',
  'tablet.worksHere': 'Ora lavora qui {name}.',
  'tablet.nobodyHere': 'Ora qui non lavora nessuno.',
  'tablet.badgeFirst':
    'Questo è un pallet. Prima {asks, select, PIN {inserisci il tuo PIN} other {scansiona il tuo badge}}.',
  'tablet.unknownBadge':
    'Questo tablet non conosce il badge. Un nuovo badge ha prima bisogno di una connessione.',
  'tablet.pinOffline':
    'Un PIN si può verificare solo con una connessione. I pallet scansionati restano salvati fino ad allora.',
  'tablet.somebody': 'un’altra persona',
  'tablet.ofOthers':
    '{count, plural, one {# azione non inviata} other {# azioni non inviate}} di {who}. {count, plural, one {Viene inviata} other {Vengono inviate}} quando {who} lavora di nuovo qui.',
  'tablet.sendMine': 'Invia a mio nome',
  'tablet.discard': 'Scarta',
  'tablet.discardMany': 'Scarta {count, number}',
  'tablet.askSend':
    'Inviare a tuo nome {count, plural, one {l’azione non inviata} other {le # azioni non inviate}} di {who}?',
  'tablet.askDiscard':
    'Scartare {count, plural, one {l’azione non inviata} other {le # azioni non inviate}} di {who}?',
  'tablet.leave': 'Torna indietro',
  'tablet.more': 'e altro',
  'tablet.sendTold':
    'Il registro attività riporterà il tuo nome. Le letture già ricevute dal servizio non vengono contate due volte.',
  'tablet.discardTold':
    'Queste azioni saranno eliminate e non resteranno registrate da nessuna parte. Controlla se i pallet sono sul camion. Non si può annullare.',
  'tablet.did.start': 'Inizio',
  'tablet.did.resolve': 'Avviso risolto',
  'tablet.did.remove': 'Tolto dal camion',
  'tablet.did.assign': 'Portato a una baia',
  'tablet.did.damage': 'Danneggiato',
  'tablet.did.comment': 'Commento',
  'tablet.isPallet': 'Questo è un pallet. Scansiona o digita: {field}.',
  'tablet.loadMissing': 'Carica {pallet}',
  'tablet.photoWaits':
    '{count, plural, one {# foto in attesa su questo tablet.} many {# foto in attesa su questo tablet.} other {# foto in attesa su questo tablet.}}',
  'tablet.photoTaken': 'Foto scattata',
  'tablet.photoFull':
    'Questo tablet non può contenere altre foto. Prima invia {count, plural, one {la foto in attesa} many {le # foto in attesa} other {le # foto in attesa}}.',
  'tablet.photoUnreadable': 'Questa immagine non è leggibile. Scatta una foto.',
  'tablet.photoRefused': 'La foto è stata rifiutata ({name}): {reason}',
  'tablet.photoDiscard': 'Scarta la foto',
  'tablet.photoUnstored':
    'Questo tablet non può salvare foto. Tieni aperta questa pagina finché la foto non è inviata.',
  'tablet.photoFirst': 'Prima attendi l’invio della foto.',
  'tablet.photoOf': 'Foto di {name}',
  'tablet.mayNot': 'Non hai il permesso per farlo. Chiedi a un amministratore.',
  'tablet.soundOn': 'Suono attivo',
  'tablet.soundOff': 'Suono spento',
  'tablet.tapForSound': 'Tocca per il suono',
  'camera.starting': 'Avvio della fotocamera…',
  'camera.loading': 'Ancora nessuna connessione. La fotocamera si avvia quando c’è connessione…',
  'camera.point': 'Inquadra un marcatore o un’etichetta.',
  'camera.none': 'Nessuna fotocamera disponibile. Consentila per questa pagina o digita il numero qui sotto.',
  'camera.unreadable': 'L’immagine non è leggibile: {error}',
  'revoked.left':
    '{count, plural, one {# azione non è stata inviata e resta} other {# azioni non sono state inviate e restano}} su questo dispositivo. Associa di nuovo il dispositivo o accedi qui. Poi apri la pagina della baia per inviare o scartare {count, plural, one {l’azione} other {le azioni}}.',
};
