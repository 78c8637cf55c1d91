import format from 'icu-minify/format';

/** The messages of this page's scripts, parsed, in the page's language. */
const messages = JSON.parse(document.body.dataset.words);
const language = document.getElementById('main').lang || document.documentElement.lang;

const formatters = {
  getNumberFormat: (...of) => new Intl.NumberFormat(...of),
  getPluralRules: (...of) => new Intl.PluralRules(...of),
  getDateTimeFormat: (...of) => new Intl.DateTimeFormat(...of),
};

/** The text of a message with its values. */
export const t = (key, values = {}) => String(format(messages[key], language, values, { formatters }));

/** A time by the site's clock, with seconds. */
const clock = new Intl.DateTimeFormat(language, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: document.body.dataset.zone,
});
export const clockTime = (at) => clock.format(at);
