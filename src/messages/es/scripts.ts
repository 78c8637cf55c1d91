import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': '{distance} de retraso',
  'when.in': 'dentro de {distance}',
  'when.ago': 'hace {distance}',
  'when.now': 'ahora',
  'when.days': '{count, plural, one {# día} other {# días}}',
  'when.inDays': 'dentro de {count, plural, one {# día} other {# días}}',
  'when.daysAgo': 'hace {count, plural, one {# día} other {# días}}',
  'when.daysLate': '{count, plural, one {# día} other {# días}} de retraso',
  'when.hours': '{hours} h',
  'when.hoursMinutes': '{hours} h {minutes} min',
  'when.minutes': '{minutes} min',
  'when.seconds': '{seconds} s',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Volver',
  'dialog.offline':
    'Sin conexión. Las acciones que no se pueden deshacer volverán a estar disponibles con conexión.',
  'dialog.hold': 'Mantenga pulsado el botón hasta que se llene.',
  'dialog.unsure': 'El servicio no ha confirmado esta acción. Pulse otra vez. No se hará dos veces.',
  'live.live': 'En directo',
  'live.not': 'No en directo',
  'live.polling': 'No en directo. Datos de las {time}',
  'live.lost': 'Sin conexión. Datos de las {time}',
  'live.unsure': 'El servicio no ha confirmado esta acción. Pulse otra vez. No se hará dos veces.',
  'tablet.offline': 'Sin conexión',
  'tablet.takenBack': 'Deshecho',
  'tablet.loaded': 'Cargado',
  'tablet.first': 'Envíe primero las acciones pendientes',
  'tablet.onList': 'En la lista, pendiente de enviar',
  'tablet.notListed': 'No está en esta lista: apártelo',
  'tablet.ending': 'Palés de la lista que terminan en {text}.',
  'tablet.unchecked': 'No se puede comprobar sin conexión',
  'tablet.again': 'Ya cargado',
  'tablet.startFirst': 'Primero pulse «Empezar»',
  'tablet.glued': 'Varios palés en una lectura: {pallets}. Escanee cada uno otra vez.',
  'tablet.noEnter': 'Pulse Intro.',
  'tablet.setEnter': 'Configure el escáner para que envíe Intro después de cada lectura.',
  'tablet.waiting': 'Pendiente de enviar',
  'tablet.undo': 'Deshacer',
  'tablet.waits':
    '{count, plural, one {# acción pendiente en esta tableta.} other {# acciones pendientes en esta tableta.}}',
  'tablet.plus': '+ {count, plural, one {# pendiente} other {# pendientes}}',
  'tablet.signedOut':
    'Su sesión está cerrada. Recargue la página e inicie sesión para enviar las acciones pendientes.',
  'tablet.noAnswer':
    'El servicio no responde. Las acciones se quedan en esta tableta y se vuelven a enviar automáticamente.',
  'tablet.keepScanning': 'Datos de las {time}. Siga escaneando. Todo se envía cuando vuelva la conexión.',
  'tablet.sayWho': 'Primero escanee su tarjeta o introduzca su PIN',
  'tablet.worksHere': '{name} trabaja ahora aquí.',
  'tablet.nobodyHere': 'Ahora no trabaja nadie aquí.',
  'tablet.badgeFirst':
    'Eso es un palé. Primero {asks, select, PIN {introduzca su PIN} other {escanee su tarjeta}}.',
  'tablet.unknownBadge': 'Esta tableta no conoce la tarjeta. Una tarjeta nueva necesita antes conexión.',
  'tablet.pinOffline':
    'Un PIN solo se puede comprobar con conexión. Los palés escaneados se guardan hasta entonces.',
  'tablet.somebody': 'otra persona',
  'tablet.ofOthers':
    '{count, plural, one {# acción sin enviar} other {# acciones sin enviar}} de {who}. {count, plural, one {Se enviará} other {Se enviarán}} cuando {who} vuelva a trabajar aquí.',
  'tablet.sendMine': 'Enviar en mi nombre',
  'tablet.discard': 'Descartar',
  'tablet.discardMany': 'Descartar {count, number}',
  'tablet.askSend':
    '¿Enviar {count, plural, one {la acción pendiente} other {las # acciones pendientes}} de {who} con su propio nombre, no con el de {who}?',
  'tablet.askDiscard':
    '¿Descartar {count, plural, one {la acción sin enviar} other {las # acciones sin enviar}} de {who}?',
  'tablet.leave': 'Volver',
  'tablet.more': 'y más',
  'tablet.sendTold':
    'En el registro de auditoría figurará usted. Las lecturas que el servicio ya tiene no se cuentan dos veces.',
  'tablet.discardTold':
    'Estas acciones se eliminarán y no quedarán registradas en ningún sitio. Compruebe si los palés están en el camión. No se puede deshacer.',
  'tablet.did.start': 'Inicio',
  'tablet.did.resolve': 'Alerta resuelta',
  'tablet.did.remove': 'Fuera del camión',
  'tablet.did.assign': 'Llevado a un muelle',
  'tablet.did.damage': 'Dañado',
  'tablet.did.comment': 'Comentario',
  'tablet.isPallet': 'Eso es un palé. Escanee o escriba: {field}.',
  'tablet.loadMissing': 'Cargar {pallet}',
  'tablet.photoWaits':
    '{count, plural, one {# foto pendiente en esta tableta.} other {# fotos pendientes en esta tableta.}}',
  'tablet.photoTaken': 'Foto hecha',
  'tablet.photoFull':
    'En esta tableta no caben más fotos. Envíe primero {count, plural, one {la foto pendiente} other {las # fotos pendientes}}.',
  'tablet.photoUnreadable': 'Esta imagen no se puede leer. Haga una foto.',
  'tablet.photoRefused': 'La foto fue rechazada ({name}): {reason}',
  'tablet.photoDiscard': 'Descartar la foto',
  'tablet.photoUnstored':
    'Esta tableta no puede guardar fotos. Deje esta página abierta hasta que se envíe la foto.',
  'tablet.photoFirst': 'Espere primero a que se envíe la foto.',
  'tablet.photoOf': 'Foto de {name}',
  'tablet.mayNot': 'No tiene permiso para esto. Consulte a un administrador.',
  'tablet.soundOn': 'Con sonido',
  'tablet.soundOff': 'Sin sonido',
  'tablet.tapForSound': 'Activar sonido',
  'camera.starting': 'Iniciando la cámara…',
  'camera.loading': 'Aún no hay conexión. La cámara se iniciará cuando la haya…',
  'camera.point': 'Apunte la cámara a un marcador o una etiqueta.',
  'camera.none': 'No hay ninguna cámara disponible. Permítala en esta página o escriba el número abajo.',
  'camera.unreadable': 'No se puede leer la imagen: {error}',
  'revoked.left':
    '{count, plural, one {# acción no se ha enviado y se queda} other {# acciones no se han enviado y se quedan}} en este dispositivo. Vincule el dispositivo de nuevo o inicie sesión aquí. Después abra la página del muelle para {count, plural, one {enviarla o descartarla} other {enviarlas o descartarlas}}.',
};
