/**
 * Notes for translators: the place of a message on a page, and the longest text that fits there. Only tests and
 * translators read this file. The program does not import it.
 */
interface Note {
  /** The place. A fragment is shown next to another text or within it. */
  role: 'button' | 'badge' | 'tab' | 'column' | 'fragment';
  /**
   * The maximum number of characters, without the values of arguments. If a message has plural forms, the longest form
   * counts.
   */
  max?: number;
  note?: string;
}

const BUTTON: Note = { role: 'button', max: 32, note: 'Use the form that other programs use on buttons.' };
/** A button in a line of its own. */
const WIDE_BUTTON: Note = { role: 'button', max: 54 };
/** A button in a row of a list, or beside an input. */
const SMALL_BUTTON: Note = { role: 'button', max: 24 };
const BADGE: Note = { role: 'badge', max: 28, note: 'The state of a single thing.' };
const PALLET_BADGE: Note = { role: 'badge', max: 26, note: 'The state of one pallet, so it is singular.' };
const MENU: Note = {
  role: 'tab',
  max: 26,
  note: 'An entry of the menu. Short words fit the tabs of a phone.',
};
const COLUMN: Note = { role: 'column', max: 22 };
const NUMBERED: Note = { role: 'fragment', note: 'Follows a number that is shown in large type.' };
const ITEM: Note = { role: 'fragment', note: 'An item of a list. Begins with a lower-case letter.' };

/** The same note for several keys. */
const each = (note: Note, keys: string): Record<string, Note> =>
  Object.fromEntries(keys.split(/\s+/).map((key) => [key, note]));

