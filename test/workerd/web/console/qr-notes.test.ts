import { expect, it } from 'vitest';
import { ORIGIN } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { deviceOf } from '../../dispatch/tablet/tablets.ts';
import { gateUuid } from './forms.ts';

const NETWORK = 'http://192.168.1.20:8787';

it.each([
  [ORIGIN, true],
  [NETWORK, false],
])(
  'pages at %s say beside each QR code that only this computer can open the link: %s',
  async (at, isSaid) => {
    const dock = await loadingDock();
    const device = deviceOf((await signIn(dock)).cookie);
    const { uuid } = (await dock.must('GET', '/shipment/S')).body;
    const gate = `${at}/app/gate/${await gateUuid(dock)}`;
    const html = {
      driver: (await device.get(`${at}/app/shipment/${uuid}/share`)).text,
      signing: (await device.get(`${at}/app/shipment/${uuid}/sign?role=DRIVER`)).text,
      atGate: (await device.get(`${gate}/sign/${uuid}?role=DRIVER`)).text,
      tablet: (await device.send(`${gate}/tablets`, { action: 'pair', name: 'Tablet' })).text,
    };
    const noted = (page: string): [boolean, boolean] => {
      const [, qr = '', rest = ''] = /<div class="qr-link">(<svg.*?<\/svg>)(.{0,200})/s.exec(page) ?? [];
      return [qr !== '', rest.includes('Only this computer can open this link.')];
    };
    expect(Object.values(html).map(noted)).toEqual(Array.from({ length: 4 }, () => [true, isSaid]));
  },
);
