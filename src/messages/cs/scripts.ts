import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts, by script. */
export const scripts: Translated<typeof english> = {
  'when.late': 'zpoždění {distance}',
  'when.in': 'za {distance}',
  'when.ago': 'před {distance}',
  'when.now': 'teď',
  'when.days': '{count, plural, one {# den} few {# dny} many {# dne} other {# dnů}}',
  'when.inDays': 'za {count, plural, one {# den} few {# dny} many {# dne} other {# dnů}}',
  'when.daysAgo': 'před {count, plural, one {# dnem} few {# dny} many {# dne} other {# dny}}',
  'when.daysLate': 'zpoždění {count, plural, one {# den} few {# dny} many {# dne} other {# dnů}}',
  'when.hours': '{hours} h',
  'when.hoursMinutes': '{hours} h {minutes} min',
  'when.minutes': '{minutes} min',
  'when.seconds': '{seconds} s',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Zpět',
  'dialog.offline': 'Bez připojení. Akce, které nelze vzít zpět, budou zase dostupné po obnovení připojení.',
  'dialog.hold': 'Podržte tlačítko, dokud se nezaplní.',
  'dialog.unsure': 'Služba tuto akci nepotvrdila. Stiskněte znovu. Dvakrát se neprovede.',
  'live.live': 'Živě',
  'live.not': 'Není živě',
  'live.polling': 'Není živě. Stav: {time}',
  'live.lost': 'Bez připojení. Stav: {time}',
  'live.unsure': 'Služba tuto akci nepotvrdila. Stiskněte znovu. Dvakrát se neprovede.',
  'tablet.offline': 'Offline',
  'tablet.takenBack': 'Vzato zpět',
  'tablet.loaded': 'Naložená',
  'tablet.first': 'Nejdřív odešlete čekající záznamy',
  'tablet.onList': 'Na seznamu, čeká',
  'tablet.notListed': 'Není na tomto seznamu: dejte ji stranou',
  'tablet.ending': 'Palety ze seznamu, které končí na {text}.',
  'tablet.unchecked': 'Bez připojení nelze ověřit',
  'tablet.again': 'Už je naložená',
  'tablet.glued':
    'Více palet v jednom skenu: {pallets}. Naskenujte každou znovu. Nastavte čtečku, aby po každém skenu poslala Enter.',
  'tablet.noEnter': 'Stiskněte Enter. Nastavte čtečku, aby po každém skenu poslala Enter.',
  'tablet.waiting': 'Čeká na odeslání',
  'tablet.undo': 'Vzít zpět',
  'tablet.waits':
    '{count, plural, one {# záznam čeká na tomto tabletu.} few {# záznamy čekají na tomto tabletu.} many {# záznamu čeká na tomto tabletu.} other {# záznamů čeká na tomto tabletu.}}',
  'tablet.plus': '+ {count, plural, one {# čeká} few {# čekají} many {# čeká} other {# čeká}}',
  'tablet.signedOut':
    'Jste odhlášeni. Načtěte stránku znovu a přihlaste se, aby se čekající záznamy odeslaly.',
  'tablet.noAnswer': 'Služba neodpovídá. Záznamy zůstávají na tomto tabletu a odešlou se znovu samy.',
  'tablet.keepScanning': 'Stav: {time}. Skenujte dál. Vše se odešle, jakmile se připojení obnoví.',
  'tablet.sayWho': 'Nejdřív naskenujte svou kartu nebo zadejte PIN',
  'tablet.badgeFirst':
    'To je paleta. Nejdřív {asks, select, PIN {zadejte svůj PIN} other {naskenujte svou kartu}}.',
  'tablet.somebody': 'někdo jiný',
  'tablet.ofOthers':
    '{count, plural, one {# neodeslaný záznam} few {# neodeslané záznamy} many {# neodeslaného záznamu} other {# neodeslaných záznamů}} ({who}). {count, plural, one {Odešle se} few {Odešlou se} many {Odešle se} other {Odešlou se}}, až zde bude {who} znovu pracovat.',
  'tablet.sendMine': 'Odeslat mým jménem',
  'tablet.discard': 'Zahodit',
  'tablet.discardMany': 'Zahodit {count, number}',
  'tablet.askSend':
    'Odeslat vaším jménem {count, plural, one {neodeslaný záznam} few {# neodeslané záznamy} many {# neodeslaného záznamu} other {# neodeslaných záznamů}} ({who})?',
  'tablet.askDiscard':
    'Zahodit {count, plural, one {neodeslaný záznam} few {# neodeslané záznamy} many {# neodeslaného záznamu} other {# neodeslaných záznamů}} ({who})?',
  'tablet.leave': 'Zpět',
  'tablet.more': 'a další',
  'tablet.sendTold':
    'V auditním protokolu bude vaše jméno. Skeny, které už služba má, se nezapočítají dvakrát.',
  'tablet.discardTold':
    'Tyto záznamy se smažou a nikde nebudou zaznamenány. Zkontrolujte, zda jsou palety v kamionu. Nelze to vzít zpět.',
  'tablet.did.start': 'Zahájení',
  'tablet.did.resolve': 'Upozornění vyřešeno',
  'tablet.did.remove': 'Vyloženo z kamionu',
  'tablet.did.assign': 'Přesunuto na rampu',
  'tablet.did.damage': 'Poškozená',
  'tablet.did.comment': 'Komentář',
  'tablet.isPallet': 'To je paleta. Naskenujte nebo zadejte: {field}.',
  'tablet.photoWaits':
    '{count, plural, one {# fotografie čeká na tomto tabletu.} few {# fotografie čekají na tomto tabletu.} many {# fotografie čeká na tomto tabletu.} other {# fotografií čeká na tomto tabletu.}}',
  'tablet.photoTaken': 'Fotografie pořízena',
  'tablet.photoFull':
    'Další fotografie se na tento tablet nevejdou. Nejdřív odešlete {count, plural, one {čekající fotografii} few {# čekající fotografie} many {# čekající fotografie} other {# čekajících fotografií}}.',
  'tablet.photoUnreadable': 'Tento snímek nelze přečíst. Vyfoťte nový.',
  'tablet.photoRefused': 'Fotografie byla odmítnuta ({name}): {reason}',
  'tablet.photoDiscard': 'Zahodit fotografii',
  'tablet.photoUnstored':
    'Tento tablet neumí ukládat fotografie. Nechte stránku otevřenou, dokud se fotografie neodešle.',
  'tablet.photoFirst': 'Nejdřív počkejte, až se fotografie odešle.',
  'tablet.photoOf': 'Fotografie: {name}',
  'tablet.mayNot': 'K tomu nemáte oprávnění. Obraťte se na správce.',
  'tablet.soundOn': 'Zvuk zapnut',
  'tablet.soundOff': 'Zvuk vypnut',
  'tablet.tapForSound': 'Zapnout zvuk',
  'camera.starting': 'Kamera se spouští…',
  'camera.loading': 'Zatím bez připojení. Kamera se spustí, až se připojení naváže…',
  'camera.point': 'Namiřte kameru na značku nebo štítek.',
  'camera.none': 'Kamera není dostupná. Povolte ji pro tuto stránku, nebo zadejte číslo níže.',
  'camera.unreadable': 'Snímek nelze přečíst: {error}',
  'revoked.left':
    '{count, plural, one {# záznam nebyl odeslán a zůstává} few {# záznamy nebyly odeslány a zůstávají} many {# záznamu nebylo odesláno a zůstává} other {# záznamů nebylo odesláno a zůstává}} v tomto zařízení. Znovu zařízení spárujte, nebo se zde přihlaste. Potom na stránce rampy {count, plural, one {záznam odešlete nebo zahoďte} few {záznamy odešlete nebo zahoďte} many {záznamy odešlete nebo zahoďte} other {záznamy odešlete nebo zahoďte}}.',
};
