import format from 'icu-minify/format';

/** Messages of this page's scripts in the page's language, parsed. */
const messages = JSON.parse(document.body.dataset.words);
const language = document.getElementById('main').lang || document.documentElement.lang;

const formatters = {
  getNumberFormat: (...of) => new Intl.NumberFormat(...of),
  getPluralRules: (...of) => new Intl.PluralRules(...of),
  getDateTimeFormat: (...of) => new Intl.DateTimeFormat(...of),
};

/** A message of the page with its arguments. */
export const t = (key, values = {}) => String(format(messages[key], language, values, { formatters }));

/** The time of the site's clock, to the second. */
const clock = new Intl.DateTimeFormat(language, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: document.body.dataset.zone,
});
export const clockTime = (at) => clock.format(at);
