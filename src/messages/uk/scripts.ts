import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': 'запізнення {distance}',
  'when.in': 'через {distance}',
  'when.ago': '{distance} тому',
  'when.now': 'зараз',
  'when.days': '{count, plural, one {# день} few {# дні} many {# днів} other {# дня}}',
  'when.inDays': 'через {count, plural, one {# день} few {# дні} many {# днів} other {# дня}}',
  'when.daysAgo': '{count, plural, one {# день} few {# дні} many {# днів} other {# дня}} тому',
  'when.daysLate': 'запізнення {count, plural, one {# день} few {# дні} many {# днів} other {# дня}}',
  'when.hours': '{hours} год',
  'when.hoursMinutes': '{hours} год {minutes} хв',
  'when.minutes': '{minutes} хв',
  'when.seconds': '{seconds} с',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Назад',
  'dialog.offline':
    'Немає з’єднання. Дії, які не можна відмінити, будуть доступні, коли з’єднання відновиться.',
  'dialog.hold': 'Тримайте кнопку, доки вона не заповниться.',
  'dialog.unsure': 'Сервіс не підтвердив цю дію. Натисніть ще раз. Двічі її не буде виконано.',
  'live.live': 'Наживо',
  'live.not': 'Не наживо',
  'live.polling': 'Не наживо. Дані станом на {time}',
  'live.lost': 'Немає з’єднання. Дані станом на {time}',
  'live.unsure': 'Сервіс не підтвердив цю дію. Натисніть ще раз. Двічі її не буде виконано.',
  'tablet.offline': 'Офлайн',
  'tablet.takenBack': 'Відмінено',
  'tablet.loaded': 'Завантажено',
  'tablet.first': 'Спочатку надішліть дії, що чекають',
  'tablet.onList': 'Є в списку, чекає',
  'tablet.notListed': 'Немає в цьому списку: відставте її',
  'tablet.ending': 'Палети зі списку, що закінчуються на {text}.',
  'tablet.unchecked': 'Без з’єднання перевірити не можна',
  'tablet.again': 'Уже завантажено',
  'tablet.startFirst': 'Спочатку натисніть «Почати»',
  'tablet.glued':
    'Кілька палет в одному скануванні: {pallets}. Відскануйте кожну ще раз. Налаштуйте сканер так, щоб після кожного сканування він надсилав Enter.',
  'tablet.noEnter':
    'Натисніть Enter. Налаштуйте сканер так, щоб після кожного сканування він надсилав Enter.',
  'tablet.waiting': 'Чекає на надсилання',
  'tablet.undo': 'Відмінити',
  'tablet.waits':
    '{count, plural, one {# дія чекає на цьому планшеті.} few {# дії чекають на цьому планшеті.} many {# дій чекають на цьому планшеті.} other {# дії чекає на цьому планшеті.}}',
  'tablet.plus': '+ {count, number} у черзі',
  'tablet.signedOut': 'Ваш сеанс завершено. Оновіть сторінку й увійдіть, щоб надіслати дії, що чекають.',
  'tablet.noAnswer':
    'Сервіс не відповідає. Дії залишаються на цьому планшеті й автоматично надсилаються знову.',
  'tablet.keepScanning':
    'Дані станом на {time}. Скануйте далі. Усе буде надіслано, коли з’єднання відновиться.',
  'tablet.sayWho': 'Спочатку відскануйте свій бейдж або введіть PIN-код',
  'tablet.worksHere': 'Зараз тут працює {name}.',
  'tablet.nobodyHere': 'Зараз тут ніхто не працює.',
  'tablet.badgeFirst':
    'Це палета. Спочатку {asks, select, PIN {введіть свій PIN-код} other {відскануйте свій бейдж}}.',
  'tablet.unknownBadge': 'Цей планшет не знає цього бейджа. Новий бейдж спершу потребує з’єднання.',
  'tablet.pinOffline':
    'PIN-код можна перевірити лише за наявності з’єднання. Відскановані палети зберігаються до того часу.',
  'tablet.somebody': 'хтось інший',
  'tablet.ofOthers':
    'Ненадіслані дії ({who}): {count, number}. Їх буде надіслано, коли ця особа знову працюватиме тут.',
  'tablet.sendMine': 'Надіслати від мого імені',
  'tablet.discard': 'Видалити',
  'tablet.discardMany': 'Видалити ({count, number})',
  'tablet.askSend':
    'Надіслати від вашого імені {count, plural, one {# ненадіслану дію} few {# ненадіслані дії} many {# ненадісланих дій} other {# ненадісланої дії}} ({who})?',
  'tablet.askDiscard':
    'Видалити {count, plural, one {# ненадіслану дію} few {# ненадіслані дії} many {# ненадісланих дій} other {# ненадісланої дії}} ({who})?',
  'tablet.leave': 'Назад',
  'tablet.more': 'та інші',
  'tablet.sendTold': 'У журналі буде ваше ім’я. Скани, які сервіс уже має, двічі не рахуються.',
  'tablet.discardTold':
    'Ці дії буде видалено, і вони ніде не запишуться. Перевірте, чи палети у вантажівці. Відмінити це не можна.',
  'tablet.did.start': 'Початок',
  'tablet.did.resolve': 'Сповіщення опрацьовано',
  'tablet.did.remove': 'Знято з вантажівки',
  'tablet.did.assign': 'Призначено до воріт',
  'tablet.did.damage': 'Пошкоджено',
  'tablet.did.comment': 'Коментар',
  'tablet.isPallet': 'Це палета. Відскануйте або введіть: {field}.',
  'tablet.photoWaits':
    '{count, plural, one {# фото чекає на цьому планшеті.} few {# фото чекають на цьому планшеті.} many {# фото чекають на цьому планшеті.} other {# фото чекає на цьому планшеті.}}',
  'tablet.photoTaken': 'Фото зроблено',
  'tablet.photoFull':
    'На цьому планшеті більше немає місця для фото. Спочатку надішліть {count, plural, one {# фото, що чекає} few {# фото, що чекають} many {# фото, що чекають} other {# фото, що чекає}}.',
  'tablet.photoUnreadable': 'Це зображення не вдається прочитати. Зробіть фото.',
  'tablet.photoRefused': 'Фото відхилено ({name}): {reason}',
  'tablet.photoDiscard': 'Видалити фото',
  'tablet.photoUnstored':
    'Цей планшет не може зберігати фото. Не закривайте цю сторінку, доки фото не буде надіслано.',
  'tablet.photoFirst': 'Спочатку зачекайте, доки фото буде надіслано.',
  'tablet.photoOf': 'Фото: {name}',
  'tablet.mayNot': 'У вас немає на це дозволу. Зверніться до адміністратора.',
  'tablet.soundOn': 'Зі звуком',
  'tablet.soundOff': 'Без звуку',
  'tablet.tapForSound': 'Увімк. звук',
  'camera.starting': 'Запуск камери…',
  'camera.loading': 'З’єднання ще немає. Камера запуститься, коли воно з’явиться…',
  'camera.point': 'Наведіть камеру на маркер або етикетку.',
  'camera.none': 'Камера недоступна. Дозвольте її для цієї сторінки або введіть номер нижче.',
  'camera.unreadable': 'Зображення не вдається прочитати: {error}',
  'revoked.left':
    '{count, plural, one {# дію не надіслано, вона залишається} few {# дії не надіслано, вони залишаються} many {# дій не надіслано, вони залишаються} other {# дії не надіслано, вони залишаються}} на цьому пристрої. Під’єднайте пристрій знову або увійдіть тут. Потім відкрийте сторінку воріт, щоб надіслати або видалити {count, plural, one {цю дію} few {ці дії} many {ці дії} other {ці дії}}.',
};