/** The notes by key, or by the beginning of several keys with `*` at its end. The longest key that fits applies. */
export const NOTES: Readonly<Record<string, Note>> = {
  ...each(
    BUTTON,
    `account.changePassword account.endOthers ask.chooseWhy batch.create batch.pdf batch.zpl company.continue
    confirm.button driver.here gate.audit gate.board  gate.isOff gate.toBoard gate.truckHere kit.toStart
    load.backToPlanned load.labelsZpl load.printLabels load.summary make.createShipment page.proof paper.title
    finish.onPhone passkey.add passkey.signInAgain password.change password.set photo.add provider.remove sign.here
    start.createGates start.hide start.planIt stop.button track.unflag track.revert view.delete board.assignTo`,
  ),
  ...each(
    WIDE_BUTTON,
    'load.backorderMake load.giveMarkers signIn.passkey signIn.company make.createWithout pair.button',
  ),
  ...each(
    SMALL_BUTTON,
    `account.create account.end account.save alert.resolve board.assign board.wall camera.torch day.assign day.moveIt
    day.show day.today day.undo field.later field.remove field.save gate.bring gate.camera gate.done gate.enter
    gate.find gate.more gate.move gate.printLabel gate.refresh gate.showAll gate.silence gate.sound gate.tablets hook.all hook.deliver
    hook.register hook.rotate hook.test key.copy key.rotate kit.close kit.emptyDraft recover.sendLink recover.sendNames kit.menu kit.signOut list.clear list.next
    list.previous list.show load.add load.assign load.attach load.label load.mark load.remove load.show made.create
    made.save make.attach make.look make.create note.damage note.comment note.damageYes note.commentYes batchStep.* make.search make.shipment mark.* note.back passkey.keep play.play report.show
    sent.resend share.* sign.back sign.clear sign.open sign.send signIn.title tablet.done tablet.loadMissing tablet.makeLink tablet.save
    step.* tablet.undo track.comment track.flag track.withMarker findKind.asset_loading user.mail view.rename view.saveButton work.done work.enter worker.create`,
  ),
  'share.title': { role: 'fragment' },
  'share.qr': { role: 'fragment' },
  'share.text': { role: 'fragment', note: 'A text message to a driver.' },
  'share.language': { role: 'fragment' },
  'share.notYet': { role: 'fragment' },
  'status.*': { ...BADGE, max: 30 },
  ...each(
    PALLET_BADGE,
    'status.LOADED status.NOT_LOADED status.UNLOADED status.OFFLOADED loading.* problem.*',
  ),
  ...each(BADGE, 'state.* manifest.* dayState.* account.thisOne'),
  'alertType.*': { role: 'badge', max: 48 },
  'menu.*': MENU,
  ...each(
    { role: 'tab', max: 16, note: 'A tab with the number of these pallets, so it is plural.' },
    'gate.toLoad gate.loaded',
  ),
  ...each(
    COLUMN,
    'page.loaded page.loadedAt page.marker page.status page.pallet page.revision kind.SHIPMENT kind.MANIFEST wall.time wall.load wall.state wall.loaded board.gate day.gate load.state make.columnAt paper.done',
  ),
  ...each({ role: 'column', max: 14 }, 'page.before page.after page.by page.when page.changed'),
  ...each(
    { role: 'column', max: 6, note: 'A narrow column of the proof of shipment.' },
    'proof.number proof.rev',
  ),
  'page.completedOn': { role: 'fragment', max: 24, note: 'A label. A date and time follow.' },
  ...each(
    {
      role: 'fragment',
      max: 12,
      note: 'The value that is shown if there is no gate, no marker or no exceptions.',
    },
    'page.noGate page.noMarker proof.noExceptions',
  ),
  ...each(
    {
      role: 'fragment',
      note: '{distance} is hours and minutes such as “1 h 5 min”. Days have messages of their own.',
    },
    'when.in when.ago when.late',
  ),
  ...each({ role: 'fragment', max: 12 }, 'when.days when.hours when.hoursMinutes when.minutes'),
  ...each(
    { role: 'fragment', note: 'Is inserted into close.title and close.yesAmiss.' },
    'close.missingCount close.wrongCount',
  ),
  'close.no': {
    role: 'button',
    max: 30,
    note: 'Closes the question and goes back to loading pallets. No page and no pallet is reloaded.',
  },
  'gate.aside': { role: 'fragment', max: 70, note: 'The name of a list and its button, for screen readers.' },
  'gate.alerts': { role: 'fragment', max: 24, note: 'The name of the list of alerts, for screen readers.' },
  'gate.readInto': { role: 'fragment', note: 'Follows gate.read: “Scanned while SHIP-1 was being loaded”.' },
  'gate.at': {
    role: 'fragment',
    note: 'Keep the name of the gate in front of a colon, because names do not change with grammatical cases.',
  },
  'tablet.somebody': { role: 'fragment', note: 'Is inserted as {who} if a name is unknown.' },
  ...each(
    NUMBERED,
    'kit.openAlerts kit.openWithWrong kit.late board.gatesLate wall.wrongGates wall.waiting gate.palletsLoaded',
  ),
  ...each({ ...NUMBERED, max: 40 }, 'load.ofLoaded report.ofPlanned day.of'),
  ...each(
    ITEM,
    'board.noPallets board.moreActive board.moreWaiting right.* proof.missing proof.unloaded proof.offloaded proof.wrong proof.unknown',
  ),
  ...each(
    {
      role: 'fragment',
      note: 'Is inserted as {period} into report.more, report.less, report.same, report.noBefore and report.was.',
    },
    'reportPeriod.*',
  ),
  'reportGrouped.*': { role: 'fragment', note: 'Follows the days of a report in its title.' },
  'settings.asked': { role: 'fragment', note: 'Follows the label settings.ask.' },
  'settings.by': { role: 'fragment', note: 'Follows the label settings.dispatches.' },
  'audit.scans': {
    role: 'fragment',
    note: 'Is inserted as {scanned} into did.SCANS_RECORDED, as the object of the verb.',
  },
  'did.*': {
    role: 'fragment',
    note: 'A sentence of the audit log. {before} and {after} are badges. If your language would change their case, put them after a colon.',
  },
  'actor.*': { role: 'fragment', note: 'Who made a correction, in the column page.by.' },
};

/** The note about a message. */
export function noteOf(key: string): Note | undefined {
  if (NOTES[key]) return NOTES[key];
  const prefixes = Object.keys(NOTES).filter(
    (name) => name.endsWith('*') && key.startsWith(name.slice(0, -1)),
  );
  return NOTES[prefixes.sort((one, other) => other.length - one.length)[0] ?? ''];
}
