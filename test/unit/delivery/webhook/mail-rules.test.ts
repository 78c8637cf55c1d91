import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/core/lib/time.ts';
import {
  exceededLimit,
  hourOf,
  mailAddressOf,
  mailboxOf,
  recipientOf,
  requestedMailOf,
} from '../../../../src/delivery/webhook/mail-rules.ts';
import { refuseAddress } from '../../../../src/delivery/webhook/rules.ts';
import { FORMATS } from '../../../../src/delivery/webhook/table.ts';
import { recipient } from './recipients.ts';

describe('the mailbox of an address', () => {
  it.each([
    ['dock@example.com', 'dock@example.com'],
    ['Dock@Example.COM', 'dock@example.com'],
    ['victim+0@b.example', 'victim@b.example'],
    ['victim+44@b.example', 'victim@b.example'],
    ['Victim+A.B+c@B.Example', 'victim@b.example'],
    ['victim+@b.example', 'victim@b.example'],
    ['first.last@example.com', 'first.last@example.com'],
    ['first.last+x.y@example.com', 'first.last@example.com'],
    // Without a name before the tag, there is no mailbox to count by.
    ['+tag@example.com', '+tag@example.com'],
    ['+tag+more@example.com', '+tag+more@example.com'],
    ["o'neil_1-x@example.com", "o'neil_1-x@example.com"],
  ])('%s counts as %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
    expect(mailboxOf(mailbox)).toBe(mailbox);
    expect(recipientOf(`mailto:${address}`)).toBe(mailbox);
  });

  it('a URL without an address has an empty mailbox', () => {
    for (const url of ['https://hooks.example.com', 'mailto:', 'mailto:a@b.example?bcc=c@d.example'])
      expect(recipientOf(url)).toBe('');
  });
});

/** URLs that begin like an e-mail address and are not one plain address. */
const NO_ADDRESS = [
  'mailto:',
  'mailto:dock',
  'mailto:@example.com',
  'mailto:a@',
  'mailto:a@localhost',
  'mailto:a@example.com,b@example.com',
  'mailto:a@example.com;b@example.com',
  'mailto:a@example.com b@example.com',
  'mailto: a@example.com',
  'mailto:a@example.com ',
  'mailto:a@b.example?bcc=c@d.example',
  'mailto:a@b.example?subject=x',
  'mailto:?to=a@b.example',
  'mailto:a@b.example#x',
  'mailto:a@b.example/x',
  'mailto://a@b.example',
  'mailto:a@example.com\r\nBcc: b@example.com',
  'mailto:a@example.com\n',
  'mailto:a@example.com\u0000',
  'mailto:a%40example.com',
  'mailto:a@example%2ecom',
  'mailto:a%0d%0abcc:b@example.com',
  'mailto:a%2Cb@example.com',
  'mailto:A <a@example.com>',
  'mailto:<a@example.com>',
  'mailto:"a b"@example.com',
  'mailto:a@[127.0.0.1]',
  'mailto:a@b@example.com',
  'mailto:a..b@example.com',
  'mailto:.a@example.com',
  'mailto:a\u202e@example.com',
  'mailto:ａ@example.com',
  `mailto:${'a'.repeat(243)}@example.com`,
  'MAILTO:a@example.com?cc=b@example.com',
];

describe('the address of a webhook', () => {
  it.each(NO_ADDRESS)('%j is refused with every format', (url) => {
    expect(mailAddressOf(url)).toBeUndefined();
    for (const format of FORMATS) {
      const fault = refuseAddress({ url, format });
      expect([format, fault?.code, fault?.errors?.[0]?.field]).toEqual([format, 'validationFailed', 'url']);
      expect(fault?.detail).toMatch(format === 'EMAIL' ? /one plain address/ : /needs a URL/);
    }
  });

  it.each(['mailto:a@example.com', 'MailTo:A.b+c@Example.com', "mailto:o'neil@example.com"])(
    '%s is accepted for e-mails only',
    (url) => {
      for (const format of FORMATS)
        expect([format, refuseAddress({ url, format }) === undefined]).toEqual([format, format === 'EMAIL']);
    },
  );

  it('an https URL is accepted for everything except e-mails', () => {
    const url = 'https://hooks.example.com/mailto:a@example.com';
    for (const format of FORMATS)
      expect([format, refuseAddress({ url, format }) === undefined]).toEqual([format, format !== 'EMAIL']);
  });
});

describe('the limits of e-mails that users request', () => {
  const NOW = 1_800_000_000_000;
  const hour = hourOf(NOW);

  it('a recipient who has not confirmed gets a confirmation e-mail instead of a test', () => {
    expect(requestedMailOf(recipient())).toBe('TEST');
    expect(requestedMailOf(recipient({ isConfirmed: 0 }))).toBe('CONFIRMATION');
  });

  it.each([
    ['TEST', {}, undefined],
    ['TEST', { hour, testsByOrganization: 4 }, undefined],
    ['TEST', { hour, testsByOrganization: 5 }, 'TESTS'],
    ['TEST', { hour: hour - HOUR_MS, testsByOrganization: 5 }, undefined],
    ['TEST', { hour, sent: 19 }, undefined],
    ['TEST', { hour, sent: 20 }, 'HOUR'],
    ['TEST', { hour, sentByOrganization: 200 }, 'HOUR'],
    ['TEST', { askDate: NOW, askCount: 3 }, undefined],
    ['CONFIRMATION', { askDate: NOW, askCount: 2 }, undefined],
    ['CONFIRMATION', { askDate: NOW, askCount: 3 }, 'ASKS'],
    ['CONFIRMATION', { askDate: NOW - DAY_MS + 1, askCount: 3 }, 'ASKS'],
    ['CONFIRMATION', { askDate: NOW - DAY_MS, askCount: 3 }, undefined],
    ['CONFIRMATION', { hour, testsByOrganization: 5 }, undefined],
    ['CONFIRMATION', { hour, sentByOrganization: 200 }, 'HOUR'],
  ] as const)('a %s to a recipient with %j exceeds the limit %s', (mail, more, limit) => {
    expect(exceededLimit(mail, recipient(more), NOW)).toBe(limit);
  });
});
