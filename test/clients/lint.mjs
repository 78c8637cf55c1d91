// Prints what Spectral finds in the OpenAPI document of a file, by its rules for OpenAPI, as JSON.
import { readFileSync } from 'node:fs';
import core from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });
const found = await spectral.run(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify(found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)));
