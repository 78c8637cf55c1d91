import type { scripts as english } from '../en/scripts.ts';
import type { Translated } from '../en/translated.ts';

/** Texts of scripts. */
export const scripts: Translated<typeof english> = {
  'when.late': '{distance} de atraso',
  'when.in': 'daqui a {distance}',
  'when.ago': 'há {distance}',
  'when.now': 'agora',
  'when.days': '{count, plural, one {# dia} other {# dias}}',
  'when.inDays': 'daqui a {count, plural, one {# dia} other {# dias}}',
  'when.daysAgo': 'há {count, plural, one {# dia} other {# dias}}',
  'when.daysLate': '{count, plural, one {# dia} other {# dias}} de atraso',
  'when.hours': '{hours} h',
  'when.hoursMinutes': '{hours} h {minutes} min',
  'when.minutes': '{minutes} min',
  'when.seconds': '{seconds} s',
  'text.labelled': '{label}: {value}',
  'text.series': '{first}; {next}',
  'dialog.back': 'Voltar',
  'dialog.offline':
    'Sem ligação. As ações que não podem ser anuladas ficam disponíveis quando a ligação voltar.',
  'dialog.hold': 'Mantenha o botão premido até ficar cheio.',
  'dialog.unsure': 'O serviço não confirmou esta ação. Prima de novo. Não será feita duas vezes.',
  'live.live': 'Em direto',
  'live.not': 'Não em direto',
  'live.polling': 'Não em direto. Dados das {time}',
  'live.lost': 'Sem ligação. Dados das {time}',
  'live.unsure': 'O serviço não confirmou esta ação. Prima de novo. Não será feita duas vezes.',
  'tablet.offline': 'Sem ligação',
  'tablet.takenBack': 'Anulada',
  'tablet.loaded': 'Carregada',
  'tablet.first': 'Envie primeiro as ações à espera',
  'tablet.onList': 'Na lista, à espera',
  'tablet.notListed': 'Não está nesta lista: ponha-a de lado',
  'tablet.ending': 'Paletes da lista que terminam em {text}.',
  'tablet.unchecked': 'Não se pode verificar sem ligação',
  'tablet.again': 'Já carregada',
  'tablet.startFirst': 'Prima primeiro «Começar»',
  'tablet.glued':
    'Várias paletes numa leitura: {pallets}. Leia cada uma outra vez. Configure o leitor para enviar Enter depois de cada leitura.',
  'tablet.noEnter': 'Prima Enter. Configure o leitor para enviar Enter depois de cada leitura.',
  'tablet.waiting': 'À espera de envio',
  'tablet.undo': 'Anular',
  'tablet.waits':
    '{count, plural, one {# ação à espera neste tablet.} other {# ações à espera neste tablet.}}',
  'tablet.plus': '+ {count, number} à espera',
  'tablet.signedOut': 'A sessão terminou. Recarregue a página e inicie sessão para enviar as ações à espera.',
  'tablet.noAnswer':
    'O serviço não responde. As ações ficam neste tablet e são enviadas de novo automaticamente.',
  'tablet.keepScanning':
    'Dados das {time}. Continue a fazer leituras. Tudo é enviado quando a ligação voltar.',
  'tablet.sayWho': 'Leia primeiro o seu crachá ou introduza o seu PIN',
  'tablet.worksHere': '{name} trabalha aqui agora.',
  'tablet.nobodyHere': 'De momento, ninguém trabalha aqui.',
  'tablet.badgeFirst':
    'Isso é uma palete. Primeiro {asks, select, PIN {introduza o seu PIN} other {leia o seu crachá}}.',
  'tablet.unknownBadge': 'Este tablet não conhece o crachá. Um crachá novo precisa primeiro de ligação.',
  'tablet.pinOffline': 'Um PIN só pode ser verificado com ligação. As paletes lidas são guardadas até lá.',
  'tablet.somebody': 'outra pessoa',
  'tablet.ofOthers':
    '{count, plural, one {# ação por enviar, de {who}. É enviada} other {# ações por enviar, de {who}. São enviadas}} quando {who} voltar a trabalhar aqui.',
  'tablet.sendMine': 'Enviar em meu nome',
  'tablet.discard': 'Descartar',
  'tablet.discardMany': 'Descartar {count, number}',
  'tablet.askSend':
    'Enviar {count, plural, one {a ação por enviar} other {as # ações por enviar}} de {who} em seu próprio nome, e não no de {who}?',
  'tablet.askDiscard':
    'Descartar {count, plural, one {a ação por enviar} other {as # ações por enviar}} de {who}?',
  'tablet.leave': 'Voltar',
  'tablet.more': 'e mais',
  'tablet.sendTold':
    'O registo de auditoria indicará o seu nome. As leituras que o serviço já tem não contam duas vezes.',
  'tablet.discardTold':
    'Estas ações serão eliminadas e não ficarão registadas em lado nenhum. Verifique se as paletes estão no camião. Não pode ser anulado.',
  'tablet.did.start': 'Início',
  'tablet.did.resolve': 'Alerta resolvido',
  'tablet.did.remove': 'Fora do camião',
  'tablet.did.assign': 'Trazida para um cais',
  'tablet.did.damage': 'Danificada',
  'tablet.did.comment': 'Comentário',
  'tablet.isPallet': 'Isso é uma palete. Leia ou escreva: {field}.',
  'tablet.photoWaits':
    '{count, plural, one {# foto à espera neste tablet.} other {# fotos à espera neste tablet.}}',
  'tablet.photoTaken': 'Foto tirada',
  'tablet.photoFull':
    'Este tablet não pode guardar mais fotos. Envie primeiro {count, plural, one {a foto à espera} other {as # fotos à espera}}.',
  'tablet.photoUnreadable': 'Não é possível ler esta imagem. Tire uma foto.',
  'tablet.photoRefused': 'A foto foi recusada ({name}): {reason}',
  'tablet.photoDiscard': 'Descartar a foto',
  'tablet.photoUnstored':
    'Este tablet não pode guardar fotos. Mantenha esta página aberta até a foto ser enviada.',
  'tablet.photoFirst': 'Espere primeiro até a foto ser enviada.',
  'tablet.photoOf': 'Foto de {name}',
  'tablet.mayNot': 'Não tem permissão para isto. Contacte um administrador.',
  'tablet.soundOn': 'Som ligado',
  'tablet.soundOff': 'Som desligado',
  'tablet.tapForSound': 'Ativar som',
  'camera.starting': 'A iniciar a câmara…',
  'camera.loading': 'Ainda sem ligação. A câmara inicia quando houver ligação…',
  'camera.point': 'Aponte a câmara para um marcador ou uma etiqueta.',
  'camera.none': 'Não há câmara disponível. Permita-a nesta página ou escreva o número abaixo.',
  'camera.unreadable': 'Não é possível ler a imagem: {error}',
  'revoked.left':
    '{count, plural, one {# ação não foi enviada e fica} other {# ações não foram enviadas e ficam}} neste dispositivo. Associe o dispositivo de novo ou inicie sessão aqui. Depois abra a página do cais para {count, plural, one {a enviar ou descartar} other {as enviar ou descartar}}.',
};
